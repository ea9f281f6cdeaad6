"""An event loop whose time is virtual and whose order is given by a seed.

Time moves on only when nothing is runnable. Nothing here waits for a socket: statements are waited
for where they are sent (`evals.sim.sessions`), and all else is in memory.
"""

from __future__ import annotations

import asyncio
import heapq
import random
from asyncio import events
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from contextvars import Context, ContextVar
from typing import Any


class Owner:
    """Whose tasks and handles run together: a process of the simulated world.

    Attributes:
        ended: nothing of it runs any more, `finally` blocks included.
        suspended: what is to run of it is held until it wakes.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.ended = False
        self.suspended = False
        self.held: list[events.Handle] = []

    def __repr__(self) -> str:
        return f"<{self.name}>"


OWNER: ContextVar[Owner | None] = ContextVar("whose code runs", default=None)


class Stuck(RuntimeError):
    """Nothing can ever run any more: something waits for what nobody does."""


class Ready:
    """What is to run next: in order within one owner, and among owners as the seed has it."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._queues: dict[Owner | None, deque[events.Handle]] = {}
        self._graves: list[events.Handle] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, handle: events.Handle) -> None:
        """Queue a handle with its owner; what a dead owner was to do is kept and never run."""
        owner = _owner_of(handle)
        if owner is not None and owner.ended:
            self._graves.append(handle)
        elif owner is not None and owner.suspended:
            owner.held.append(handle)
        else:
            self._queues.setdefault(owner, deque()).append(handle)
            self._count += 1

    def take(self) -> events.Handle:
        """Take what runs next."""
        waiting = [queue for queue in self._queues.values() if queue]
        queue = waiting[self._chance.randrange(len(waiting)) if len(waiting) > 1 else 0]
        self._count -= 1
        return queue.popleft()

    def drop(self, owner: Owner) -> list[events.Handle]:
        """Take back all that an owner was to do."""
        queue = self._queues.pop(owner, deque())
        self._count -= len(queue)
        return list(queue)

    def bury(self, handles: list[events.Handle]) -> None:
        """Keep handles that never run."""
        self._graves += handles


def _owner_of(handle: events.Handle) -> Owner | None:
    context: Context = handle._context  # type: ignore[attr-defined]
    return context.get(OWNER)


class VirtualLoop(asyncio.BaseEventLoop):
    """Run everything in virtual time.

    Args:
        chance: decides which owner's handle runs next.

    Attributes:
        steps: how many handles have run.
        dial: how connections are made; None where there are none.
    """

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._now = 0.0
        self._ready: Any = Ready(chance)
        self._scheduled: list[Any] = []
        self._tasks: list[asyncio.Task[Any]] = []
        self.dial: Callable[..., Any] | None = None
        self.steps = 0

    # -- time -------------------------------------------------------------------------------------

    def time(self) -> float:
        """Return the virtual time, in seconds from the beginning."""
        return self._now

    def _timer_handle_cancelled(self, handle: Any) -> None:
        pass

    def _run_once(self) -> None:
        if not self._ready and not self._stopping:  # type: ignore[attr-defined]
            self._move_on()
        while self._scheduled and self._scheduled[0]._when <= self._now:
            timer = heapq.heappop(self._scheduled)
            timer._scheduled = False
            if not timer._cancelled:
                self._ready.append(timer)
        if self._ready:
            handle = self._ready.take()
            if not handle._cancelled:
                self.steps += 1
                handle._run()

    def _move_on(self) -> None:
        """Let time pass until the next timer."""
        while self._scheduled and self._scheduled[0]._cancelled:
            heapq.heappop(self._scheduled)._scheduled = False
        if self._scheduled:
            self._now = max(self._now, self._scheduled[0]._when)
        else:
            raise Stuck("nothing is runnable, and nothing ever will be")

    # -- owners -----------------------------------------------------------------------------------

    def end(self, owner: Owner) -> None:
        """End an owner where it stands: nothing of it runs any more."""
        owner.ended = True
        self._ready.bury([*self._ready.drop(owner), *owner.held])
        owner.held = []

    def suspend(self, owner: Owner) -> None:
        """Hold all that an owner was to do."""
        owner.suspended = True
        owner.held = self._ready.drop(owner)

    def wake(self, owner: Owner) -> None:
        """Let an owner go on."""
        owner.suspended = False
        held, owner.held = owner.held, []
        for handle in held:
            self._ready.append(handle)

    def create_task(self, coro: Any, *, name: object = None, context: Any = None) -> Any:
        """Make a task, which is kept: what is dropped may not run its `finally` by being freed."""
        task = super().create_task(coro, name=name, context=context)
        self._tasks.append(task)
        if len(self._tasks) > 4096:
            self._tasks = [one for one in self._tasks if not one.done()]
        return task

    # -- what else asyncio wants ------------------------------------------------------------------

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Any, *args: Any
    ) -> Any:
        """Call it here and now: there are no threads."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    async def create_connection(self, *args: Any, **kwargs: Any) -> Any:
        """Connect over the network that was given."""
        if self.dial is None:
            raise OSError("there is no network")
        return await self.dial(*args, **kwargs)

    async def getaddrinfo(self, host: Any, port: Any, **kwargs: Any) -> Any:
        """Resolve nothing: names are addresses."""
        return [(2, 1, 6, "", (host, port))]

    def _write_to_self(self) -> None:
        pass

    def _process_events(self, event_list: Any) -> None:
        pass


def context_of(owner: Owner | None) -> Context:
    """Make a context in which all that is begun belongs to an owner, and which knows of no other.

    A process that is started where another one is killed has nothing of what that one was at.
    """
    context = Context()
    context.run(OWNER.set, owner)
    return context


@contextmanager
def owned_by(owner: Owner | None) -> Iterator[None]:
    """Let what is begun in the block belong to an owner."""
    token = OWNER.set(owner)
    try:
        yield
    finally:
        OWNER.reset(token)
