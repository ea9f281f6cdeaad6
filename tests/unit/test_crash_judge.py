"""The judge of the crash matrix can fail: each promise that is broken is seen."""

from dataclasses import replace
from typing import Any

import pytest

from daybook.state.clock import SYSTEM
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.testing.processes import Ended
from evals.crash.cells import Cell
from evals.crash.judge import Evidence, judge

CELL = Cell.parse("purchase.blind.killed:after_reply:charge_payment#1")
BOUGHT = ("reserve", "charge", "order", "mail")


def did(*steps: dict[str, Any], left: bool = False, **end: Any) -> Ended:
    """Make the end of a process that took the thread over."""
    stands = {"answer": "order DB-1", "flow": "ordered", "asks": [], "left": left, **end}
    came = {"what": "take up", "left": "a turn was interrupted"}
    told = {"error": "", "by_itself": stands, "end": stands, "did": [came, *steps]}
    return Ended(killed=False, found=told, log="")


KILLED = Ended(killed=True, found=None, log="")


def evidence(*effects: str, **more: Any) -> Evidence:
    """Make the evidence of a cell in which these effects happened."""
    kept: dict[str, Any] = {
        "effects": [{"effect": effect} for effect in effects],
        "holds_left": 0,
        "entries": [decided()],
        "open_steps": [],
        "broken": "",
        "asked": 4,
        "runs": [KILLED, did()],
    }
    return Evidence(**{**kept, **more})


def decided() -> Entry:
    return Entry(Event.DECISION, author="ada", at=SYSTEM.now())


def doubted(*events: Event, tool: str = "send_email") -> list[Entry]:
    op = f"checkout/1/{tool}"
    return [decided(), *(Entry(event, op=op, gen=1) for event in (Event.IN_DOUBT, *events))]


def ended(how: Ended, **more: Any) -> Evidence:
    """Make the evidence of a purchase that was killed once, and whose second process ended so."""
    return evidence(*BOUGHT, runs=[KILLED, how], **more)


ASKED = {
    "what": "doubt",
    "evidence": ["arguments", "attempts", "step", "tool", "why"],
    "verdict": "it happened",
}


def test_what_is_as_promised_is_right_and_so_is_a_doubt_that_a_person_was_asked_about():
    verdict = judge(CELL, evidence(*BOUGHT))
    assert verdict.wrong == []
    assert {name for name, count in verdict.counts.items() if count} == {
        "by itself",
        "charges left",
    }
    entries = doubted(Event.HAPPENED)
    verdict = judge(CELL, evidence(*BOUGHT, entries=entries, runs=[KILLED, did(ASKED)]))
    assert (verdict.wrong, verdict.counts["in doubt"]) == ([], 1)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (evidence(*BOUGHT, "charge"), "happened twice"),
        (evidence(*BOUGHT, "refund"), "should not have"),
        (evidence(*BOUGHT[:3]), "lost: ['mail']"),
        (evidence(*BOUGHT, holds_left=1), "1 holds are left"),
        (evidence(*BOUGHT, asked=5), "the model was asked 5 times"),
        (evidence(*BOUGHT, entries=[decided(), decided()]), "asked for again"),
        (ended(did({"what": "approve", "kept": True})), "asked for again"),
        (
            ended(did(ASKED), entries=doubted(Event.HAPPENED, tool="charge_payment")),
            "in doubt without need: ['charge_payment']",
        ),
        (evidence(*BOUGHT, entries=doubted()), "not put to a person"),
        (
            ended(did({**ASKED, "evidence": ["step"]}), entries=doubted(Event.HAPPENED)),
            "not put to a person",
        ),
        (ended(did({"what": "take up", "left": "a turn to finish"})), "not finished by itself"),
        (evidence(*BOUGHT, broken="the chain is broken"), "the chain is broken"),
        (evidence(*BOUGHT, open_steps=["x/charge unknown"]), "x/charge unknown"),
        (ended(did(answer="")), "no answer"),
        (ended(did(flow="shopping")), "the flow stands at shopping"),
        (ended(did(left=True)), "something is left"),
        (ended(replace(did(), log="Traceback")), "Traceback"),
        (ended(KILLED), "did not come to its end: it was killed"),
        (evidence(*BOUGHT, runs=[did()]), "not killed where it should have been"),
    ],
)
def test_each_broken_promise_is_told(found: Evidence, told: str):
    assert told in "; ".join(judge(CELL, found).wrong)


@pytest.mark.parametrize(
    ("cell", "most"),
    [
        ("purchase.keyed.killed:after_model:#2", 5),
        ("purchase.keyed.killed:before_commit:decided#2", 5),
        ("purchase.keyed.killed:after_commit:decided#2", 4),
        ("purchase.keyed.killed:before_model:#2", 4),
    ],
)
def test_the_model_is_asked_again_only_where_its_answer_died_before_its_record(cell, most):
    def wrong(asked: int) -> list[str]:
        return list(judge(Cell.parse(cell), evidence(*BOUGHT, asked=asked)).wrong)

    assert wrong(most) == []
    assert wrong(most + 1) != []
