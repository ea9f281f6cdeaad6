"""What a provider guarantees, and how often and how long its tools are tried."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from daybook.state.effects.deadline import Keeper

LateSender: TypeAlias = Literal["killed", "accepted", "harmless"]
"""What becomes of a sender that is suspended past its deadline and wakes up."""


@dataclass(frozen=True)
class Guarantees:
    """Say what a service promises about one kind of effect.

    The default is the worst class: no key, no probe, no known bound.

    Attributes:
        honours_key: the same idempotency key performs once.
        stores_failures: a refusal is remembered under the key, so a decline is final.
        retention: how long keys are remembered.
        settle: D, the longest time an effect may lag after its caller gave up, with what the
            network may still carry and how late the look-up may be; None when unknown.
        provable: a probe can look the effect up by reference.
        late_sender: what becomes of a sender that is suspended past its deadline and wakes up,
            where no key covers it. "killed": it cannot send any more, because it is a process
            which the kernel kills at the deadline; holds for what is sent by the clients in
            `daybook.tools.services.http` and `daybook.tools.services.mail`. "accepted": it may send
            late, and so may do twice what was done meanwhile. "harmless": it may, and doing it
            twice comes to doing it once.
        keys_hoped: that keys are honoured is hoped for, and nobody's word: two effects under one
            key are told, and the tool is not switched off. For what holds nothing for long.

    Example:
        >>> keyed = Guarantees(honours_key=True, retention=timedelta(hours=24))
        >>> sent = datetime(2031, 5, 6, 12)
        >>> keyed.remembers(sent, sent + timedelta(hours=23))
        True
        >>> NO_GUARANTEES.remembers(sent, sent)
        False
    """

    honours_key: bool = False
    stores_failures: bool = False
    retention: timedelta = field(default_factory=timedelta)
    settle: timedelta | None = None
    provable: bool = False
    late_sender: LateSender = "killed"
    keys_hoped: bool = False

    def remembers(self, first: datetime, until: datetime) -> bool:
        """Tell whether a key that was first sent at `first` counts at `until` (both UTC)."""
        return self.honours_key and until < first + self.retention

    def deadline_kept_by(self, first: datetime, until: datetime) -> Keeper:
        """Choose who sees to it that an attempt sends nothing after its deadline.

        A child process costs some 50 ms, so it is used only where sending late would do harm.

        Args:
            first: when the first attempt under the key was claimed, UTC.
            until: when all that this attempt may cause has happened, UTC.
        """
        if self.late_sender in ("accepted", "harmless") or self.remembers(first, until):
            return "sender"
        return "kernel"


NO_GUARANTEES = Guarantees()


_LONGEST_PAUSE = timedelta(minutes=5)


@dataclass(frozen=True)
class Patience:
    """Say how long and how often the executor tries.

    Attributes:
        budget: how long one attempt may take from claim to answer.
        attempts: how often a step is sent before it is failed (all refused) or parked (unknown).
        backoff: pause after the first refusal; doubles with each one.
        backoff_limit: longest pause while it may be a hiccup; beyond twice as many failures as
            `attempts` pauses grow to five minutes.
        unknown_settle: waited in place of D where D is unknown.
        unproved: how long after that nobody is asked about a step that is sent again under its
            key, or cannot be looked up since the service is away. One whose look-up fails by a
            fault of its own is put to a person after `attempts` looks.
        in_hand: how long after that nobody is asked about a step that the other side says it has
            accepted and not done yet.
        question: how long a question for approval waits before it expires.
        approval: how long a step before the pivot may be begun after the approval; then what was
            done is undone, for nobody goes on with it.

    """

    budget: timedelta = timedelta(seconds=5)
    attempts: int = 5
    backoff: timedelta = timedelta(seconds=0.2)
    backoff_limit: timedelta = timedelta(seconds=5)
    unknown_settle: timedelta = timedelta(seconds=60)
    unproved: timedelta = timedelta(hours=1)
    in_hand: timedelta = timedelta(hours=24)
    question: timedelta = timedelta(hours=1)
    approval: timedelta = timedelta(minutes=15)

    def pause(self, failures: int) -> timedelta:
        """Return the pause after so many failures in a row (1 or more).

        Whoever fails for much longer than a hiccup is asked less and less often: each time is
        written down.
        """
        doubled: int = 1 << min(max(failures - 1, 0), 30)
        many: int = 1 << min(max(failures - 2 * self.attempts, 0), 30)
        longest = max(self.backoff_limit, _LONGEST_PAUSE)
        return min(min(self.backoff * doubled, self.backoff_limit) * many, longest)

    def settle_after(self, guarantees: Guarantees) -> timedelta:
        """Return D for a service, or the pause used where D is unknown."""
        return guarantees.settle if guarantees.settle is not None else self.unknown_settle
