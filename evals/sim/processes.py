"""Processes of the simulated world: each with its pool, its saver and its graph; mortal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel

from daybook import Domain, Patience, build, open_postgres
from daybook.app.operating.worker import Worker
from daybook.domain import GuardedGraph, Resources
from daybook.graph.serve import COMES_BACK, Opened
from daybook.state.clock import SYSTEM, Clock
from evals.sim.loop import OWNER, Owner, VirtualLoop, context_of, owned_by
from evals.sim.network import Network
from evals.sim.sessions import DAWN, Sessions

if TYPE_CHECKING:
    from evals.sim.trade import AtShop

_EVERY_S, _IDLE_S = 1.0, 10.0
_AGAIN_S = 1.0


_graphs: dict[str, GuardedGraph] = {}


def _graph_of(domain: Domain) -> GuardedGraph:
    """Build a graph once, as a server does: what a process runs on is asked when it runs."""

    def running() -> Resources:
        owner = OWNER.get()
        assert isinstance(owner, Process)
        assert owner.resources is not None
        return owner.resources

    if domain.name not in _graphs:
        _graphs[domain.name] = build(domain, running)
    return _graphs[domain.name]


class Gone(Exception):
    """Nobody answers: the process died, or is not open yet."""


class Skewed(Clock):
    """The clock of one process: of the loop, and wrong by some seconds."""

    def __init__(self, loop: VirtualLoop, skew: float) -> None:
        self._loop, self._skew = loop, skew

    def now(self) -> datetime:
        """Return what this process takes for the time, UTC."""
        return DAWN + timedelta(seconds=self._loop.time() + self._skew)

    def monotonic(self) -> float:
        """Return the virtual time."""
        return self._loop.time()


class Process(Owner):
    """One process."""

    def __init__(self, name: str, world: Place, skew: float = 0.0) -> None:
        super().__init__(name)
        self.clock = Skewed(world.loop, skew)
        self.world = world
        self.opened: Opened | None = None
        self.resources: Resources | None = None
        self.number = 0
        # In order, as a set of futures is not.
        self._asked: dict[asyncio.Future[Any], None] = {}

    @property
    def known_as(self) -> str:
        """Return the name by which the database knows it; "" where it is not open."""
        return self.resources.postgres.process if self.resources is not None else ""

    def start(self) -> None:
        """Begin to open what it runs on."""
        self.begin(self._live())

    def begin(self, doing: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Begin something as this process."""
        with owned_by(self):
            task: asyncio.Task[Any] = self.world.loop.create_task(doing)
        task.add_done_callback(self.world.ended)
        return task

    async def _live(self) -> None:
        while True:
            try:
                async with AsyncExitStack() as stack:
                    self.opened = await self._open(stack)
                    await self.work(self.opened)
            except COMES_BACK:
                self.opened = None
            await SYSTEM.sleep(_AGAIN_S)

    async def _open(self, stack: AsyncExitStack) -> Opened:
        place = self.world
        postgres = await stack.enter_async_context(
            open_postgres(
                place.url,
                tenant_id="default",
                stored_types=place.trade.domain.restored_types,
                clock=self.clock,
            )
        )
        domain, reached = place.trade.domain, await place.trade.reach(self.clock, postgres)
        stack.push_async_callback(reached["services"].close)
        about = {"user": domain.user, "patience": place.patience, **reached}
        resources = Resources(postgres=postgres, model=place.model, **about)
        self.resources = resources
        graph: GuardedGraph = _graph_of(domain).copy({"checkpointer": postgres.saver})
        return Opened(graph, domain, resources)

    async def work(self, opened: Opened) -> None:
        """Do what it does by itself: nothing; it serves."""
        await asyncio.Event().wait()

    async def ask(self, what: Callable[[GuardedGraph], Awaitable[Any]]) -> Any:
        """Let this process run something, and wait for its answer, as somebody outside.

        Raises:
            Gone: it died meanwhile, or is not open.
        """
        if self.ended or self.opened is None:
            raise Gone
        answer: asyncio.Future[Any] = self.world.loop.create_future()
        self._asked[answer] = None
        outside = OWNER.get()

        async def run() -> None:
            assert self.opened is not None
            try:
                result = await what(self.opened.graph)
            except Exception as error:
                tell(answer.set_exception, error)
            else:
                tell(answer.set_result, result)

        def tell(act: Any, it: Any) -> None:
            def told() -> None:
                if not answer.done():
                    act(it)

            self.world.loop.call_soon(told, context=context_of(outside))

        self.begin(run())
        try:
            return await answer
        finally:
            del self._asked[answer]

    def kill(self) -> None:
        """End it where it stands; its connections break, and nothing of it runs any more."""
        loop, place = self.world.loop, self.world
        loop.end(self)
        place.network.drop(self)
        place.sessions.cut(self)
        place.sessions.look_again()
        for answer in list(self._asked):
            if not answer.done():
                answer.set_exception(Gone())


@dataclass(frozen=True)
class Place:
    """What all processes of a life share: loop, network, database, model, and what is traded."""

    loop: VirtualLoop
    network: Network
    sessions: Sessions
    url: str
    model: BaseChatModel
    patience: Patience
    trade: AtShop

    def ended(self, task: asyncio.Task[Any]) -> None:
        """Take how a process's task ended: the thread tells what it left undone."""
        if not task.cancelled():
            task.exception()


class Sweeper(Process):
    """A worker: it looks for what stands still, and finishes it."""

    async def work(self, opened: Opened) -> None:
        """Look again and again."""
        chore, idle = self.world.trade.chore(), timedelta(seconds=_IDLE_S)
        worker = Worker(opened, lambda line: None, _EVERY_S, idle, {}, chore)
        if chore is None:
            await self._finish(worker, opened, idle)
            return
        both = [
            asyncio.create_task(worker.do_chores()),
            asyncio.create_task(self._finish(worker, opened, idle)),
        ]
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                one.result()
        finally:
            for one in both:
                one.cancel()

    async def _finish(self, worker: Worker, opened: Opened, idle: timedelta) -> None:
        postgres, resources = opened.resources.postgres, opened.resources
        busy: dict[str, asyncio.Task[None]] = {}
        while True:
            name = opened.domain.name
            async with postgres.stalled.claimed(name, idle, resources.world) as (found, _):
                pass
            for one in found:
                if not one.is_given_up and one.thread_id not in busy:
                    task = asyncio.create_task(worker.finish(one.thread_id, one.why))
                    busy[one.thread_id] = task
                    task.add_done_callback(partial(_forget, busy, one.thread_id))
            await SYSTEM.sleep(_EVERY_S)


def _forget(busy: dict[str, asyncio.Task[None]], thread: str, _: object) -> None:
    busy.pop(thread, None)
