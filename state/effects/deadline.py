"""The moment after which an attempt may send nothing more, and how that is enforced."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from daybook.state.clock import SYSTEM, Clock

Keeper: TypeAlias = Literal["sender", "kernel"]
"""Who sees to it that nothing is sent after a deadline.

The sender looks at the clock, which a suspended one does too late. The kernel ends the sender.
"""


@dataclass(frozen=True)
class Deadline:
    """The moment after which an attempt may send nothing more.

    Attributes:
        at: as the clock's `monotonic` tells it, in seconds.
        kept_by: who sees to it (see `Guarantees.deadline_kept_by`).
        sent: one for each request that a client of the house sent within it: whether it may have
            done something.
        clock: tells how much time is left.
    """

    at: float
    kept_by: Keeper = "sender"
    sent: list[bool] = field(default_factory=list, compare=False, repr=False)
    clock: Clock = field(default=SYSTEM, compare=False, repr=False)

    @property
    def seconds(self) -> float:
        """Return how much time is left, in seconds; 0 when it is over."""
        return max(self.at - self.clock.monotonic(), 0.0)
