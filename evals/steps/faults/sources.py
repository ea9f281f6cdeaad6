"""Arguments that come from nowhere, from what is out of date, or from a step that is wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from daybook.app.grading.steps.trajectory import Step
from daybook.tools.said.mentions import mentions_in
from evals.steps.faults.calls import argument_unknown, out_of_position
from evals.steps.faults.fault import Ground, Mutant
from evals.steps.faults.placed import with_changed
from evals.steps.faults.told import occurs, readers_of


def invented_identifier(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let an argument name something that nobody has told of."""
    return _invented(ground, step, chance, "identifier", _other_identifier)


def invented_figure(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let an argument be a price or an amount that nobody has told."""
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
        if args != step.args and not occurs(ground.trajectory, str(new)):
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


def invented_date(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
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
        None if occurs(ground.trajectory, day) else with_changed(ground, replace(step, args=args))
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


def stale_read_used(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let the reads from which alone an argument is known be out of date.

    What is read by a name from there is no fault: it is how the thing is read again.
    """
    if not step.is_call:
        return None
    stay = {"handle", "identifier"} if step.kind == "read" else {"handle"}
    named = [one.shown for one in mentions_in(step.args) if one.sort not in stay]
    chance.shuffle(named)
    for one in named:
        holders = readers_of(ground.trajectory, step, one)
        if holders:
            stale = step.superseded | {holder.handle for holder in holders}
            return with_changed(ground, replace(step, superseded=stale))
    return None


def built_on_a_wrong_step(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let the step be wrong from which alone a later one knows something."""
    if not step.is_call or not step.handle or step.outcome != "done":
        return None
    wrong = out_of_position(ground, step, chance) or argument_unknown(ground, step, chance)
    if wrong is None:
        return None
    for later in ground.trajectory.after(step):
        if not later.is_call or later.decided == step.decided:
            continue
        for one in mentions_in(later.args):
            if [holder.key for holder in readers_of(ground.trajectory, later, one.shown)] == [
                step.key
            ]:
                return replace(wrong, tainted=later.key)
    return None
