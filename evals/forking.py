"""Processes that cost milliseconds to start: forked from one that has imported everything.

That parent is a module that calls `evals.forked.serve_forks`, run by itself, so that neither the
loop nor the threads of whoever asks are forked. It is told in lines of JSON what to start, and
tells what becomes of whom.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daybook.state.clock import SYSTEM
from evals.forked import Order

PATIENCE = 60.0
"""Seconds after which a process is given up that should have come so far."""


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Attributes:
        killed: by a signal.
        found: what it returned, if it was not.
        log: what it wrote to standard error.
    """

    killed: bool
    found: Any
    log: str


class Forked:
    """Follow one process."""

    def __init__(self, name: str, folder: Path) -> None:
        self._name, self._folder = name, folder
        self.pid = 0
        self._status = 0
        self._ready, self._stopped, self._ended = (asyncio.Event() for _ in range(3))

    async def ready(self) -> None:
        """Wait until it has opened everything and stands at the start."""
        await self._wait(self._ready, "is ready")

    async def stopped(self) -> None:
        """Wait until it is suspended."""
        await self._wait(self._stopped, "is suspended")

    def wake(self) -> None:
        """Let it go on after it was suspended."""
        self._stopped.clear()
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill it, wherever it stands; nothing happens where it has ended."""
        # It may have ended just now, and its end be told in a moment.
        with suppress(ProcessLookupError):
            if not self._ended.is_set():
                os.kill(self.pid, signal.SIGKILL)

    async def over(self) -> None:
        """Wait until it is no more, however it ended."""
        await self._wait(self._ended, "has ended")

    async def ended(self) -> Ended:
        """Wait until it has ended.

        Raises:
            AssertionError: it never does, or it failed.
        """
        await self.over()
        log, answer = (self._folder / f"{self._name}.{kind}" for kind in ("log", "json"))
        said = log.read_text() if log.exists() else ""
        killed = os.WIFSIGNALED(self._status)
        assert killed or os.WEXITSTATUS(self._status) == 0, f"a process failed: {said}"
        found = None if killed else json.loads(answer.read_text())
        for file in (log, answer):
            file.unlink(missing_ok=True)
        return Ended(killed, found, said)

    def tell(self, event: str, told: int) -> None:
        """Take what its parent tells of it."""
        match event:
            case "started":
                self.pid = told
            case "ready":
                # It may say so before its parent has said that it was started.
                self.pid = told
                self._ready.set()
            case "stopped":
                self._stopped.set()
            case "ended":
                self._status = told
                for happened in (self._ready, self._stopped, self._ended):
                    happened.set()

    async def _wait(self, happened: asyncio.Event, what: str) -> None:
        try:
            async with SYSTEM.timeout(PATIENCE):
                await happened.wait()
        except TimeoutError:
            raise AssertionError(f"the process {self._name} never {what}") from None


class Forks:
    """Start processes."""

    def __init__(self, parent: Parent) -> None:
        self._parent = parent
        self._living: dict[str, Forked] = {}

    async def warm(self, order: Order) -> None:
        """Let the parent do some work itself, for what is imported late to be forked too."""
        forked = self._living["warm"] = Forked("warm", self._parent.folder)
        self._parent.tell({"warm": {**order, "name": "warm"}})
        await forked.ended()

    async def start(self, *orders: Order) -> list[Forked]:
        """Let processes begin at the same instant, once all of them are ready."""
        batch = self._parent.batch()
        started = []
        for number, order in enumerate(orders):
            name = f"{batch}-{number}"
            forked = self._living[name] = Forked(name, self._parent.folder)
            started.append(forked)
            self._parent.tell({**order, "name": name, "batch": batch})
        for forked in started:
            await forked.ready()
        self._parent.tell({"go": batch})
        return started

    async def follow(self, reader: asyncio.StreamReader) -> None:
        """Hand on what the parent tells, until it ends."""
        while line := await reader.readline():
            name, event, told = json.loads(line)
            self._living[name].tell(event, told)
            if event == "ended":
                del self._living[name]

    async def end(self) -> None:
        """Kill what still runs, and wait until it has ended."""
        left = [forked for forked in self._living.values() if forked.pid]
        for forked in left:
            forked.kill()
        for forked in left:
            await forked.over()


class Parent:
    """The process that others are forked from; it outlives the loops in which they are followed."""

    def __init__(self, module: str, folder: Path, python: str) -> None:
        self.folder = folder
        self._starts = 0
        self._process = subprocess.Popen(
            [python, "-m", module, str(folder)],
            cwd=Path(__file__).parents[1],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C is for whoever started it, who then closes its input.
            start_new_session=True,
        )

    def batch(self) -> str:
        """Name the processes that are started next."""
        self._starts += 1
        return str(self._starts)

    def tell(self, order: Order) -> None:
        """Tell it what to do."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()

    @asynccontextmanager
    async def heard(self) -> AsyncIterator[asyncio.StreamReader]:
        """Yield what it tells while the block lasts."""
        assert self._process.stdout is not None
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader),
            os.fdopen(os.dup(self._process.stdout.fileno()), "rb", buffering=0),
        )
        try:
            yield reader
        finally:
            transport.close()

    def end(self) -> None:
        """End it, with all that was forked."""
        self._process.communicate()


@contextmanager
def open_parent(module: str, python: str = sys.executable) -> Iterator[Parent]:
    """Start the parent; none of its processes outlives the block.

    Args:
        module: one that calls `evals.forked.serve_forks` when it is run.
        python: of the environment that it is run in.
    """
    with tempfile.TemporaryDirectory(prefix="daybook-forks-") as folder:
        parent = Parent(module, Path(folder), python)
        try:
            yield parent
        finally:
            parent.end()


@asynccontextmanager
async def forks_of(parent: Parent) -> AsyncIterator[Forks]:
    """Start processes of a parent, and follow them while the block lasts; then they are killed."""
    async with parent.heard() as reader:
        forks = Forks(parent)
        following = asyncio.create_task(forks.follow(reader))
        try:
            yield forks
            await forks.end()
        finally:
            following.cancel()
            await asyncio.wait({following})


@asynccontextmanager
async def open_forks(module: str, python: str = sys.executable) -> AsyncIterator[Forks]:
    """Start a parent for one loop."""
    with open_parent(module, python) as parent:
        async with forks_of(parent) as forks:
            yield forks
