"""The context of a node: bound once to a graph, and for each run to a thread and a user."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from langchain_core.language_models import BaseChatModel
from langgraph.config import get_stream_writer
from langgraph.func import task
from langgraph.types import StreamWriter

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.people.rules import ToolRules
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.reads import Reads
from daybook.nodes.effects.engine import Engine, Receipt
from daybook.nodes.running.identity import NOBODY
from daybook.state.clock import Clock
from daybook.state.effects.guarantees import Guarantees, Patience
from daybook.state.ledger.plan import Plan
from daybook.state.people.policy import Policy
from daybook.state.prompt.epoch import READ
from daybook.state.session import Session
from daybook.state.turns import Turns
from daybook.tools.domain import Domain


@dataclass(frozen=True)
class Caching:
    """Say how a provider keeps the beginning of a prompt.

    Attributes:
        lifetime: seconds for which it is kept after a call.
        waiting: the same, where a person may be waited for next.
        options: makes what the model is told of it: thread, seconds to be kept.
        read: what a kept token costs of a plain one; where it is free (a server of one's own),
            nothing is dropped to save it.
    """

    lifetime: float = 1_800
    waiting: float = 1_800
    options: Callable[[str, float], dict[str, Any]] = lambda thread_id, lifetime: {}
    read: float = READ


@dataclass(frozen=True)
class Resources:
    """The connections of a graph, opened and closed around it.

    Attributes:
        services: clients and anything else that the domain's tools need.
        promises: the guarantees that the provider reports at run time, by service name.
        world: an id that the services report; threads that use services with another id are
            refused. None if they report none.
        user: the default user.
        policy: rules of this deployment, which come before the domain's own.
        node_seconds: how long a node waits in total (for a certain absence, or a pause) before it
            parks the plan.
        decisions: the maximum number of model decisions in one turn.
        budget: the maximum number of tokens in a prompt, as estimated.
        caching: how the model's provider caches prompts.
        ended: threads whose turn has just ended, or stops at a question; their checkpoints are
            pruned after the run.
        refused: thread to why an event was invalid; raised when the run is over, because raising
            in the node would leave the event in the checkpoint and fail every later run.
        fresh: thread to its plan as it was just read or committed, and when (UTC), so that the run
            need not read it again.
        turns: decides which run works next, where a server limits how many do.
    """

    postgres: Postgres
    model: BaseChatModel
    services: Any = None
    promises: Mapping[str, Guarantees] = field(default_factory=dict)
    world: str | None = None
    user: str = NOBODY
    patience: Patience = field(default_factory=Patience)
    policy: Policy = field(default_factory=Policy)
    node_seconds: float = 10
    decisions: int = 25
    budget: int = 8_000
    caching: Caching = field(default_factory=Caching)
    ended: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    fresh: dict[str, tuple[Plan, datetime]] = field(default_factory=dict)
    turns: Turns = field(default_factory=Turns)

    @property
    def clock(self) -> Clock:
        """Return the clock of this process, which its database was opened with."""
        return self.postgres.clock


@dataclass(frozen=True)
class Work:
    """What one node works with in one run.

    Attributes:
        writer: of the `custom` stream that clients read, where it is not that of the node's graph.
    """

    domain: Domain
    resources: Resources
    session: Session
    writer: StreamWriter | None = None

    @property
    def ledger(self) -> Ledger:
        """Return the ledger."""
        return self.resources.postgres.ledger

    @property
    def reads(self) -> Reads:
        """Return the reads."""
        return self.resources.postgres.reads

    @property
    def rules(self) -> ToolRules:
        """Return the rules of tools."""
        return self.resources.postgres.rules

    @property
    def clock(self) -> Clock:
        """Return the clock."""
        return self.resources.clock

    @property
    def policy(self) -> Policy:
        """Return who must approve what: this deployment's rules, then the domain's."""
        return self.resources.policy.before(self.domain.policy)

    @property
    def guarantees(self) -> dict[str, Guarantees]:
        """Return what is guaranteed of each effect, by tool name."""
        return self.domain.registry.guarantees(self.resources.promises)

    @property
    def seconds(self) -> float:
        """Return how long one call to code of the domain may take, in seconds."""
        return self.resources.patience.budget.total_seconds()

    @cached_property
    def engine(self) -> Engine:
        """Return what carries effects out."""
        return Engine(
            ledger=self.ledger,
            session=self.session,
            registry=self.domain.registry,
            guarantees=self.guarantees,
            policy=self.policy,
            patience=self.resources.patience,
            clock=self.clock,
            domain=self.domain.name,
            world=self.resources.world or "",
            services=self.resources.services,
            emit=self.emit,
            in_task=in_langgraph_task,
            fresh=self.resources.fresh,
        )

    async def plan(self, plan_id: str) -> tuple[Plan, datetime]:
        """Read a plan that the ledger must hold, and the database's clock."""
        at = await self.engine.read(plan_id)
        return at.plan, at.now

    def tell(self, line: str, at: str = "") -> None:
        """Emit a line of progress on the `custom` stream; `at` says at which step of how many."""
        self.emit({"progress": line, **({"at": at} if at else {})})

    def emit(self, event: Mapping[str, Any]) -> None:
        """Emit an event on the `custom` stream."""
        (self.writer or get_stream_writer())(dict(event))


async def in_langgraph_task(name: str, step_id: str, act: Callable[[], Awaitable[Receipt]]) -> None:
    """Act inside a task of LangGraph, whose receipt is checkpointed.

    What a task is given is shown to whoever streams tasks or debugs: the step's name, and nothing
    of what it works with.
    """

    async def acting(step: str) -> Receipt:
        return await act()

    acting.__name__ = name
    await task(acting)(step_id)
