"""Workers: in the test's own process where it is about what they find, else processes of their own."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import IO

from daybook.app.operating.worker import Worker
from daybook.checkpoints.people.erasure import Part
from daybook.graph.serve import Opened
from daybook.state.clock import SYSTEM
from tests.conftest import Agent, Shop
from tests.integration.warm_commands import WarmCommand, warm_commands
from tests.purchases import PATIENCE


@asynccontextmanager
async def working(
    agent: Agent, idle: float = 0.0, keep: timedelta = timedelta(days=30)
) -> AsyncIterator[list[str]]:
    """Let a worker work for the length of the block; yield what it says.

    Args:
        idle: seconds for which a turn that was cut off is left to its person.
        keep: how long an idle conversation is kept.
    """
    said: list[str] = []
    opened = Opened(agent.graph, agent.domain, agent.resources)
    worker = Worker(opened, said.append, 0.05, timedelta(seconds=idle), dict.fromkeys(Part, keep))
    stopping = asyncio.Event()
    task = asyncio.create_task(worker.work(4, stopping))
    try:
        yield said
    finally:
        stopping.set()
        await task


class WorkerProcess:
    """Follow one `daybook worker`, which is forked.

    Attributes:
        lines: what it has said.
    """

    def __init__(self, process: WarmCommand, said: asyncio.StreamReader) -> None:
        self._process, self._said = process, said
        self.lines: list[str] = []
        self._heard = asyncio.Condition()
        self._listening = asyncio.create_task(self._listen())

    async def says(self, words: str) -> str:
        """Wait for a line that holds the words, from now on or before."""

        def found() -> str | None:
            return next((line for line in self.lines if words in line), None)

        try:
            async with SYSTEM.timeout(PATIENCE), self._heard:
                await self._heard.wait_for(lambda: found() or self._listening.done())
        except TimeoutError:
            raise AssertionError(f"the worker never said {words!r}: {self.lines}") from None
        line = found()
        assert line is not None, f"the worker ended without {words!r}: {self.lines}"
        return line

    def gets(self, signal_: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self._process.pid, signal_)

    async def ended(self) -> int:
        """Wait until it has ended; return its exit code."""
        async with SYSTEM.timeout(PATIENCE):
            await self._listening
            return await asyncio.to_thread(self._process.wait)

    async def _listen(self) -> None:
        while line := await self._said.readline():
            async with self._heard:
                self.lines.append(line.decode().rstrip())
                self._heard.notify_all()
        async with self._heard:
            self._heard.notify_all()


@asynccontextmanager
async def running_worker(
    environment: Mapping[str, str], *words: str
) -> AsyncIterator[WorkerProcess]:
    """Run `daybook` with these words; it does not outlive the block."""
    process, pipe = _started(environment, words)
    said = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(said), pipe
    )
    worker = WorkerProcess(process, said)
    try:
        yield worker
    finally:
        process.kill()
        await worker.ended()


def _started(environment: Mapping[str, str], words: Sequence[str]) -> tuple[WarmCommand, IO[bytes]]:
    ours, theirs = os.pipe()
    with open(os.devnull) as nothing, open(theirs, "wb") as out:
        return warm_commands().start(words, environment, nothing, out, out), os.fdopen(ours, "rb")


def worker_process(
    postgres_url: str, shop: Shop, *options: str, **settings: str
) -> AbstractAsyncContextManager[WorkerProcess]:
    """Run `daybook worker` at the shop.

    Args:
        settings: more variables of its environment.
    """
    places = {"DATABASE_URL": postgres_url, "SHOP_URL": shop.url, "SMTP_URL": shop.smtp_url}
    environment = {**os.environ, **places, **settings}
    return running_worker(environment, "worker", "--every", "0.1", *options)
