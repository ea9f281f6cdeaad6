"""Verdicts: which steps are right, for nothing or wrong, and the tokens they wasted."""

from dataclasses import replace

from daybook.app.grading.grade import grade
from daybook.app.grading.trajectory import Decision
from tests.unit.test_step_checks import CLEAN, PAY, PUT, SEARCH, with_

WRONG_SEARCH = replace(SEARCH, offered=frozenset[str]())


def test_what_is_right_is_right_and_what_is_not_over_is_said():
    graded = grade(CLEAN)
    assert [verdict.score for verdict in graded.verdicts] == [1, 1, 1, 1]
    assert (graded.first_wrong, graded.wasted_tokens, graded.notes) == (None, 0, ())
    early = grade(with_(SEARCH, replace(PUT, outcome="open"), replace(PAY, outcome="in_doubt")))
    assert len(early.notes) == 1
    assert "2" in early.notes[0]


def test_tokens_are_wasted_where_nothing_of_a_decision_is_right():
    beside = replace(SEARCH, key="1/0.1", args={"query": "tents"}, handle=2)
    both = (Decision(seq=2, turn=1, ordinal=0, tokens=150),)
    whole = replace(with_(WRONG_SEARCH, beside), decisions=both)
    assert (grade(whole).wasted_tokens, grade(whole).tokens) == (0, 150)
    alone = replace(with_(WRONG_SEARCH), decisions=both)
    assert grade(alone).wasted_tokens == 150


def test_what_was_for_nothing_is_neither_right_nor_wrong():
    for outcome in ("refused", "void", "in_doubt", "open", "erased"):
        step = replace(PAY, outcome=outcome)
        verdict = grade(with_(SEARCH, PUT, step)).of(PAY.key)
        assert (verdict.score, verdict.findings) == (0, ())
        assert verdict.why
