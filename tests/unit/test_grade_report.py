"""The report on a graded thread: its numbers, as JSON, and as a file."""

import json

import pytest

from daybook.app.grading.report import html
from daybook.app.grading.report.summary import Report, as_json
from daybook.app.grading.trajectory import Step, Trajectory, Turn
from daybook.app.grading.verdict import COLUMNS, Check, Finding, Grade, Verdict, verdict_name

EMAIL = "ada@example.org"
SPITEFUL = "<script>alert(1)</script>"

STEPS = (
    Step(key="1/0.0", seq=2, turn=1, tool="find", kind="read", args={"words": SPITEFUL}),
    Step(key="1/1.0", seq=4, turn=1, tool="send", kind="write", args={"to": EMAIL}),
    Step(key="1/2.0", seq=7, turn=1, tool="send", kind="write", args={"to": EMAIL}),
    Step(key="2/0.0", seq=9, turn=2, tool="find", kind="read"),
    Step(key=f"2/0.0:ring {EMAIL}", seq=9, turn=2, tool="ring", kind="write", parent="2/0.0"),
)
WRONG = Finding(Check.INVENTED, f"Nobody named {EMAIL}.")
VERDICTS = (
    Verdict("1/0.0", 1),
    Verdict("1/1.0", -1, (WRONG,), why=WRONG.why),
    Verdict("1/2.0", 0, (), ("1/1.0",), "It is built on 1/1.0."),
    Verdict("2/0.0", 0, (Finding(Check.REPEATED, "1/0.0 did the same.", is_wrong=False),)),
    Verdict(f"2/0.0:ring {EMAIL}", 1),
)
GRADE = Grade("t", STEPS, VERDICTS, root_cause="1/1.0", wasted_tokens=40, tokens=160)


def report(grade: Grade = GRADE) -> Report:
    turns = (Turn(number=1, turn_id="a", said=f"mail {SPITEFUL}"), Turn(number=2, turn_id="b"))
    return Report(Trajectory("t", turns, STEPS), grade, None)


@pytest.mark.parametrize(
    ("at", "name"), [(0, "right"), (1, "wrong"), (2, "tainted"), (3, "for nothing")]
)
def test_a_step_is_right_for_nothing_tainted_or_wrong(at: int, name: str):
    assert verdict_name(VERDICTS[at]) == name
    assert name in COLUMNS


def test_it_says_in_a_sentence_how_it_went():
    assert report().sentence == "5 steps: 2 right, 1 for nothing, 1 tainted, 1 wrong."
    empty = Report(Trajectory("t"), Grade("t"), None)
    assert empty.sentence == "0 steps: 0 right, 0 for nothing, 0 tainted, 0 wrong."


def test_a_file_runs_nothing_and_asks_for_nothing():
    file = html.file(report())
    assert "<script" not in file
    assert "&lt;script&gt;" in file
    assert "http:" not in file.replace("http-equiv", "")
    assert "https:" not in file
    assert "src=" not in file
    assert "prefers-color-scheme: dark" in file
    for told in ("1/1.0", "Nobody named", "built on", "invented"):
        assert told in file


def test_it_can_be_read_by_a_program():
    told = json.loads(json.dumps(as_json(report())))
    assert told["root_cause"] == "1/1.0"
    assert told["matrix"]["send"] == {"right": 0, "for nothing": 0, "tainted": 1, "wrong": 1}
    assert [one["judged"] for one in told["verdicts"]][1] == "wrong"
