"""What an answer says is held against what was known when it was given."""

from dataclasses import replace

import pytest
from daybook.tools.said.grammar.kinds import kinds_of
from daybook.tools.said.known import Effect, Known, known

from daybook.app.grading.grading import grade
from daybook.app.grading.shown.report import judged_as
from daybook.app.grading.steps.background import Background
from daybook.app.grading.steps.trajectory import Decision, Step, Trajectory
from daybook.app.grading.verdict import Check
from tests.unit.test_step_checks import CLEAN, PAY, PUT, SEARCH

KINDS = tuple(kind for tool in ("place_order", "charge_payment") for kind in kinds_of(tool))
READ = '{"products": [{"sku": "BOOT-004", "name": "Alder Ridge Boot", "price": 12900}]}'
DECLINED = (Effect(KINDS[0], "failed", frozenset(), True, "The card was declined.", False),)


def known_of(*effects: Effect) -> Known:
    return known([READ], ["boots under 150"], effects=effects, kinds=KINDS)


def answer(text: str, *effects: Effect, after: Step = PAY) -> Step:
    """Write the answer that follows a step."""
    return Step(
        key=f"{after.turn}/{after.ordinal + 1}",
        seq=after.decided + 2,
        decided=after.decided + 2,
        turn=after.turn,
        ordinal=after.ordinal + 1,
        tool="answer",
        kind="answer",
        args={"text": text},
        said=after.said,
        zones=(10, 0, 0, 5),
        background=Background(lambda: known_of(*effects)),
    )


def answered(*answers: Step) -> Trajectory:
    return replace(
        CLEAN,
        answers=answers,
        decisions=(
            *CLEAN.decisions,
            *(
                Decision(seq=one.decided, turn=one.turn, ordinal=one.ordinal, zones=one.zones)
                for one in answers
            ),
        ),
    )


@pytest.mark.parametrize(
    ("said", "effects", "so"),
    [
        ("Placed it.", DECLINED, "The card was declined."),
        ("Your order DB-12345678 is placed.", (), "Nothing was ordered."),
        ("Your card has been charged.", (), "Nothing was charged."),
        ("The Alder Ridge Boot costs 99.00 USD.", (), "99.00 USD"),
        ("Look at BOOT-777 too.", (), "BOOT-777 stands in nothing"),
    ],
)
def test_an_answer_that_contradicts_what_was_known_is_wrong(
    said: str, effects: tuple[Effect, ...], so: str
):
    graded = grade(answered(answer(said, *effects)))
    verdict = graded.of("3/1")
    assert (verdict.score, [one.check for one in verdict.findings]) == (-1, [Check.SAID])
    assert said.split(".")[0] in verdict.why
    assert so in verdict.why
    assert graded.root_cause == "3/1"
    assert graded.wasted_tokens == 15


@pytest.mark.parametrize(
    "said",
    [
        "1. Alder Ridge Boot, 129.00 USD",
        "Shall I place the order?",
        "Two of them would be 258.00 USD.",
        "",
    ],
)
def test_an_answer_that_agrees_with_it_is_right(said: str):
    graded = grade(answered(answer(said)))
    assert [one.score for one in graded.verdicts] == [1, 1, 1, 1]
    assert [one.key for one in graded.steps] == ["1/0.0", "2/0.0", "3/0.0", "3/1"]


def test_words_that_were_refused_are_the_models_fault_and_were_not_shown():
    refused = (("Placed it.", ("Nothing was ordered.",)),)
    verdict = grade(answered(replace(answer("Nothing was ordered."), unsaid=refused))).of("3/1")
    assert (verdict.score, judged_as(verdict)) == (-1, "wrong")
    assert verdict.why == "Not shown to the person: “Placed it.”: Nothing was ordered."


def test_an_answer_whose_prompt_is_kept_no_more_is_not_judged():
    assert grade(answered(replace(answer("Placed it."), background=None))).of("3/1").score == 1


def test_an_answer_that_tells_of_a_wrong_step_is_built_on_it():
    wrong = replace(SEARCH, offered=frozenset[str]())
    told = answer("Take BOOT-004.", after=SEARCH)
    graded = grade(replace(answered(told), steps=(wrong, PUT, PAY)))
    assert graded.of(told.key).tainted_by == (SEARCH.key,)
    assert [one.key for one in graded.steps][:2] == [SEARCH.key, told.key]


def test_an_answer_knows_nothing_of_what_came_after_it():
    told = answer("Take BOOT-004.", after=SEARCH)
    assert [one.key for one in answered(told).before(told)] == [SEARCH.key]
    assert answered(told).until(told.decided).answers == ()
