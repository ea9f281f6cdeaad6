"""What the people of a life buy from, and how: all that differs from domain to domain."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp

from daybook.checkpoints.postgres import Postgres
from daybook.demo.shop.settings import Settings
from daybook.graph.serve import Chore
from daybook.state.clock import Clock
from daybook.state.effects.guarantees import Guarantees
from daybook.tools.domain import Domain
from evals.sim.ground.loop import VirtualLoop
from evals.sim.ground.network import Network
from evals.sim.judged.invariants import Judge
from evals.sim.judged.witness import Witness
from evals.sim.lives.model import Calls
from evals.sim.lives.shop import Shop


@dataclass(frozen=True)
class Reached:
    """What a process of a life runs on, beside its database.

    Attributes:
        services: what its tools are given; they can be closed.
        promises: of the other side.
        world: which one that is, where it says so.
    """

    services: Any
    promises: Mapping[str, Guarantees]
    world: str | None = None


class Trade(ABC):
    """One for each life.

    Attributes:
        domain: what is served.
    """

    domain: Domain

    @abstractmethod
    def settings(self) -> Settings:
        """Return how the shop treats keys."""

    @abstractmethod
    async def reach(self, clock: Clock, postgres: Postgres) -> Reached:
        """Connect a process to what it needs.

        Raises:
            ServiceUnavailable: the other side cannot be reached.
        """

    @abstractmethod
    def judge(self, url: str, shop: Shop, witness: Witness) -> Judge:
        """Make who asks the invariants."""

    @abstractmethod
    def adding(self, number: int) -> Calls:
        """Say what puts something into a cart."""

    @abstractmethod
    def buying(self, number: int, kinds: int) -> Sequence[Calls]:
        """Say what buys so many things: what a person says, one after the other."""

    @abstractmethod
    def cancelling(self, judge: Judge, person: str) -> Calls:
        """Say what takes back what was done; nothing where nothing was."""

    @property
    @abstractmethod
    def looking(self) -> Calls:
        """Say what looks at what was done."""

    def chore(self) -> Chore | None:
        """Return what a worker does beside finishing threads."""
        return None

    def before(self, app: ASGIApp) -> ASGIApp:
        """Put something before the shop's application."""
        return app

    @abstractmethod
    def begin(
        self, loop: VirtualLoop, network: Network, shop: Shop, serving: Callable[[], Sequence[Any]]
    ) -> None:
        """Let live what there is beside shop, people and processes.

        Args:
            serving: returns the processes that serve at present.
        """
