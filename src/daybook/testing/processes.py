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

Order: TypeAlias = Mapping[str, Any]
"""What a process is to do, as JSON."""

PATIENCE = 60.0
"""Seconds after which a process is given up that should have come so far."""

_LOOK_S = 0.01

_PRELOADED = (
    "daybook.testing.player",
    "daybook.graph.model.provider",
    "daybook.graph.serve",
    "daybook.tools.services.http",
)
"""What each process would spend half a second and more on."""


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

    async def stopped(self) -> None:
        """Wait until it is suspended, or has ended."""
        await self._wait(lambda: self._file.with_suffix(".stopped").exists())

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
            raise AssertionError(f"the process {self._file.name} never came so far") from None


class Processes:
    """Start processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([*_PRELOADED])
        self._started: list[Process] = []

    def start(self, order: Order) -> Process:
        """Start a process."""
        file = self._folder / str(len(self._started))
        process = self._context.Process(target=work, args=(order, file), daemon=True)
        process.start()
        self._started.append(Process(process, file))
        return self._started[-1]

    def kill(self) -> None:
        """Kill what still runs."""
        for process in self._started:
            process.signal(signal.SIGKILL)


@contextmanager
def open_processes() -> Iterator[Processes]:
    """Start processes; none outlives the block."""
    with tempfile.TemporaryDirectory(prefix="daybook-processes-") as folder:
        processes = Processes(Path(folder))
        try:
            yield processes
        finally:
            processes.kill()


def suspend(file: Path) -> None:
    """Suspend this process, and leave a file that says so."""
    file.with_suffix(".stopped").touch()
    os.kill(os.getpid(), signal.SIGSTOP)


def work(order: Order, file: Path) -> NoReturn:
    """Play a cell in this process, and leave what came of it in a file."""
    from daybook.testing.player import play

    status = 1
    log = os.open(file.with_suffix(".log"), os.O_CREAT | os.O_WRONLY)
    os.dup2(log, 1)
    os.dup2(log, 2)
    try:
        found = asyncio.run(play(order, file))
        file.with_suffix(".json").write_text(json.dumps(found))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)
