"""What another thread did, where nobody wanted it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.words.telling import tells_of
from daybook.tools.said.mentions import mentions_in
from evals.steps.faults.fault import Ground, Mutant
from evals.steps.faults.placed import with_inserted
from evals.steps.faults.told import occurs

_UNUSED = 1_000_000
"""A handle that no thread has come to."""


def read_unneeded(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let something be read that nothing needs."""
    reads = [one for one in ground.donors if one.kind == "read" and one.outcome == "done"]
    return _unneeded(ground, step, chance, reads)


def change_unneeded(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let something be changed that nobody wanted changed."""
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
    return bool(named) and not any(occurs(trajectory, text) for text in named)
