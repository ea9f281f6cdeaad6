"""The judges of `make live`: what happened and what was to happen, and what was said."""

from typing import Any

import pytest

from daybook.app.grading.trajectory import Claim
from evals.live.judging import (
    Conversation,
    Judge,
    faults_of_answers,
    faults_of_effects,
)


def wanting(*effects: dict[str, Any], says: Any = (), never: Any = ()) -> Conversation:
    return Conversation("any", "ada", (), effects, says, (), never)


def effect(name: str, **detail: Any) -> dict[str, Any]:
    return {"effect": name, "detail": detail}


CHARGE = effect("charge", amount=9890, card_id="card_ada_1")
ORDER = effect("order", order_id="DB-12345678", total=9890)


@pytest.mark.parametrize(
    ("wanted", "happened", "faults"),
    [
        ([], [], 0),
        ([{"effect": "charge", "amount": 9890}], [CHARGE], 0),
        ([{"effect": "charge", "amount": 9890}], [], 1),
        ([{"effect": "charge", "amount": 9890}], [CHARGE, CHARGE], 1),
        ([{"effect": "charge", "amount": 9900}], [CHARGE], 2),
        ([{"effect": "charge", "amount at most": 9890}], [CHARGE], 0),
        ([{"effect": "charge", "amount at most": 9889}], [CHARGE], 2),
        ([{"effect": "charge", "card_id begins": "card_ada"}], [CHARGE], 0),
        ([{"effect": "charge", "card_id begins": "card_ben"}], [CHARGE], 2),
        ([], [CHARGE], 1),
    ],
)
def test_all_that_was_wanted_happened_and_nothing_else(
    wanted: list[Any], happened: list[Any], faults: int
):
    found = faults_of_effects(wanting(*wanted), happened)
    assert len(found) == faults
    assert {fault.judge for fault in found} <= {Judge.EFFECTS}


@pytest.mark.parametrize(
    ("says", "never", "last", "is_right"),
    [
        (["98.90"], [], "It is 98.90 USD.", True),
        (["98.90"], [], "It is 198.90 USD.", False),
        (["43"], [], "Size 430.", False),
        ([["cancelled", "canceled"]], [], "Canceled.", True),
        ([["n't"]], [], "I didn\u2019t buy it.", True),
        (["{order}"], [], "DB-12345678 is placed.", True),
        (["{order}"], [], "It is placed.", False),
        ([], ["BOOT-002"], "Take boot-002.", False),
    ],
)
def test_the_last_answer_says_what_it_must(says: Any, never: Any, last: str, is_right: bool):
    found = faults_of_answers(wanting(says=says, never=never), [], last, [ORDER])
    assert (found == []) is is_right


def test_a_finding_of_the_receipts_check_is_a_fault_of_the_answers():
    claim = Claim("completion", "order", "Your order is placed.", "No order was placed.")
    (fault,) = faults_of_answers(wanting(), [claim], "", [])
    assert fault.judge is Judge.ANSWERS
    assert claim.correction in fault.why
