"""Verdicts: which steps are wrong, which are built on them, and the tokens they wasted."""

from dataclasses import replace

from daybook.app.grading.grading import grade, grade_proposal
from daybook.app.grading.trajectory import Decision, Step
from daybook.app.grading.verdict import Check, Verdict
from tests.unit.test_step_checks import CLEAN, PAY, PUT, SEARCH, with_

WRONG_SEARCH = replace(SEARCH, offered=frozenset[str]())


def test_what_is_right_is_right_and_what_is_not_over_is_said():
    graded = grade(CLEAN)
    assert [verdict.score for verdict in graded.verdicts] == [1, 1, 1, 1]
    assert (graded.root_cause, graded.wasted_tokens, graded.notes) == (None, 0, ())
    early = grade(with_(SEARCH, replace(PUT, outcome="open"), replace(PAY, outcome="in_doubt")))
    assert len(early.notes) == 1
    assert "2" in early.notes[0]


def test_a_step_built_on_a_wrong_one_is_tainted_and_not_wrong():
    graded = grade(with_(WRONG_SEARCH, PUT, PAY))
    assert graded.root_cause == SEARCH.key
    built = graded.of(PUT.key)
    assert (built.score, built.tainted_by, built.findings) == (0, (SEARCH.key,), ())
    assert graded.of(SEARCH.key).score == -1


def test_taint_goes_on_through_what_was_tainted():
    look = replace(SEARCH, key="2/1.0", decided=6, seq=6, ordinal=1, turn=2, handle=2)
    look = replace(look, args={"query": "BOOT-004"}, result={"sku": "BOOT-004", "maker": "M-777"})
    order = replace(PUT, key="3/0.0", decided=8, turn=3, args={"maker_id": "M-777"}, result="ok")
    graded = grade(with_(WRONG_SEARCH, look, order))
    assert graded.of(look.key).tainted_by == (SEARCH.key,)
    assert graded.of(order.key).tainted_by == (look.key,)


def test_what_is_known_otherwise_too_is_not_built_on_a_wrong_step():
    named = replace(PUT, said=(*PUT.said, "BOOT-004 please"))
    assert grade(with_(WRONG_SEARCH, named)).of(PUT.key).tainted_by == (), "the person said it"
    good = replace(SEARCH, key="1/1.0", decided=3, handle=2, args={"query": "boots again"})
    assert grade(with_(WRONG_SEARCH, good, PUT)).of(PUT.key).tainted_by == (), "a good read told it"


def test_a_handle_and_a_binding_carry_taint():
    opened = replace(SEARCH, key="2/0.0", decided=5, turn=2, handle=2, args={"handle": 1})
    assert grade(with_(WRONG_SEARCH, opened)).of(opened.key).tainted_by == (SEARCH.key,)
    plan = replace(PAY, kind="plan", op="", attempts=0, executions=0, expected={}, args={})
    hold = replace(PAY, key="3/0.0:hold", parent=plan.key, op="cart/7/hold/1", approval="none")
    book = replace(PAY, key="3/0.0:book", parent=plan.key, op="cart/7/book/1")
    book = replace(book, args={}, binds={"hold_id": ("hold",)})
    graded = grade(with_(SEARCH, PUT, plan, hold, book))
    assert graded.root_cause == hold.key
    assert graded.of(book.key).tainted_by == (hold.key,)


def test_a_plan_is_tainted_by_what_its_effects_are_built_on():
    lamp = replace(PUT, args={"sku": "LAMP-009"}, result="cart: +LAMP-009 x1")
    plan = replace(PAY, kind="plan", op="", attempts=0, executions=0, expected={}, args={})
    plan = replace(plan, described=("1 x LAMP-009",), shown="cart: LAMP-009 x1")
    hold = replace(PAY, key="3/0.0:hold", parent=plan.key, args={"sku": "LAMP-009"})
    hold = replace(hold, shown=plan.shown, expected={})
    graded = grade(with_(SEARCH, lamp, plan, hold))
    assert graded.root_cause == lamp.key
    assert (graded.of(plan.key).tainted_by, graded.of(plan.key).score) == ((lamp.key,), 0)


def test_tokens_are_wasted_where_nothing_of_a_decision_is_right():
    beside = replace(SEARCH, key="1/0.1", position=1, args={"query": "tents"}, handle=2)
    both = (Decision(seq=2, turn=1, ordinal=0, tokens=150),)
    whole = replace(with_(WRONG_SEARCH, beside), decisions=both)
    assert (grade(whole).wasted_tokens, grade(whole).tokens) == (0, 150)
    alone = replace(with_(WRONG_SEARCH), decisions=both)
    assert grade(alone).wasted_tokens == 150


def test_what_was_for_nothing_is_neither_right_nor_wrong():
    for outcome in ("refused", "void", "in_doubt", "open", "erased"):
        step = replace(PAY, outcome=outcome, attempts=0, executions=0)
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
    tainted = proposed(put, WRONG_SEARCH)
    assert (tainted.score, tainted.tainted_by) == (0, (SEARCH.key,))
    refused = replace(SEARCH, outcome="refused", error="find refused: no shelf", result=None)
    same = replace(SEARCH, key="1/1.0", decided=3, outcome="open", result=None, handle=0)
    assert Check.REPEATED in [one.check for one in proposed(same, refused).findings]


def test_calls_of_one_proposal_are_compared_with_each_other():
    first = replace(PUT, outcome="open", result=None)
    second = replace(first, key="2/0.1", position=1)
    one, two = grade_proposal(with_(SEARCH, first, second), first.decided)
    assert (one.score, two.score) == (1, -1)


def test_steps_of_one_decision_know_nothing_of_each_other():
    beside: Step = replace(PUT, key="1/0.1", position=1, decided=SEARCH.decided, turn=1)
    assert list(with_(SEARCH, beside).before(beside)) == []
