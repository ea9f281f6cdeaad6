"""What the other side guarantees, and how patient we are. The classes of tool of PROTOCOL.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta


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
        late_sender: "accepted" when a sender that was suspended past its deadline could still
            send late and the tool says that this is accepted; "harmless" when a key covers it.

    """

    honours_key: bool = False
    stores_failures: bool = False
    retention: timedelta = field(default_factory=timedelta)
    settle: timedelta | None = None
    provable: bool = False
    late_sender: str = "accepted"


NO_GUARANTEES = Guarantees()


@dataclass(frozen=True)
class Patience:
    """Say how long and how often the executor tries.

    Attributes:
        budget: how long one attempt may take from claim to answer.
        attempts: how often a step is sent before it is failed (all refused) or parked (unknown).
        backoff: pause after the first refusal; doubles with each one.
        backoff_limit: longest pause.
        unknown_settle: waited in place of D where D is unknown.

    """

    budget: timedelta = timedelta(seconds=5)
    attempts: int = 5
    backoff: timedelta = timedelta(seconds=0.2)
    backoff_limit: timedelta = timedelta(seconds=5)
    unknown_settle: timedelta = timedelta(seconds=60)

    def pause(self, failures: int) -> timedelta:
        """Return the pause after so many failures in a row (1 or more)."""
        doubled: int = 1 << min(max(failures - 1, 0), 30)
        return min(self.backoff * doubled, self.backoff_limit)

    def settle_after(self, guarantees: Guarantees) -> timedelta:
        """Return D for a service, or the pause used where D is unknown."""
        return guarantees.settle if guarantees.settle is not None else self.unknown_settle
