"""How far the calls of a thread are those of a reference: precision, recall and F1, not one yes.

Two measures. Without order: the most calls that can be paired off, each with one of the reference
(a maximum matching of a bipartite graph, by augmenting paths). In order: the longest sequence of
pairs that stands in both in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.state.effects.keys import normalise

Wanted = TypeVar("Wanted")
Found = TypeVar("Found")
Fits: TypeAlias = Callable[[Wanted, Found], bool]


@dataclass(frozen=True)
class Expected:
    """Name a call of a reference; arguments that it does not name may be anything."""

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Overlap:
    """Count how many calls fit.

    Attributes:
        matched: pairs of a call that was wanted and one that was made.
        wanted: calls of the reference.
        found: calls that were made.
    """

    matched: int
    wanted: int
    found: int

    @property
    def precision(self) -> float:
        """Return the share of what was made that was wanted; 1 where nothing was made."""
        return self.matched / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Return the share of what was wanted that was made; 1 where nothing was wanted."""
        return self.matched / self.wanted if self.wanted else 1.0

    @property
    def f1(self) -> float:
        """Return the harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def __add__(self, other: Overlap) -> Overlap:
        return Overlap(
            self.matched + other.matched, self.wanted + other.wanted, self.found + other.found
        )


@dataclass(frozen=True)
class Agreement:
    """How far a thread agrees with its reference, without and with regard to order."""

    paired: Overlap
    ordered: Overlap


def agreement(trajectory: Trajectory, reference: Sequence[Expected]) -> Agreement:
    """Compare the calls of a thread with those of a reference."""
    calls = [step for step in trajectory.steps if step.is_call]
    sizes = {"wanted": len(reference), "found": len(calls)}
    return Agreement(
        paired=Overlap(most_pairs(reference, calls, fits), **sizes),
        ordered=Overlap(longest_run(reference, calls, fits), **sizes),
    )


def fits(wanted: Expected, found: Step) -> bool:
    """Tell whether a call is the one that was wanted."""
    given = normalise(found.args)
    return wanted.tool == found.tool and all(
        name in given and given[name] == value for name, value in normalise(wanted.args).items()
    )


def most_pairs(wanted: Sequence[Wanted], found: Sequence[Found], fit: Fits[Wanted, Found]) -> int:
    """Return how many pairs there can be at most, each of one of either side (Kuhn's algorithm)."""
    partner: dict[int, int] = {}

    def pairs_off(mine: int, tried: set[int]) -> bool:
        for at, other in enumerate(found):
            if at in tried or not fit(wanted[mine], other):
                continue
            tried.add(at)
            if at not in partner or pairs_off(partner[at], tried):
                partner[at] = mine
                return True
        return False

    return sum(pairs_off(mine, set()) for mine in range(len(wanted)))


def longest_run(wanted: Sequence[Wanted], found: Sequence[Found], fit: Fits[Wanted, Found]) -> int:
    """Return the length of the longest sequence of pairs that is in order on both sides."""
    above = [0] * (len(found) + 1)
    for one in wanted:
        row = [0]
        for at, other in enumerate(found):
            row.append(above[at] + 1 if fit(one, other) else max(above[at + 1], row[at]))
        above = row
    return above[-1]
