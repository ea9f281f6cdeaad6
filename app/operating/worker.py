"""Finish what no process is finishing: dead runs, due work, interrupted turns.

Through the same graph as everybody, and so by the same ledger: a worker knows no way of its own to
do anything. Any number of workers may run, on any number of machines.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from langchain_core.runnables import RunnableConfig
from psycopg import Error, OperationalError

from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.ledger.heads import keep_signing, target_of
from daybook.app.notifications.routes import routes_in
from daybook.app.notifications.sender import sending
from daybook.checkpoints.people.erasure import retain
from daybook.checkpoints.reach import unavailable
from daybook.checkpoints.runs.overdue import Stalled
from daybook.checkpoints.runs.runners import MOST_TRIES
from daybook.graph.ledger.deployment import ServedLedger
from daybook.graph.resume import TAKES_UP, Left, left_in
from daybook.graph.serve import COMES_BACK, Chore, Opened
from daybook.graph.settings.environment import Settings
from daybook.nodes.running.identity import WORKER, session_of
from daybook.state.clock import SYSTEM
from daybook.state.errors import ConfigurationError, DaybookError, TakenOver, ThreadBusy
from daybook.state.extras import from_extra
from daybook.state.people.lifecycle import Part

if TYPE_CHECKING:
    from daybook.checkpoints.runs.jobs import Jobs

_LOG = logging.getLogger(__name__)

_PAUSE_S = 1.0

_CHORE_S = 5.0
"""Seconds between two rounds of the domain's own jobs."""

_RETAIN_S = 3600.0
"""Seconds between two checks for conversations past their retention."""

_WHY = {
    "died": "its runner died",
    "silent": "its runner lease expired",
    "cut off": "its turn was interrupted",
}


async def work(
    settings: Settings, terminal: Terminal, *, concurrency: int, every: float, idle: float
) -> None:
    """Look for what stands still and finish it, until SIGINT or SIGTERM.

    What is in progress then is ended first; a second signal ends the process at once, which harms
    nothing.
    """
    _hush_procrastinate()
    served = served_by(settings, takes_ledgers=True)
    routes = routes_in(settings.policy)
    if settings.heads_to and settings.heads_key:
        target_of(settings.heads_to, settings.heads_key)
    terminal.note(f"worker {WORKER} of {served.domain.name}; Ctrl-C stops it")
    with _stopped_by_signals(terminal) as stopping:
        while not stopping.is_set():
            try:
                async with AsyncExitStack() as stack:
                    opened = await stack.enter_async_context(served.open())
                    terminal.note(
                        f"{_clock()} works on {concurrency} threads at a time, "
                        f"sessions {opened.resources.postgres.process}"
                    )
                    postgres, name = opened.resources.postgres, opened.domain.name
                    await stack.enter_async_context(
                        sending(
                            postgres, name, routes, lambda said: terminal.note(f"{_clock()} {said}")
                        )
                    )
                    await stack.enter_async_context(_signing(settings, opened, terminal))
                    if isinstance(served, ServedLedger):
                        await _sweep(served, terminal, every, timedelta(seconds=idle), stopping)
                        continue
                    worker = Worker(
                        opened,
                        terminal.note,
                        every,
                        timedelta(seconds=idle),
                        settings.keep,
                        served.chore,
                    )
                    await worker.work(concurrency, stopping)
            except COMES_BACK as error:
                known = unavailable(error) if isinstance(error, OperationalError) else error
                terminal.warn(f"{_clock()} {known} Trying again.")
                await _pause(stopping)
    terminal.note("stopped")


async def _sweep(
    served: ServedLedger, terminal: Terminal, every: float, idle: timedelta, stopping: asyncio.Event
) -> None:
    """Recover the threads of a graph with a ledger of its own, until it is to stop."""
    while not stopping.is_set():
        for thread_id, left in (await served.sweep(idle)).items():
            terminal.note(f"{_clock()} thread {thread_id}: {left}")
        await _pause(stopping, every)


@asynccontextmanager
async def _signing(settings: Settings, opened: Opened, terminal: Terminal) -> AsyncIterator[None]:
    """Let the heads of the chains be signed meanwhile, where the settings say so."""
    if settings.heads_to is None or settings.heads_key is None:
        yield
        return

    def say(line: str) -> None:
        terminal.note(f"{_clock()} {line}")

    about = opened.resources.postgres, settings.heads_key, settings.heads_to, settings.heads_every
    task = asyncio.create_task(keep_signing(*about, say))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


class Worker:
    """Look for threads that stand still, and finish those that it is given.

    Args:
        say: told a line of each thread that was looked at.
        every: seconds between two looks.
        idle: how long a turn that was cut off is left to its user.
        keep: how long each part of an idle conversation is kept.
        chore: what the domain wants done beside that.
    """

    def __init__(
        self,
        opened: Opened,
        say: Callable[[str], None],
        every: float,
        idle: timedelta,
        keep: Mapping[Part, timedelta],
        chore: Chore | None = None,
    ) -> None:
        self._graph = opened.graph
        self._domain = opened.domain.name
        self._world = opened.resources.world
        self._resources = opened.resources
        self._postgres = opened.resources.postgres
        self._chore = chore
        self._tell = say
        self._every = every
        self._idle = idle
        self._keep = keep

    async def work(self, concurrency: int, stopping: asyncio.Event) -> None:
        """Work until it is to stop.

        Raises:
            DatabaseUnavailable: the database went away.
            NotInstalled: the extra `worker` is not installed.
        """
        with from_extra():
            from daybook.checkpoints.runs.jobs import open_jobs
        async with open_jobs(self._postgres, self._domain, self._world, self.finish) as jobs:
            tasks = [
                asyncio.create_task(jobs.work(concurrency)),
                asyncio.create_task(self._look(jobs)),
                asyncio.create_task(self._close()),
                *([asyncio.create_task(self.do_chores())] if self._chore is not None else []),
                asyncio.create_task(stopping.wait()),
            ]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                failed = [task for task in tasks if task.done()]
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            for task in failed:
                await task

    async def _look(self, jobs: Jobs) -> None:
        """Look again and again for what stands still, and let it be finished."""
        while True:
            await jobs.drop_left_behind()
            about = self._domain, self._idle, self._world, jobs.queue
            async with self._postgres.stalled.claimed(*about) as (found, conn):
                await jobs.give([one for one in found if not one.is_given_up], conn)
            for one in found:
                if one.is_given_up:
                    self._give_up(one)
            await self._postgres.clock.sleep(self._every)

    async def _close(self) -> None:
        """Close again and again the idle conversations whose time is over."""
        while True:
            try:
                closed = await retain(self._postgres, self._keep)
            except ConfigurationError as error:
                self._tell(f"{_clock()} {error} Idle conversations are closed by another worker.")
                await asyncio.Event().wait()
            if closed:
                self._tell(f"{_clock()} closed {len(closed)} conversations after their retention")
            await self._postgres.clock.sleep(_RETAIN_S)

    async def do_chores(self) -> None:
        """Do again and again what the domain wants done beside finishing threads."""
        assert self._chore is not None
        while True:
            try:
                for line in await self._chore(self._resources):
                    self._tell(f"{_clock()} {line}")
            except DaybookError as error:
                self._tell(f"{_clock()} {error}")
            await self._postgres.clock.sleep(_CHORE_S)

    def _give_up(self, stalled: Stalled) -> None:
        self._say(
            stalled.thread_id,
            stalled.why,
            f"GIVEN UP after {MOST_TRIES} tries; `daybook again {stalled.thread_id}` or the next "
            "activity in the thread retries it",
        )
        _LOG.error("the thread %s is given up: %s", stalled.thread_id, stalled.why)

    async def finish(self, thread_id: str, why: str) -> None:
        """Finish a thread as far as that is possible now, and say the outcome."""
        try:
            came_of_it = await self._finished(thread_id)
        except TakenOver as error:
            # A try as any other: what it was silent over may silence each of them.
            came_of_it = str(error)
        except ThreadBusy:
            # Someone is at it: its user, or another worker. That is no try of it.
            await self._postgres.stalled.not_tried(thread_id)
            return
        except DaybookError as error:
            came_of_it = str(error)
        except Error as error:
            came_of_it = str(unavailable(error))
        except Exception as error:
            _LOG.exception("the thread %s cannot be finished", thread_id)
            came_of_it = f"failed: {type(error).__name__}"
        self._say(thread_id, why, came_of_it)

    async def _finished(self, thread_id: str) -> str:
        user = await self._postgres.threads.owner_of(thread_id)
        if user is None:
            return "closed"
        config: RunnableConfig = {"configurable": {"thread_id": thread_id, "user_id": user}}
        left = await self._left(config)
        if left is Left.QUESTION and await self._postgres.stalled.is_due(thread_id):
            # The question is over, or what is due does not wait for it.
            left = Left.UNSETTLED
        if left is not None and left in TAKES_UP:
            await self._graph.ainvoke(TAKES_UP[left], config)
            left = await self._left(config)
        else:
            await self._let_rest(config, left)
        return left.value if left is not None else "finished"

    async def _left(self, config: RunnableConfig) -> Left | None:
        return await left_in(await self._graph.aget_state(config), self._postgres)

    async def _let_rest(self, config: RunnableConfig, left: Left | None) -> None:
        """Write down that nobody runs a thread, which has nothing to be taken up.

        Else its dead runner's lease would be found again and again.
        """
        session = session_of(config, self._postgres.tenant_id)
        async with (
            self._postgres.locks.hold(session.thread_id),
            self._postgres.runners.run(session, is_news=False),
        ):
            status = "idle" if left is None else "waiting"
            await self._postgres.stalled.rest(session.thread_id, status=status)

    def _say(self, thread_id: str, why: str, came_of_it: str) -> None:
        self._tell(f"{_clock()} thread {thread_id}: {_WHY.get(why, why)}; {came_of_it}")


@contextlib.contextmanager
def _stopped_by_signals(terminal: Terminal) -> Iterator[asyncio.Event]:
    """Yield what the first signal sets; the second one ends the process where it stands."""
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    signals = (signal.SIGINT, signal.SIGTERM)

    def stop(signal_: signal.Signals) -> None:
        if stopping.is_set():
            signal.signal(signal_, signal.SIG_DFL)
            signal.raise_signal(signal_)
        terminal.note("stopping after the current work; press Ctrl-C again to stop immediately")
        stopping.set()

    for one in signals:
        loop.add_signal_handler(one, stop, one)
    try:
        yield stopping
    finally:
        for one in signals:
            loop.remove_signal_handler(one)


async def _pause(stopping: asyncio.Event, seconds: float = _PAUSE_S) -> None:
    with contextlib.suppress(TimeoutError):
        async with SYSTEM.timeout(seconds):
            await stopping.wait()


def _hush_procrastinate() -> None:
    """Leave it to us to say that the database went away: it would print a traceback each time."""
    if logging.getLogger().getEffectiveLevel() > logging.INFO:
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)


def _clock() -> str:
    return SYSTEM.now().strftime("%H:%M:%S.%f")[:-3]
