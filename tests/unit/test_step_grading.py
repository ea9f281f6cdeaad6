"""Verdicts: which steps are right, for nothing or wrong, and the tokens they wasted."""

from dataclasses import replace

from daybook.app.grading.grade import Check, Verdict, grade, grade_proposal
from daybook.app.grading.trajectory import Decision, Step
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


def proposed(step: Step, *before: Step) -> Verdict:
    """Grade a call as the proposal behind other steps."""
    (verdict,) = grade_proposal(with_(*before, step), step.decided)
    return verdict


def test_a_proposal_is_graded_by_what_was_known_before_it():
    put = replace(PUT, outcome="open", result=None)
    assert proposed(put, SEARCH).score == 1
    invented = proposed(replace(put, args={"sku": "BOOT-777"}), SEARCH)
    assert [finding.check for finding in invented.findings] == [Check.INVENTED]
    refused = replace(SEARCH, outcome="refused", error="find refused: no shelf", result=None)
    same = replace(SEARCH, key="1/1.0", decided=3, outcome="open", result=None, handle=0)
    assert Check.REPEATED in [one.check for one in proposed(same, refused).findings]


def test_calls_of_one_proposal_are_compared_with_each_other():
    first = replace(PUT, outcome="open", result=None)
    second = replace(first, key="2/0.1")
    one, two = grade_proposal(with_(SEARCH, first, second), first.decided)
    assert (one.score, two.score) == (1, -1)
