"""Moments of a run: a fault point, what it is about, and for the how manieth time."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from daybook.state.fault_points import FaultPoint


@dataclass(frozen=True)
class Moment:
    """Name one moment of a run.

    Attributes:
        about: see `FaultPoint`.
        time: 1 for the first time.
    """

    point: FaultPoint
    about: str
    time: int

    def __str__(self) -> str:
        return f"{self.point}:{self.about}#{self.time}"

    @classmethod
    def read(cls, written: str) -> Self:
        """Read what `str` wrote."""
        where, _, time = written.rpartition("#")
        point, _, about = where.partition(":")
        return cls(FaultPoint(point), about, int(time))


class Passing:
    """Note the moments that a process passes, and kill it at one.

    Args:
        stops: suspend it there instead.

    Attributes:
        passed: in order; None stands where the person said or answered something.
    """

    def __init__(self, at: Moment | None, *, stops: bool = False) -> None:
        self._signal = signal.SIGSTOP if stops else signal.SIGKILL
        self.passed: list[Moment | None] = []
        self._at = at
        self._times: Counter[tuple[FaultPoint, str]] = Counter()

    def __call__(self, point: FaultPoint, about: str) -> None:
        """Pass one moment."""
        self._times[point, about] += 1
        moment = Moment(point, about, self._times[point, about])
        self.passed.append(moment)
        if moment == self._at:
            os.kill(os.getpid(), self._signal)


def moments_from(passed: Sequence[str | None], which: int) -> list[Moment]:
    """Return the moments from the `which`-th thing said on, from 0."""
    marks = [at for at, one in enumerate(passed) if one is None]
    return [Moment.read(one) for one in passed[marks[which] :] if one is not None]
