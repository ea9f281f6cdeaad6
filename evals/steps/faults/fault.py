"""What a fault is, and how it is put into one place of a trajectory.

A fault says which step must be found, and by which check. Nothing else of the trajectory is
changed, but for what goes with it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check


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
