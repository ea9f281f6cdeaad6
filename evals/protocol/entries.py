"""What the other side shows: an effect by its number, as the answers and rows that a tool returns.

An effect of a slot has the number of its attempt. Other numbers stand for what is not ours, or not
as it was approved; nothing but `judge` tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias

from daybook import Confirmed, Declined, Guarantees, NotSent, Outcome
from daybook.state.effects.evidence import Evidence, Judgement, Look, entries_of
from daybook.state.effects.reference import Naming, naming
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import Claim, ClaimUndo
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from evals.protocol.books import BUDGET, NOW, D

NOBODYS, ANOTHERS, ANOTHER_OWNERS, NAMELESS, EARLIER = -1, -2, -3, -4, -5
"""A stranger's effect: one that fits and that nobody holds; one that another step holds; one that
shows another owner; one that does not say which it is; the first of the generation before."""

WRONGLY = 100
"""Added to an attempt: our effect, shown with another owner."""

EVIDENCE = {"owner": "ada"}
NAMED = naming("id")
BY_OTHERS = {"998": "op/of/another/1"}

_IDS = {NOBODYS: 999, ANOTHERS: 998, ANOTHER_OWNERS: 997}


def answer(slot: int, width: int, ref: int) -> dict[str, Any]:
    """Make the answer to a request: its status moves on before it is looked up."""
    return {**_effect(slot, width, ref), "status": "pending"}


def row(slot: int, width: int, ref: int, key: str) -> dict[str, Any]:
    """Make a row of a look-up; what is ours shows our key, where rows show keys ("" if not)."""
    ours = {"key": key} if key and is_ours(ref) else {}
    return {**_effect(slot, width, ref), **ours, "status": "captured"}


def _effect(slot: int, width: int, ref: int) -> dict[str, Any]:
    owner = "bob" if ref == ANOTHER_OWNERS or ref > WRONGLY else "ada"
    named = {} if ref == NAMELESS else {"id": id_of(slot, width, ref)}
    return {**named, "owner": owner}


def id_of(slot: int, width: int, ref: int) -> int:
    """Name an effect."""
    if ref == EARLIER:
        return id_of(slot - width, width, 1)
    return _IDS[ref] if ref < 0 else slot * 10 + ref % WRONGLY


def effect_of(slot: int, result: Mapping[str, Any] | None) -> int | None:
    """Return the effect of a slot that a result is of; NOBODYS where it is none of that slot."""
    if result is None:
        return None
    number = result.get("id", 0) - slot * 10
    return number if 0 < number < 10 else NOBODYS


def is_ours(ref: int) -> bool:
    """Tell whether it is an effect of the slot."""
    return ref > 0


def odd_answers(slot: int, width: int, attempt: int, promised: Guarantees) -> Iterator[int]:
    """Yield what an attempt may be answered with that is not ours, or not as approved.

    What fits, is held by nobody and cannot be looked up is believed: nothing tells it from ours.
    """
    yield from (ANOTHERS, ANOTHER_OWNERS, WRONGLY + attempt)
    if promised.provable:
        yield from (NOBODYS, NAMELESS)
    if promised.provable and slot >= width:
        yield EARLIER


def odd_rows(done: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield what a look-up under our key may show beside ours, or in its place.

    One row alone that fits and that nobody holds is believed: a look-up is by our key, or by a
    reference that we chose.
    """
    for ref in (ANOTHERS, ANOTHER_OWNERS, NAMELESS):
        yield (ref,)
        if done:
            yield (*done, ref)
    if done:
        yield (NOBODYS, *done)


ACK, NO, DOOR, REFUSED = "acknowledged", "declined", "declined at the door", "refused"

Looked: TypeAlias = tuple[int, ...] | Literal["unreachable", "faulty", "not looked"]
Make: TypeAlias = Callable[[Plan], Iterable[Entry]]
Judge: TypeAlias = Callable[
    [Step, Evidence, Naming | None, Mapping[str, str], Guarantees], Judgement
]


class Place(NamedTuple):
    """Say which step evidence is about.

    Attributes:
        width: how many slots a generation has.
        key: under which it was sent, as rows show it; "" where they do not.
    """

    slot: int
    width: int
    key: str


def attempted(plan: Plan, due: Claim | ClaimUndo) -> Entry:
    """Claim an attempt of a step, or of its undo."""
    return plan.entry(
        Event.ATTEMPTED if isinstance(due, Claim) else Event.UNDO_ATTEMPTED,
        plan.find(due.step_id)[1],
        attempt=due.number,
        deadline_at=NOW + BUDGET,
        settle_at=NOW + BUDGET + D,
    )


def evidence(
    at: Place, attempt: int, reply: tuple[str, int] | None, shown: Looked, began: datetime
) -> Evidence:
    """Make what an attempt was answered and a look showed; effects are named by their numbers."""
    return Evidence(attempt, _outcome(at, reply), _look(at, shown, began))


def _outcome(at: Place, reply: tuple[str, int] | None) -> Outcome | None:
    match reply:
        case None:
            return None
        case ("acknowledged", ref):
            return Confirmed(answer(at.slot, at.width, ref))
        case ("refused", _):
            return NotSent("refused")
        case (said, _):
            return Declined("declined", "", at_the_door=said == DOOR)


def _look(at: Place, shown: Looked, began: datetime) -> Look | None:
    match shown:
        case "not looked":
            return None
        case "unreachable" | "faulty":
            return Look(Event.UNREACHABLE, began, fault="KeyError" if shown == "faulty" else "")
        case _:
            rows = [row(at.slot, at.width, ref, at.key) for ref in shown]
            return Look(Event.FOUND if rows else Event.ABSENT, began, rows)


def recorded(
    place: int,
    seen: Evidence,
    named: Naming | None,
    held: Mapping[str, str],
    promised: Guarantees,
    judged: Judge,
) -> Make:
    """Make the page of evidence, as `daybook.nodes.effects.attempt` does."""

    def make(plan: Plan) -> Iterator[Entry]:
        step = plan.steps[place]
        yield from entries_of(plan, step, seen, judged(step, seen, named, held, promised))

    return make


def claim(due: Claim | ClaimUndo) -> Make:
    """Make the page of a claim."""
    return lambda plan: (attempted(plan, due),)


def undo_answered(place: int, attempt: int, done: bool) -> Make:
    """Make the page of what came of an undo: done, or refused for good."""

    def make(plan: Plan) -> Iterator[Entry]:
        step = plan.steps[place]
        if step.state is StepState.UNDOING:
            event = Event.UNDONE if done else Event.UNDO_FAILED
            yield plan.entry(event, step, attempt=attempt, detail={"final": not done})

    return make


def word(place: int, verdict: str, stands: int | None) -> Make:
    """Make the page of a person's word on a step; it names the effect that stands, if any."""

    def make(plan: Plan) -> Iterator[Entry]:
        event = Event.NOT_HAPPENED if verdict == "not_happened" else Event.HAPPENED
        result = {} if stands is None else {"id": stands, "reference": str(stands)}
        yield plan.entry(event, plan.steps[place], author="ada", payload={"result": result})
        if verdict == "undo" and not plan.actions[0].closing:
            asked = {"action": 0, "reason": "asked"}
            yield plan.entry(Event.CLOSING, author="ada", detail=asked)

    return make


def cancelled(plan: Plan) -> Iterator[Entry]:
    """Close the first action, as a person's wish to stop does."""
    stopped = {"action": 0, "reason": "cancelled", "stop": True}
    yield plan.entry(Event.CLOSING, author="ada", detail=stopped)
    for step in plan.actions[0].steps:
        if step.state is StepState.INTENDED:
            yield plan.entry(Event.CANCELLED, step)
