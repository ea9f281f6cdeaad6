"""The report on a graded thread: what it tells, what it keeps for the next time, and as a file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from daybook.app.grading.comparison import difference
from daybook.app.grading.report import html, terminal
from daybook.app.grading.report.summary import COLUMNS, Report, as_json, judged_as
from daybook.app.grading.trajectory import Step, Trajectory, Turn
from daybook.app.grading.verdict import Check, Finding, Grade, Verdict

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
    matrix = {"find": (1, 1, 0, 0), "ring": (1, 0, 0, 0), "send": (0, 0, 1, 1)}
    turns = (Turn(number=1, turn_id="a", said=f"mail {SPITEFUL}"), Turn(number=2, turn_id="b"))
    tainted = tuple(one for one in grade.judged if one[1].is_tainted)
    return Report(Trajectory("t", turns, STEPS), grade, None, tainted, matrix, None)


def rescored(key: str, score: int) -> Grade:
    """Return the grade with another score of one step."""
    verdicts = tuple(replace(v, score=score) if v.step == key else v for v in VERDICTS)
    return replace(GRADE, verdicts=verdicts, wasted_tokens=0)


@pytest.mark.parametrize(
    ("at", "name"), [(0, "right"), (1, "wrong"), (2, "tainted"), (3, "for nothing")]
)
def test_a_step_is_right_for_nothing_tainted_or_wrong(at: int, name: str):
    assert judged_as(VERDICTS[at]) == name
    assert name in COLUMNS


def test_it_says_in_a_sentence_how_it_went():
    assert report().sentence == "5 steps: 2 right, 1 for nothing, 1 tainted, 1 wrong."
    empty = Report(Trajectory("t"), Grade("t"), None, (), {}, None)
    assert empty.sentence == "0 steps: 0 right, 0 for nothing, 0 tainted, 0 wrong."


def test_a_file_runs_nothing_and_asks_for_nothing():
    file = html.file(report())
    assert "<script" not in file
    assert "&lt;script&gt;" in file
    assert "http:" not in file.replace("http-equiv", "")
    assert "https:" not in file
    assert "src=" not in file
    assert "prefers-color-scheme: dark" in file
    for told in ("1/1.0", "Nobody named", "built on", "invented", "There is no other grade"):
        assert told in file


def test_it_can_be_read_by_a_program():
    told = json.loads(json.dumps(as_json(report())))
    assert told["root_cause"] == "1/1.0"
    assert told["matrix"]["send"] == {"right": 0, "for nothing": 0, "tainted": 1, "wrong": 1}
    assert [one["judged"] for one in told["verdicts"]][1] == "wrong"


def test_a_grade_is_compared_with_the_last_one_that_was_different(tmp_path: Path):
    assert difference(tmp_path, "x", "t", GRADE) is None
    assert difference(tmp_path, "x", "t", GRADE) is None, "looking twice is no other grade"
    better = rescored("1/1.0", 1)
    found = difference(tmp_path, "x", "t", better)
    assert found is not None
    assert found.changed == (("1/1.0", "send", -1, 1),)
    assert (found.new, found.gone, found.wasted) == ((), 0, (40, 0))
    sentence = "Since the last grade: 1/1.0 send -1 to +1; wasted tokens 40 to 0."
    assert terminal.sentence_of(found) == sentence
    assert difference(tmp_path, "x", "t", better) == found
    shorter = replace(better, steps=STEPS[:3], verdicts=better.verdicts[:3])
    found = difference(tmp_path, "x", "t", shorter)
    assert found is not None
    assert (found.changed, found.new, found.gone) == ((), (), 2)
    assert difference(tmp_path, "another", "t", GRADE) is None


def test_what_is_kept_names_nobody(tmp_path: Path):
    difference(tmp_path, "x", "thread-of-ada", GRADE)
    (file,) = (tmp_path / "grades").iterdir()
    held = f"{file.name} {file.read_text()}"
    assert "1/1.0" in held
    for words in (EMAIL, "script", "thread-of-ada", "Nobody named"):
        assert words not in held


@pytest.mark.parametrize("broken", ["", "{", '{"now": 1, "before": 2}', '{"now": {"steps": []}}'])
def test_a_file_that_cannot_be_read_is_written_anew(tmp_path: Path, broken: str):
    difference(tmp_path, "x", "t", GRADE)
    (file,) = (tmp_path / "grades").iterdir()
    file.write_text(broken)
    assert difference(tmp_path, "x", "t", GRADE) is None
    assert difference(tmp_path, "x", "t", rescored("1/1.0", 1)) is not None
