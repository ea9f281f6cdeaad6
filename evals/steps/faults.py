"""Faults to put into a clean trajectory: each is one that a check is there to find.

A fault is put into one place, and says which step must be found, and by which check. Nothing else
of the trajectory is changed, but for what goes with it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from daybook.app.grading.steps.trajectory import Decision, Step, Trajectory
from daybook.app.grading.verdict import Check
from daybook.app.grading.words.telling import tells_of
from daybook.state.effects.keys import canonical
from daybook.tools.said.mentions import mentions_in


@dataclass(frozen=True)
class Ground:
    """What faults are put into.

    Attributes:
        positions: flow position to the tools that are offered there.
        donors: steps of other threads of the domain, to be put in where nobody wanted them.
    """

    trajectory: Trajectory
    positions: Mapping[str, frozenset[str]]
    donors: Sequence[Step]


@dataclass(frozen=True)
class Mutant:
    """A trajectory with one fault.

    Attributes:
        faulty: key of the step that must be found; it is the first wrong one.
        tainted: key of a step that must be found to be built on it, or "".
    """

    trajectory: Trajectory
    faulty: str
    tainted: str = ""


Inject: TypeAlias = Callable[[Ground, Step, random.Random], Mutant | None]
"""Puts a fault at a step; None where it has no place there."""


@dataclass(frozen=True)
class Fault:
    """A class of faults.

    Attributes:
        check: which must find it; None of a chain, where the steps built on it must be found.
        places: of a trajectory, at which it may be put in.
    """

    name: str
    check: Check | None
    inject: Inject
    places: Callable[[Trajectory], Sequence[Step]] = lambda trajectory: trajectory.steps


def mutants(fault: Fault, ground: Ground, chance: random.Random, most: int) -> Iterator[Mutant]:
    """Put a fault into at most so many places of a trajectory, each time into one."""
    steps = list(fault.places(ground.trajectory))
    chance.shuffle(steps)
    found = 0
    for step in steps:
        if found >= most:
            return
        mutant = fault.inject(ground, step, chance)
        if mutant is not None:
            found += 1
            yield mutant


# -- the tool --------------------------------------------------------------------------------------


def _out_of_position(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    elsewhere = [flow for flow, tools in ground.positions.items() if step.tool not in tools]
    if not step.is_call or not elsewhere:
        return None
    flow = chance.choice(sorted(elsewhere))
    return with_changed(ground, replace(step, flow=flow, offered=ground.positions[flow]))


def _no_such_tool(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    if not step.is_call:
        return None
    return with_changed(
        ground, replace(step, tool=f"{step.tool}_now", kind="unknown", outcome="refused")
    )


# -- the arguments ---------------------------------------------------------------------------------


def _argument_missing(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    schema = ground.trajectory.arguments.get(step.tool)
    if not step.is_call or schema is None:
        return None
    given = sorted(set(schema.model_json_schema().get("required", ())) & step.args.keys())
    if not given:
        return None
    gone = chance.choice(given)
    return with_changed(
        ground, replace(step, args={k: v for k, v in step.args.items() if k != gone})
    )


def _argument_of_wrong_type(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    if not step.is_call or not step.args:
        return None
    name = chance.choice(sorted(step.args))
    wrong: Any = {"value": step.args[name]} if chance.random() < 0.5 else [[step.args[name]]]
    return with_changed(ground, replace(step, args={**step.args, name: wrong}))


def _argument_unknown(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    if not step.is_call or step.tool not in ground.trajectory.arguments:
        return None
    return with_changed(ground, replace(step, args={**step.args, "urgency": "high"}))


# -- where the arguments come from -----------------------------------------------------------------


def _invented_identifier(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    return _invented(ground, step, chance, "identifier", _other_identifier)


def _invented_figure(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    return _invented(ground, step, chance, "figure", _other_figure)


def _invented(
    ground: Ground,
    step: Step,
    chance: random.Random,
    sort: str,
    other: Callable[[Any, random.Random], Any],
) -> Mutant | None:
    """Put something of the same sort in the place of what an argument names."""
    named = sorted({m.shown for m in mentions_in(step.args) if m.sort == sort})
    if not named or not step.said:
        return None
    old = chance.choice(named)
    for _ in range(20):
        new = other(old, chance)
        args = _exchanged(step.args, old, new)
        changed = replace(step, args=args)
        if args != step.args and not _occurs(ground.trajectory, str(new)):
            return with_changed(ground, changed)
    return None


def _other_identifier(old: str, chance: random.Random) -> str:
    digits = [at for at, sign in enumerate(old) if sign.isdigit()]
    if not digits:
        return f"{old}{chance.randint(100, 999)}"
    at = chance.choice(digits)
    return f"{old[:at]}{chance.choice('0123456789')}{chance.randint(0, 9)}{old[at + 1 :]}"


def _other_figure(old: str, chance: random.Random) -> Any:
    number = float(old) * chance.choice((0.61, 0.83, 1.07, 1.33))
    return round(number, 2) if "." in old else round(number) + 1


def _invented_date(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Change a date, or let free text tell one that nobody knows of."""
    if not step.is_call or not step.said:
        return None
    day = f"{chance.randint(2031, 2049)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
    dates = sorted({m.shown for m in mentions_in(step.args) if m.sort == "date"})
    texts = sorted(
        name for name, value in step.args.items() if isinstance(value, str) and " " in value
    )
    if dates:
        args = _exchanged(step.args, chance.choice(dates), day)
    elif texts:
        name = chance.choice(texts)
        args = {**step.args, name: f"{step.args[name]} by {day}"}
    else:
        return None
    return (
        None if _occurs(ground.trajectory, day) else with_changed(ground, replace(step, args=args))
    )


def _stale_read_used(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let the reads from which alone an argument is known be out of date.

    What is read by a name from there is no fault: it is how the thing is read again.
    """
    if not step.is_call:
        return None
    stay = {"handle", "identifier"} if step.kind == "read" else {"handle"}
    named = [one.shown for one in mentions_in(step.args) if one.sort not in stay]
    chance.shuffle(named)
    for one in named:
        holders = _readers_of(ground.trajectory, step, one)
        if holders:
            stale = step.superseded | {holder.handle for holder in holders}
            return with_changed(ground, replace(step, superseded=stale))
    return None


# -- approval --------------------------------------------------------------------------------------


def _approval_removed(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    if not step.attempts or step.needs == "nobody":
        return None
    return with_changed(ground, replace(step, approval="none", approved=0, approved_by=""))


def _approved_too_late(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    if not step.attempts or step.approval != "person" or not step.attempted:
        return None
    return with_changed(ground, replace(step, approved=step.attempted + chance.randint(1, 9)))


def _approved_by_the_wrong_person(
    ground: Ground, step: Step, chance: random.Random
) -> Mutant | None:
    if not step.attempts or step.approval != "person" or step.approved_by != "customer":
        return None
    return with_changed(ground, replace(step, needs=chance.choice(("clerk", "operator"))))


def _question_overtaken(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let the call that was answered by a question be made again in the same turn."""
    if step.outcome != "asked":
        return None
    done = _known(ground.donors, step.tool)
    if done is None:
        return None
    again = replace(done, args=step.args, approval="person", needs="nobody", attempts=0)
    return with_inserted(ground, step, again)


# -- twice -----------------------------------------------------------------------------------------


def _write_duplicated(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    if not step.is_call or not step.acts or step.outcome != "done" or step.trouble:
        return None
    return with_inserted(ground, step, replace(step, op=f"{step.op}+" if step.op else ""))


def _operation_done_twice(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let the next generation of an operation be done beside the one that was done."""
    if not step.op or step.outcome != "done":
        return None
    operation, _, gen = step.op.rpartition("/")
    again = replace(step, op=f"{operation}/{int(gen) + 1}", approval="person", needs="nobody")
    return with_inserted(ground, step, again, keeps_parent=True)


def _read_duplicated(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    if step.kind != "read" or step.outcome != "done" or step.trouble:
        return None
    return with_inserted(ground, step, replace(step, cache="hit"))


def _error_repeated(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let a call be refused twice before it is done."""
    if not step.is_call or step.outcome != "done":
        return None
    refused = replace(
        step,
        outcome="refused",
        error=f"{step.tool} refused: it is not there.",
        result=None,
        handle=0,
        cache="failed",
        attempts=0,
        executions=0,
        observed=None,
    )
    once = with_inserted(ground, step, refused, is_before=True)
    twice = once.trajectory.step(once.faulty)
    return with_inserted(replace(ground, trajectory=once.trajectory), twice, twice)


# -- for nothing -----------------------------------------------------------------------------------


def _read_unneeded(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    reads = [one for one in ground.donors if one.kind == "read" and one.outcome == "done"]
    return _unneeded(ground, step, chance, reads)


def _change_unneeded(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    changes = [
        one
        for one in ground.donors
        if one.is_call
        and one.acts
        and one.outcome == "done"
        and one.approval != "person"
        and any(mentions_in(one.args))
    ]
    return _unneeded(ground, step, chance, changes)


def _unneeded(
    ground: Ground, step: Step, chance: random.Random, donors: Sequence[Step]
) -> Mutant | None:
    """Put in what another thread did, about things that this one has nothing to do with."""
    turn = ground.trajectory.turn(step.turn)
    if not step.is_call or turn is None or not turn.answer:
        return None
    strange = [one for one in donors if _is_strange(ground.trajectory, one)]
    if not strange:
        return None
    given = chance.choice(strange)
    return with_inserted(ground, step, replace(given, handle=_UNUSED if given.handle else 0))


def _is_strange(trajectory: Trajectory, donor: Step) -> bool:
    """Tell whether a step is about things that a thread never had to do with."""
    about = tells_of(donor.result) if donor.kind == "read" else tells_of(dict(donor.args))
    named = about.words
    return bool(named) and not any(_occurs(trajectory, text) for text in named)


# -- the effect ------------------------------------------------------------------------------------


def _other_evidence(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    seen = sorted(step.expected.keys() & (step.observed or {}).keys())
    if not seen:
        return None
    name = chance.choice(seen)
    value = step.expected[name]
    other = value + chance.randint(1, 500) if isinstance(value, int) else f"{value}-other"
    return with_changed(ground, replace(step, observed={**(step.observed or {}), name: other}))


def _executed_twice(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    if step.executions != 1:
        return None
    return with_changed(ground, replace(step, executions=2, attempts=step.attempts + 1))


# -- chains ----------------------------------------------------------------------------------------


def _chain(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let the step be wrong from which alone a later one knows something."""
    if not step.is_call or not step.handle or step.outcome != "done":
        return None
    wrong = _out_of_position(ground, step, chance) or _argument_unknown(ground, step, chance)
    if wrong is None:
        return None
    for later in ground.trajectory.after(step):
        if not later.is_call or later.decided == step.decided:
            continue
        for one in mentions_in(later.args):
            if [holder.key for holder in _readers_of(ground.trajectory, later, one.shown)] == [
                step.key
            ]:
                return replace(wrong, tainted=later.key)
    return None


FAULTS: tuple[Fault, ...] = (
    Fault("tool out of position", Check.ALLOWED, _out_of_position),
    Fault("no such tool", Check.ALLOWED, _no_such_tool),
    Fault("argument missing", Check.VALID, _argument_missing),
    Fault("argument of the wrong type", Check.VALID, _argument_of_wrong_type),
    Fault("argument unknown", Check.VALID, _argument_unknown),
    Fault("identifier invented", Check.GROUNDED, _invented_identifier),
    Fault("price or amount invented", Check.GROUNDED, _invented_figure),
    Fault("date invented", Check.GROUNDED, _invented_date),
    Fault("stale read used", Check.FRESH, _stale_read_used),
    Fault("approval removed", Check.APPROVED, _approval_removed),
    Fault("approved after it was sent", Check.APPROVED, _approved_too_late),
    Fault("approved by the wrong person", Check.APPROVED, _approved_by_the_wrong_person),
    Fault("question not waited for", Check.APPROVED, _question_overtaken),
    Fault("write duplicated", Check.DUPLICATE, _write_duplicated),
    Fault("operation done twice", Check.DUPLICATE, _operation_done_twice),
    Fault("read duplicated", Check.DUPLICATE, _read_duplicated),
    Fault("error repeated", Check.REPEATED, _error_repeated),
    Fault("read not needed", Check.NEEDED, _read_unneeded),
    Fault("write not needed", Check.NEEDED, _change_unneeded),
    Fault("other evidence", Check.DECLARED, _other_evidence),
    Fault("executed twice", Check.DECLARED, _executed_twice),
    Fault("built on a wrong step", None, _chain),
)


# -- how it is put in ------------------------------------------------------------------------------

_UNUSED = 1_000_000
"""A handle that no thread has come to."""

_GAP = 100
"""Between the entries of a trajectory into which something is put."""


def with_changed(ground: Ground, step: Step) -> Mutant:
    """Put another step in the place of the one of its key."""
    return Mutant(ground.trajectory.with_step(step), step.key)


def with_inserted(
    ground: Ground,
    beside: Step,
    step: Step,
    *,
    is_before: bool = False,
    keeps_parent: bool = False,
) -> Mutant:
    """Put a step in, decided on its own: behind another one and what belongs to it, or before it.

    Args:
        keeps_parent: it is one more effect of the same plan.
    """
    spread = _spread(ground.trajectory)
    here = spread.step(beside.key)
    decided = here.decided + (-_GAP // 2 if is_before else _GAP // 2)
    following = next((one for one in spread.decisions if one.seq > decided), None)
    flow = here.flow if keeps_parent or following is None else following.flow
    new = replace(
        step,
        key=f"{here.key}{'<' if is_before else '>'}",
        seq=decided,
        decided=here.decided if keeps_parent else decided,
        parent=here.parent if keeps_parent else "",
        turn=here.turn,
        ordinal=here.ordinal,
        flow=flow,
        # Whether it is offered there is another fault.
        offered=here.offered | {step.tool} if here.offered is not None else None,
        said=here.said,
        shown=here.shown,
        superseded=here.superseded,
        zones=here.zones,
    )
    at = next(
        (place for place, one in enumerate(spread.steps) if one.key == here.key),
        # An answer stands behind all that was called before it.
        sum(one.decided < here.decided for one in spread.steps),
    )
    if not is_before:
        at += 1
        while at < len(spread.steps) and spread.steps[at].decided == here.decided:
            at += 1
    steps = (*spread.steps[:at], new, *spread.steps[at:])
    decision = Decision(
        seq=decided, turn=new.turn, ordinal=new.ordinal, flow=new.flow, zones=new.zones
    )
    decisions = spread.decisions
    if not keeps_parent:
        decisions = tuple(sorted((*decisions, decision), key=lambda one: one.seq))
    return Mutant(replace(spread, steps=steps, decisions=decisions), new.key)


def _spread(trajectory: Trajectory) -> Trajectory:
    """Leave room between the entries."""

    def apart(steps: Sequence[Step]) -> tuple[Step, ...]:
        return tuple(
            replace(
                one,
                seq=_GAP * one.seq,
                decided=_GAP * one.decided,
                approved=_GAP * one.approved,
                attempted=_GAP * one.attempted,
            )
            for one in steps
        )

    return replace(
        trajectory,
        turns=tuple(replace(one, seq=_GAP * one.seq) for one in trajectory.turns),
        outside=tuple(replace(one, seq=_GAP * one.seq) for one in trajectory.outside),
        decisions=tuple(replace(one, seq=_GAP * one.seq) for one in trajectory.decisions),
        steps=apart(trajectory.steps),
        answers=apart(trajectory.answers),
    )


def _exchanged(value: Any, old: str, new: Any) -> Any:
    """Put one value in the place of another, however deep it stands."""
    if isinstance(value, Mapping):
        return {name: _exchanged(item, old, new) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_exchanged(item, old, new) for item in value]
    if isinstance(value, str):
        return value.replace(old, str(new))
    return new if not isinstance(value, bool) and str(value) == old else value


def _occurs(trajectory: Trajectory, text: str) -> bool:
    """Tell whether something that was made up stands anywhere, letter by letter."""
    texts = [
        *trajectory.texts.values(),
        *(f"{turn.said} {turn.answer}" for turn in trajectory.turns),
        *(f"{step.shown} {canonical(dict(step.args))}" for step in trajectory.steps),
        *(event.text for event in trajectory.outside),
    ]
    return any(text.lower() in one.lower() for one in texts)


def _readers_of(trajectory: Trajectory, step: Step, text: str) -> list[Step]:
    """Return the reads that tell something, letter by letter; none where anything else tells it."""
    before = list(trajectory.before(step))
    elsewhere = [
        *step.said,
        step.shown,
        *(event.text for event in trajectory.outside),
        *(trajectory.texts[one.key] for one in before if not one.handle),
    ]
    if any(text.lower() in one.lower() for one in elsewhere):
        return []
    return [
        one for one in before if one.handle and text.lower() in trajectory.texts[one.key].lower()
    ]


def _known(donors: Sequence[Step], tool: str) -> Step | None:
    return next(
        (one for one in donors if one.tool == tool and one.is_call and one.outcome == "done"), None
    )
