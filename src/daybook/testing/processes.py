"""Processes that cost milliseconds to start: forked from one that has imported everything.

That one is started by itself, so that neither the loop nor
the threads of a test are forked. It is told in lines of JSON what to start, and tells what becomes
of each: started, stopped or ended.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import selectors
import signal
import sys
import tempfile
import traceback
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from daybook.state.clock import SYSTEM

Order: TypeAlias = Mapping[str, Any]
"""What a process is to do, as JSON."""

PATIENCE = 60.0
"""Seconds after which a process is given up that should have come so far."""


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

    def __init__(self, name: str, folder: Path) -> None:
        self._name, self._folder = name, folder
        self._pid = self._status = 0
        self._started, self._stopped, self._ended = (asyncio.Event() for _ in range(3))

    async def stopped(self) -> None:
        """Wait until it is suspended, or has ended."""
        await self._wait(self._stopped, "is suspended")

    def wake(self) -> None:
        """Let it go on after it was suspended."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kill it, wherever it stands; nothing happens where it has ended."""
        self._signal(signal.SIGKILL)

    async def ended(self) -> Ended:
        """Wait until it has ended.

        Raises:
            AssertionError: it never does, or it failed.
        """
        await self._wait(self._ended, "has ended")
        log, answer = (self._folder / f"{self._name}.{kind}" for kind in ("log", "json"))
        said = log.read_text() if log.exists() else ""
        killed = os.WIFSIGNALED(self._status)
        assert killed or os.WEXITSTATUS(self._status) == 0, f"a process failed: {said}"
        found = None if killed else json.loads(answer.read_text())
        for file in (log, answer):
            file.unlink(missing_ok=True)
        return Ended(killed, found, said)

    async def started(self) -> None:
        """Wait until it was forked."""
        await self._wait(self._started, "has started")

    def hear(self, event: str, told: int) -> None:
        """Take what its parent says of it."""
        match event:
            case "started":
                self._pid = told
            case "ended":
                self._status = told
                self._stopped.set()
                self._ended.set()
            case "stopped":
                self._stopped.set()
        self._started.set()

    def _signal(self, number: signal.Signals) -> None:
        # It may have ended just now, and its end be heard in a moment.
        with suppress(ProcessLookupError):
            if not self._ended.is_set():
                os.kill(self._pid, number)

    async def _wait(self, happened: asyncio.Event, what: str) -> None:
        try:
            async with SYSTEM.timeout(PATIENCE):
                await happened.wait()
        except TimeoutError:
            raise AssertionError(f"the process {self._name} never {what}") from None


class Processes:
    """Start processes."""

    def __init__(self, parent: asyncio.subprocess.Process, folder: Path) -> None:
        self._parent, self._folder = parent, folder
        self._living: dict[str, Process] = {}
        self._count = 0

    async def start(self, order: Order) -> Process:
        """Start a process."""
        self._count += 1
        name = str(self._count)
        process = self._living[name] = Process(name, self._folder)
        assert self._parent.stdin is not None
        self._parent.stdin.write(json.dumps({**order, "name": name}).encode() + b"\n")
        await process.started()
        return process

    async def follow(self) -> None:
        """Hand on what the parent says, until it ends."""
        assert self._parent.stdout is not None
        while line := await self._parent.stdout.readline():
            name, event, told = json.loads(line)
            self._living[name].hear(event, told)
            if event == "ended":
                del self._living[name]


@asynccontextmanager
async def open_processes() -> AsyncIterator[Processes]:
    """Start the parent; none of its processes outlives the block."""
    with tempfile.TemporaryDirectory(prefix="daybook-processes-") as folder:
        parent = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", f"from {__name__} import main; main()", folder),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            # Ctrl-C is for the one that started it, which then closes its input.
            start_new_session=True,
        )
        assert parent.stdin is not None
        processes = Processes(parent, Path(folder))
        following = asyncio.create_task(processes.follow())
        try:
            yield processes
        finally:
            parent.stdin.close()
            await parent.wait()
            await asyncio.wait({following})


# -- the parent ------------------------------------------------------------------------------------


def _serve(folder: Path) -> None:
    """Fork what standard input asks for, and tell what becomes of each."""
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    names: dict[int, str] = {}
    ready = selectors.DefaultSelector()
    for file in (0, woken):
        ready.register(file, selectors.EVENT_READ)
    unread = b""
    while True:
        there = {key.fd for key, _ in ready.select()}
        if woken in there:
            os.read(woken, 4096)
            _tell_of(names)
        if 0 not in there:
            continue
        read = os.read(0, 1 << 16)
        if not read:
            break
        *lines, unread = (unread + read).split(b"\n")
        for order in map(json.loads, lines):
            # Else the first collection in the new process touches, and so copies, everything.
            gc.freeze()
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for inherited in (woken, wakes):
                    os.close(inherited)
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                _work(order, folder)
            names[pid] = order["name"]
            _tell(order["name"], "started", pid)
    for pid in names:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _tell_of(names: dict[int, str]) -> None:
    while names:
        pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
        if pid == 0:
            return
        if os.WIFSTOPPED(status):
            _tell(names[pid], "stopped", 0)
        else:
            _tell(names.pop(pid), "ended", status)


def _tell(name: str, event: str, told: int) -> None:
    os.write(1, json.dumps([name, event, told]).encode() + b"\n")


def _work(order: Order, folder: Path) -> NoReturn:
    from daybook.testing.player import play

    name, status = order["name"], 1
    log = os.open(folder / f"{name}.log", os.O_CREAT | os.O_WRONLY)
    os.dup2(log, 2)
    os.dup2(log, 1)
    try:
        found = asyncio.run(play(order))
        (folder / f"{name}.json").write_text(json.dumps(found))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def main() -> None:
    """Be the parent; what costs each process half a second is imported before the fork."""
    import functools
    import ssl

    import daybook.testing.player  # noqa: F401

    # No request here is made over TLS.
    ssl.create_default_context = functools.cache(ssl.create_default_context)  # type: ignore[assignment]
    _serve(Path(sys.argv[1]))
