"""Faults that are put into a right trajectory, each with the check that must find it.

A fault names the step that must be found. Nothing else of the trajectory is changed, except what
goes with it. Whether something made up occurs anywhere is decided letter by letter here, and not by
the tokens of the check.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import dropwhile, islice
from typing import Any, TypeAlias

from daybook.app.grading.grade import Check, Step, Trajectory, argument_tokens

_GAP = 100
"""Between the ledger entries of a trajectory into which a step is inserted."""


@dataclass(frozen=True)
class Place:
    """A step at which a fault may be put in.

    Attributes:
        positions: flow position to the tools that are offered there.
    """

    trajectory: Trajectory
    step: Step
    positions: Mapping[str, frozenset[str]]
    chance: random.Random


@dataclass(frozen=True)
class Mutant:
    """A trajectory with one fault.

    Attributes:
        faulty: key of the step that must be found.
    """

    trajectory: Trajectory
    faulty: str


Inject: TypeAlias = Callable[[Place], Mutant | None]
"""Puts a fault in; returns None where the step has no place for it."""


@dataclass(frozen=True)
class Fault:
    """A class of faults, and the check that must find it."""

    name: str
    check: Check
    inject: Inject


def mutants(
    fault: Fault,
    trajectory: Trajectory,
    positions: Mapping[str, frozenset[str]],
    chance: random.Random,
    most: int,
) -> Iterator[Mutant]:
    """Put a fault into at most so many places of a trajectory, one at a time."""
    steps = [step for step in trajectory.steps if step.kind != "answer"]
    chance.shuffle(steps)
    found = 0
    for step in steps:
        if found >= most:
            return
        if (mutant := fault.inject(Place(trajectory, step, positions, chance))) is not None:
            found += 1
            yield mutant


def _after(trajectory: Trajectory, step: Step) -> Iterator[Step]:
    """Yield the steps that follow a step, in order."""
    later = dropwhile(lambda one: one.key != step.key, trajectory.steps)
    return islice(later, 1, None)


def _change(place: Place, **more: Any) -> Mutant:
    changed = replace(place.step, **more)
    steps = (changed if one.key == changed.key else one for one in place.trajectory.steps)
    return Mutant(replace(place.trajectory, steps=tuple(steps)), changed.key)


# -- calls -----------------------------------------------------------------------------------------


def _out_of_position(place: Place) -> Mutant | None:
    elsewhere = [flow for flow, tools in place.positions.items() if place.step.tool not in tools]
    if not place.step.is_call or not elsewhere:
        return None
    flow = place.chance.choice(sorted(elsewhere))
    return _change(place, flow=flow, offered=place.positions[flow])


def _no_such_tool(place: Place) -> Mutant | None:
    if not place.step.is_call:
        return None
    return _change(place, tool=f"{place.step.tool}_now", kind="unknown", outcome="refused")


def _argument_missing(place: Place) -> Mutant | None:
    step, schema = place.step, place.trajectory.schemas.get(place.step.tool)
    if not step.is_call or schema is None:
        return None
    given = sorted(set(schema.model_json_schema().get("required", ())) & step.args.keys())
    if not given:
        return None
    gone = place.chance.choice(given)
    return _change(place, args={name: v for name, v in step.args.items() if name != gone})


def _argument_of_wrong_type(place: Place) -> Mutant | None:
    step = place.step
    if not step.is_call or not step.args:
        return None
    name = place.chance.choice(sorted(step.args))
    wrong: Any = {"value": step.args[name]} if place.chance.random() < 0.5 else [[step.args[name]]]
    return _change(place, args={**step.args, name: wrong})


def _argument_unknown(place: Place) -> Mutant | None:
    if not place.step.is_call or place.step.tool not in place.trajectory.schemas:
        return None
    return _change(place, args={**place.step.args, "urgency": "high"})


# -- identifiers, amounts, stale reads -------------------------------------------------------------


def _invented(other: Callable[[str, random.Random], Any], sort: str, place: Place) -> Mutant | None:
    named = sorted({one.written for one in argument_tokens(place.step.args) if one.sort == sort})
    if not named or not place.step.said:
        return None
    old = place.chance.choice(named)
    for _ in range(20):
        new = other(old, place.chance)
        args = _exchange(place.step.args, old, new)
        if args != place.step.args and not _occurs(place.trajectory, str(new)):
            return _change(place, args=args)
    return None


def _other_identifier(old: str, chance: random.Random) -> str:
    digits = [at for at, sign in enumerate(old) if sign.isdigit()]
    if not digits:
        return f"{old}{chance.randint(100, 999)}"
    at = chance.choice(digits)
    return f"{old[:at]}{chance.choice('0123456789')}{chance.randint(0, 9)}{old[at + 1 :]}"


def _other_amount(old: str, chance: random.Random) -> Any:
    number = float(old) * chance.choice((0.61, 0.83, 1.07, 1.33))
    return round(number, 2) if "." in old else round(number) + 1


def _exchange(value: Any, old: str, new: Any) -> Any:
    """Replace one value by another, however deep it stands."""
    if isinstance(value, Mapping):
        return {name: _exchange(item, old, new) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_exchange(item, old, new) for item in value]
    if isinstance(value, str):
        return value.replace(old, str(new))
    return new if not isinstance(value, bool) and str(value) == old else value


def _occurs(trajectory: Trajectory, text: str) -> bool:
    return any(
        text.lower() in one.lower()
        for step in trajectory.steps
        for one in (step.text, *step.said, step.shown, json.dumps(dict(step.args)))
    )


def _stale_read_used(place: Place) -> Mutant | None:
    """Let an argument be known only from reads that are out of date."""
    step = place.step
    if not step.is_call:
        return None
    # A read by an identifier is how the thing is read again.
    sorts = ("amount",) if step.kind == "read" else ("amount", "identifier")
    for args, text in _known_from_reads(place, step, sorts):
        readers = _readers_of(place.trajectory, step, text)
        stale = step.superseded | {reader.handle for reader in readers}
        return _change(place, args=args, superseded=stale)
    return None


def _known_from_reads(
    place: Place, step: Step, sorts: Sequence[str]
) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield arguments of a step with something that is known from reads alone, and its text.

    That is an argument as it is, or one exchanged for another of its sort from a read's result.
    """
    before = [one for one in place.trajectory.before(step) if one.handle]
    named = [one for one in argument_tokens(step.args) if one.sort in sorts]
    read = [one for other in before for one in argument_tokens(other.result)]
    place.chance.shuffle(read)
    for old in named:
        for new in (old, *(one for one in read if one.sort == old.sort)):
            if _readers_of(place.trajectory, step, new.written):
                value = new.written if new.sort == "identifier" else json.loads(new.written)
                yield _exchange(step.args, old.written, value), new.written
                break


def _readers_of(trajectory: Trajectory, step: Step, text: str) -> list[Step]:
    """Return the reads that contain a text; none where anything else does."""
    before = list(trajectory.before(step))
    # Users leave the sign of a number out.
    text = text.lower().lstrip("#")
    elsewhere = [*step.said, step.shown, *(one.text for one in before if not one.handle)]
    if any(text in one.lower() for one in elsewhere):
        return []
    return [one for one in before if one.handle and text in one.text.lower()]


# -- approvals and effects -------------------------------------------------------------------------


def _approval_removed(place: Place) -> Mutant | None:
    if not place.step.attempted or place.step.needs == "nobody":
        return None
    return _change(place, approved=0, approved_by="")


def _approved_too_late(place: Place) -> Mutant | None:
    step = place.step
    if not step.attempted or not step.approved:
        return None
    return _change(place, approved=step.attempted + place.chance.randint(1, 9))


def _approved_by_the_wrong_role(place: Place) -> Mutant | None:
    step = place.step
    if not step.attempted or not step.approved or step.approved_by != "customer":
        return None
    return _change(place, needs=place.chance.choice(("clerk", "operator")))


def _question_not_awaited(place: Place) -> Mutant | None:
    """Let a question be asked first, and the call be made before the answer."""
    step = place.step
    if not step.is_call or step.outcome != "done":
        return None
    if any(
        (one.turn, one.tool) == (step.turn, step.tool) for one in _after(place.trajectory, step)
    ):
        # It overtakes the question too.
        return None
    asked = replace(_without_effect(step), outcome="asked", error="Which one?")
    question = _insert(place.trajectory, step.key, asked, is_before=True)
    return replace(question, faulty=step.key)


# -- repetition ------------------------------------------------------------------------------------


def _change_repeated(place: Place) -> Mutant | None:
    step = place.step
    if not step.is_call or not step.acts or step.outcome != "done":
        return None
    again = replace(step, op=f"{step.op}+" if step.op else "")
    return _insert(place.trajectory, step.key, again)


def _operation_done_twice(place: Place) -> Mutant | None:
    step = place.step
    if not step.op or step.outcome != "done":
        return None
    operation, _, generation = step.op.rpartition("/")
    again = replace(step, op=f"{operation}/{int(generation) + 1}")
    return _insert(place.trajectory, step.key, again, keeps_parent=True)


def _read_repeated(place: Place) -> Mutant | None:
    if place.step.kind != "read" or place.step.outcome != "done":
        return None
    return _insert(place.trajectory, place.step.key, place.step)


def _refused_call_repeated(place: Place) -> Mutant | None:
    """Let a call be refused twice before it is done."""
    step = place.step
    if not step.is_call or step.outcome != "done":
        return None
    refused = replace(
        _without_effect(step), outcome="refused", error=f"{step.tool} refused: it is not there."
    )
    once = _insert(place.trajectory, step.key, refused, is_before=True)
    return _insert(once.trajectory, once.faulty, refused)


def _without_effect(step: Step) -> Step:
    return replace(step, result=None, handle=0, attempted=0, op="")


def _insert(
    trajectory: Trajectory,
    beside: str,
    step: Step,
    *,
    is_before: bool = False,
    keeps_parent: bool = False,
) -> Mutant:
    """Insert a step as a decision of its own: behind another one and its effects, or before it.

    Args:
        beside: key of the other one.
        keeps_parent: it is one more effect of the same plan instead.
    """
    spread = _spread(trajectory)
    at = next(place for place, one in enumerate(spread.steps) if one.key == beside)
    here = spread.steps[at]
    decided = here.decided + (-_GAP // 2 if is_before else _GAP // 2)
    new = replace(
        step,
        key=f"{here.key}{'<' if is_before else '>'}",
        seq=decided,
        decided=here.decided if keeps_parent else decided,
        parent=here.parent if keeps_parent else "",
        said=here.said,
        shown=here.shown,
        superseded=here.superseded,
    )
    if not is_before:
        at += 1
        while at < len(spread.steps) and spread.steps[at].decided == here.decided:
            at += 1
    return Mutant(replace(spread, steps=(*spread.steps[:at], new, *spread.steps[at:])), new.key)


def _spread(trajectory: Trajectory) -> Trajectory:
    """Leave room between the ledger entries."""
    named = ("seq", "decided", "approved", "attempted")
    steps = (
        replace(one, **{name: _GAP * getattr(one, name) for name in named})
        for one in trajectory.steps
    )
    return replace(trajectory, steps=tuple(steps))


FAULTS: tuple[Fault, ...] = (
    Fault("tool not offered", "arguments", _out_of_position),
    Fault("no such tool", "arguments", _no_such_tool),
    Fault("argument missing", "arguments", _argument_missing),
    Fault("argument of the wrong type", "arguments", _argument_of_wrong_type),
    Fault("argument unknown", "arguments", _argument_unknown),
    Fault("identifier invented", "invented", partial(_invented, _other_identifier, "identifier")),
    Fault("amount invented", "invented", partial(_invented, _other_amount, "amount")),
    Fault("stale read used", "stale", _stale_read_used),
    Fault("approval removed", "approval", _approval_removed),
    Fault("approved after it was sent", "approval", _approved_too_late),
    Fault("approved by the wrong role", "approval", _approved_by_the_wrong_role),
    Fault("question not awaited", "approval", _question_not_awaited),
    Fault("change or effect repeated", "repeated", _change_repeated),
    Fault("operation done twice", "repeated", _operation_done_twice),
    Fault("read repeated", "repeated", _read_repeated),
    Fault("refused call repeated", "repeated", _refused_call_repeated),
)
