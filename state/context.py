"""The typed contexts of tools, and the protocols of what they may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from daybook.state.clock import SYSTEM, Clock
from daybook.state.effects.deadline import Deadline
from daybook.state.ledger.plan import Operation
from daybook.state.session import Session

S = TypeVar("S")
A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True)
class Recalled:
    """A read of this thread that is opened again.

    Attributes:
        is_superseded: a write made it stale since.
    """

    handle: int
    tool: str
    result: Any
    is_superseded: bool


@dataclass(frozen=True)
class Rows:
    """What a query over the person's past came to.

    Attributes:
        is_truncated: there was more than may be told.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    is_truncated: bool


class Past(Protocol):
    """What a tool may ask of what was read and done for the thread's user."""

    async def read(self, handle: int) -> Recalled:
        """Open a read of this thread again.

        Raises:
            ToolRefused: there is no such handle.
        """

    async def query(self, sql: str) -> Rows:
        """Ask the person's own past in SQL.

        Raises:
            ToolRefused: the query cannot be run; the message says why.
        """


class Scope(Protocol):
    """A sub-agent's own model call: what it reads never enters the main prompt."""

    async def ask(
        self,
        system: str,
        text: str,
        answer: type[A],
        accepted: Callable[[A], A] = lambda given: given,
    ) -> tuple[A, int]:
        """Ask the model in a scope of its own; returns the typed answer and the tokens it took.

        A model whose answer cannot be used is told why and asked once more.

        Args:
            accepted: returns an answer as it is taken; raises ToolRefused where it cannot be.

        Raises:
            ToolRefused: the model gave no such answer, and why.
        """


class LedgerReader(Protocol):
    """What a plan may ask of the ledger."""

    async def operation(self, op: str) -> Operation | None:
        """Return the newest generation of an operation."""


@dataclass(frozen=True)
class ReadContext(Generic[S]):
    """The context of reads and of changes of state.

    Attributes:
        state: the thread's state, to read.
        services: the domain's clients.
        past: what was read and done for the thread's user.
        scope: a model call of a sub-agent.
        clock: tells the time.
    """

    session: Session
    state: Mapping[str, Any]
    services: S
    past: Past
    scope: Scope
    clock: Clock = SYSTEM


@dataclass(frozen=True)
class PlanContext(Generic[S]):
    """The context of plans, and of functions that observe preconditions."""

    session: Session
    state: Mapping[str, Any]
    services: S
    ledger: LedgerReader
    turn_id: str


@dataclass(frozen=True)
class EffectContext(Generic[S]):
    """The context of effects and probes. It has no state, since they depend only on the ledger.

    Attributes:
        key: idempotency key, which is also the reference that a probe looks up.
        forward: in an undo, the key of the step that it undoes; otherwise the key itself.
        deadline: when the call must end; the HTTP and mail clients take it.
    """

    session: Session
    services: S
    key: str
    forward: str
    deadline: Deadline
