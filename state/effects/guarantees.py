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
    """Declare what a service guarantees for one kind of effect.

    The default is the worst class: no keys, no look-up, no known max lag.

    Attributes:
        honours_key: the service acts once per idempotency key.
        stores_failures: errors are stored under the key, so a decline is final.
        retention: the idempotency window: how long keys are remembered.
        settle: the max lag of an effect after its caller gave up, including what the
            network may still carry and how late the look-up may be; None when unknown.
        provable: a probe can look the effect up by reference.
        late_sender: what happens to a sender that is suspended past its deadline and wakes up,
            where no key covers it. "killed": it cannot send any more, because it is a process
            which the kernel kills at the deadline; holds for what is sent by the clients in
            `daybook.tools.services.http` and `daybook.tools.services.mail`. "accepted": it may send
            late, and so may repeat the effect. "harmless": it may, and doing it
            twice has the same result as once.
        keys_hoped: keys are probably honoured, but not guaranteed: two effects under one key
            are reported, and the tool is not switched off. For effects that expire soon.

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
        """Choose how an attempt is kept from sending after its deadline.

        A child process costs some 50 ms, so it is used only where sending late would do harm.

        Args:
            first: when the first attempt under the key was claimed, UTC.
            until: when every possible effect of this attempt has happened, UTC.
        """
        if self.late_sender in ("accepted", "harmless") or self.remembers(first, until):
            return "sender"
        return "kernel"


NO_GUARANTEES = Guarantees()


_LONGEST_PAUSE = timedelta(minutes=5)


@dataclass(frozen=True)
class Patience:
    """Set how long and how often the executor tries.

    Attributes:
        budget: the time limit of one attempt, from claim to answer.
        attempts: attempts of a step before it fails (all refused) or is parked (unknown).
        backoff: pause after the first refusal; doubles with each one.
        backoff_limit: the longest pause for a brief outage; after more than twice `attempts`
            failures, pauses grow to five minutes.
        unknown_settle: the wait where the max lag is unknown.
        unproved: how much longer to wait before a reviewer is asked about a step that is sent
            again under its key, or whose service cannot be reached for a lookup. If the look-up
            function itself fails, a reviewer is asked after `attempts` lookups.
        in_hand: how much longer to wait before a reviewer is asked about a step that the provider
            has accepted and not done yet.
        question: how long an approval request waits before it expires.
        approval: how long after the approval a step before the pivot may start; then the plan is
            rolled back.

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

        After a brief outage the pauses grow, because each attempt adds a ledger entry.
        """
        doubled: int = 1 << min(max(failures - 1, 0), 30)
        many: int = 1 << min(max(failures - 2 * self.attempts, 0), 30)
        longest = max(self.backoff_limit, _LONGEST_PAUSE)
        return min(min(self.backoff * doubled, self.backoff_limit) * many, longest)

    def settle_after(self, guarantees: Guarantees) -> timedelta:
        """Return the max lag of a service, or `unknown_settle` if it is unknown."""
        return guarantees.settle if guarantees.settle is not None else self.unknown_settle
