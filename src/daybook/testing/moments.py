"""The moments at which a process can be killed: a fault point, its subject, and the time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
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
    def parse(cls, written: str) -> Self:
        """Return the moment that `str` wrote.

        Raises:
            ValueError: it is invalid.
        """
        where, _, time = written.rpartition("#")
        point, _, about = where.partition(":")
        return cls(FaultPoint(point), about, int(time))


class Passing:
    """Record the moments that a process passes, and do something at one."""

    def __init__(self, at: Moment | None, strike: Callable[[], object]) -> None:
        self._strike = strike
        self.passed: list[Moment] = []
        self._at = at
        self._times: Counter[tuple[FaultPoint, str]] = Counter()

    def __call__(self, point: FaultPoint, about: str) -> None:
        """Pass one moment."""
        self._times[point, about] += 1
        moment = Moment(point, about, self._times[point, about])
        self.passed.append(moment)
        if moment == self._at:
            self._strike()


INSTANTS = (
    "before the claim's commit",
    "after the claim's commit",
    "before the request",
    "done by the provider, before the reply",
    "after the reply, before the record",
    "after the record, before the checkpoint",
    "during compensation",
    "elsewhere in the run",
)
"""What the moments of a run come to, in the order in which an effect meets them."""

_RECORDED = ("acknowledged", "declined", "refused", "found", "verified", "unanswered")


def instant_of(moment: Moment, compensating: frozenset[str] = frozenset()) -> str:
    """Name the instant of an effect at which a moment lies.

    Args:
        compensating: the tools that undo.
    """
    event, _, _ = moment.about.partition("/")
    if event.startswith("undo") or moment.about in compensating:
        return "during compensation"
    match moment.point:
        case FaultPoint.BEFORE_COMMIT if event == "attempted":
            return "before the claim's commit"
        case FaultPoint.AFTER_COMMIT if event == "attempted":
            return "after the claim's commit"
        case FaultPoint.BEFORE_REQUEST:
            return "before the request"
        case FaultPoint.AFTER_REPLY:
            return "after the reply, before the record"
        case FaultPoint.BEFORE_COMMIT if event in _RECORDED:
            return "after the reply, before the record"
        case FaultPoint.AFTER_COMMIT if event in _RECORDED:
            return "after the record, before the checkpoint"
        case FaultPoint.BEFORE_CHECKPOINT:
            return "after the record, before the checkpoint"
        case _:
            return "elsewhere in the run"
