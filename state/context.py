"""What a tool is given: typed contexts, and the protocols of what it may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from state.deadline import Deadline
from state.plan import Plan
from state.session import Session

S = TypeVar("S")


class KnownOperation(Protocol):
    """A business operation that some ledger holds."""

    @property
    def plan(self) -> Plan:
        """Return the plan of its newest generation."""

    @property
    def op(self) -> str:
        """Return its name."""

    @property
    def gen(self) -> int:
        """Return its newest generation."""


class LedgerReader(Protocol):
    """What a plan may ask of the ledger."""

    async def operation(self, op: str) -> KnownOperation | None:
        """Return the newest generation of an operation."""


@dataclass(frozen=True)
class ReadContext(Generic[S]):
    """Given to reads and to changes of state.

    Attributes:
        state: the thread's state, to read.
        services: the domain's clients.
    """

    session: Session
    state: Mapping[str, Any]
    services: S


@dataclass(frozen=True)
class PlanContext(Generic[S]):
    """Given to plans, and to whatever observes preconditions."""

    session: Session
    state: Mapping[str, Any]
    services: S
    ledger: LedgerReader
    turn_id: str


@dataclass(frozen=True)
class EffectContext(Generic[S]):
    """Given to effects and probes. There is no state in it: they act on the ledger alone.

    Attributes:
        key: idempotency key, which is also the reference that a probe looks up.
        forward: the key of the step that an undo undoes; the key itself otherwise.
        deadline: when the call must be over; the clients of HTTP and mail take it as it is.
    """

    session: Session
    services: S
    key: str
    forward: str
    deadline: Deadline
