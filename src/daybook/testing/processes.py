"""Processes that play cells: forked from a server that has imported everything, and killed.

The fork server is the standard library's, so that neither the loop nor the threads of a test are
forked, and a process costs milliseconds.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from daybook.state.clock import SYSTEM
from daybook.testing.provider_process import load

Order: TypeAlias = Mapping[str, Any]
"""The task of a process, as JSON."""

PATIENCE = 60.0
"""Seconds to wait for a process to get this far."""

_LOOK_S = 0.01

PLAYER = "daybook.testing.player:play"

PRELOADED = [
    "daybook.testing.player",
    "daybook.graph.model.provider",
    "daybook.graph.serve",
    "daybook.tools.services.http",
    # Imported when the first request is made: it would count as the request's time.
    *("anyio._backends._asyncio", "h11", "httpcore", "httpcore2", "truststore"),
    *("openai.resources.chat.chat", "openai.lib.streaming.chat", "langchain_core.tracers.stdout"),
]
"""What each process would spend half a second and more on; counts before the first one starts."""


@dataclass(frozen=True)
class Ended:
    """Say how a process ended.

    Attributes:
        killed: by a signal.
        found: what it returned, if it was not.
        log: what it wrote to standard error.
    """

    killed: bool
    found: Any
    log: str


class Process:
    """Follow one process."""

    def __init__(self, process: ForkServerProcess, file: Path) -> None:
        self._process, self._file = process, file

    async def ready(self) -> None:
        """Wait until it stands at its gate (see `begin`), or has ended."""
        await self._wait(lambda: self._file.with_suffix(".ready").exists())

    async def stopped(self) -> None:
        """Wait until it is suspended, or has ended."""
        await self._wait(lambda: self._file.with_suffix(".stopped").exists())

    def wake(self) -> None:
        """Let it go on after it was suspended."""
        self.signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kill it, wherever it stands."""
        self.signal(signal.SIGKILL)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal; nothing happens where it has ended."""
        if self._process.is_alive() and self._process.pid:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    async def ended(self) -> Ended:
        """Wait until it has ended.

        Raises:
            AssertionError: it never does, or it failed.
        """
        await self._wait(lambda: False)
        log, answer = (self._file.with_suffix(kind) for kind in (".log", ".json"))
        said = log.read_text() if log.exists() else ""
        code = self._process.exitcode or 0
        assert code <= 0, f"a process failed: {said}"
        found = json.loads(answer.read_text()) if code == 0 else None
        for file in (log, answer):
            file.unlink(missing_ok=True)
        return Ended(code < 0, found, said)

    async def _wait(self, is_so: Any) -> None:
        try:
            async with SYSTEM.timeout(PATIENCE):
                # Another process's deed: there is no event to wait for.
                while self._process.is_alive() and not is_so():
                    await SYSTEM.sleep(_LOOK_S)
        except TimeoutError:
            raise AssertionError(f"the process {self._file.name} was too slow") from None


class Processes:
    """Start processes."""

    def __init__(self, folder: Path, plays: str) -> None:
        self._folder, self._plays = folder, plays
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([*PRELOADED, plays.partition(":")[0]])
        self._started: list[Process] = []

    def start(self, order: Order) -> Process:
        """Start a process."""
        file = self._folder / str(len(self._started))
        if "environment" in order:
            # Of its cell alone: databases are emptied between cells.
            marks = str(self._folder / "marks" / order["thread"])
            order = {**order, "environment": {"DAYBOOK_MARKS": marks, **order["environment"]}}
        process = self._context.Process(target=work, args=(order, file, self._plays), daemon=True)
        process.start()
        self._started.append(Process(process, file))
        return self._started[-1]

    async def start_together(self, *orders: Order) -> list[Process]:
        """Let processes begin at the same instant, once all of them are ready (see `begin`)."""
        gate = self._folder / f"{len(self._started)}.gate"
        started = [self.start({**order, "gate": str(gate)}) for order in orders]
        for process in started:
            await process.ready()
        gate.touch()
        return started

    def kill(self) -> None:
        """Kill what still runs."""
        for process in self._started:
            process.kill()


@contextmanager
def open_processes(plays: str = PLAYER) -> Iterator[Processes]:
    """Start processes; none outlives the block.

    Args:
        plays: `module:function` of what each does: given the order and a file of its own (see
            `begin` and `suspend`), it returns the outcome, as JSON.
    """
    with tempfile.TemporaryDirectory(prefix="daybook-processes-") as folder:
        processes = Processes(Path(folder), plays)
        try:
            yield processes
        finally:
            processes.kill()


def begin(order: Order, file: Path) -> None:
    """Wait until all that were started together have come so far."""
    if gate := order.get("gate"):
        file.with_suffix(".ready").touch()
        while not Path(gate).exists():
            SYSTEM.block(0.001)


def suspend(file: Path) -> None:
    """Suspend this process, and leave a file that says so."""
    file.with_suffix(".stopped").touch()
    os.kill(os.getpid(), signal.SIGSTOP)


def work(order: Order, file: Path, plays: str) -> NoReturn:
    """Play a cell in this process, and leave what came of it in a file."""
    status = 1
    log = os.open(file.with_suffix(".log"), os.O_CREAT | os.O_WRONLY)
    os.dup2(log, 1)
    os.dup2(log, 2)
    try:
        found = asyncio.run(load(plays)(order, file))
        file.with_suffix(".json").write_text(json.dumps(found))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)
