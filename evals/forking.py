"""Processes that cost milliseconds to start: forked from one that has imported everything.

That parent is a module that calls `serve_forks`, run by itself, so that neither the loop nor the
threads of whoever asks are forked. It is told in lines of JSON what to start, and tells what
becomes of whom.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

PATIENCE = 60.0
"""Seconds after which a process is given up that should have come so far."""

Order = Mapping[str, Any]
"""What a process is to do: JSON, with its `name` and its `batch`."""

Work = Callable[[Order, Callable[[], None]], Awaitable[Any]]
"""Do what is ordered and return what came of it, as JSON. Its second argument tells that it is
ready, and waits until all of its batch are."""


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

    def tell(self, event: str, told: int) -> None:
        """Take what its parent tells of it."""
        match event:
            case "started":
                self.pid = told
            case "ready":
                self._ready.set()
            case "stopped":
                self._stopped.set()
            case "ended":
                self._status = told
                for happened in (self._ready, self._stopped, self._ended):
                    happened.set()

    async def _wait(self, happened: asyncio.Event, what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await happened.wait()
        except TimeoutError:
            raise AssertionError(f"the process {self._name} never {what}") from None


class Forks:
    """Start processes."""

    def __init__(self, parent: asyncio.subprocess.Process, folder: Path) -> None:
        self._parent, self._folder = parent, folder
        self._living: dict[str, Forked] = {}
        self._starts = 0

    async def warm(self, order: Order) -> None:
        """Let the parent do some work itself, for what is imported late to be forked too."""
        forked = self._living["warm"] = Forked("warm", self._folder)
        await self._tell({"warm": {**order, "name": "warm"}})
        await forked.ended()

    async def start(self, *orders: Order) -> list[Forked]:
        """Let processes begin at the same instant, once all of them are ready."""
        self._starts += 1
        batch = str(self._starts)
        started = []
        for number, order in enumerate(orders):
            name = f"{batch}-{number}"
            forked = self._living[name] = Forked(name, self._folder)
            started.append(forked)
            await self._tell({**order, "name": name, "batch": batch})
        for forked in started:
            await forked.ready()
        await self._tell({"go": batch})
        return started

    async def follow(self) -> None:
        """Hand on what the parent tells, until it ends."""
        assert self._parent.stdout is not None
        while line := await self._parent.stdout.readline():
            name, event, told = json.loads(line)
            self._living[name].tell(event, told)
            if event == "ended":
                del self._living[name]

    async def _tell(self, order: Order) -> None:
        assert self._parent.stdin is not None
        self._parent.stdin.write(json.dumps(order).encode() + b"\n")
        await self._parent.stdin.drain()


@asynccontextmanager
async def open_forks(module: str) -> AsyncIterator[Forks]:
    """Start the parent; none of its processes outlives the block.

    Args:
        module: one that calls `serve_forks` when it is run.
    """
    with tempfile.TemporaryDirectory(prefix="daybook-forks-") as folder:
        parent = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module, folder),
            cwd=Path(__file__).parents[1],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C is for whoever started it, who then closes its input.
            start_new_session=True,
        )
        forks = Forks(parent, Path(folder))
        following = asyncio.create_task(forks.follow())
        try:
            yield forks
        finally:
            assert parent.stdin is not None
            parent.stdin.close()
            await following
            await parent.wait()


# -- the parent ------------------------------------------------------------------------------------


def serve_forks(work: Work) -> None:
    """Fork what standard input asks for, and tell of each what becomes of it.

    Args:
        work: what each process does; the folder for what it leaves is the first argument of the
            command line.
    """
    folder = Path(sys.argv[1])
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    names: dict[int, str] = {}
    gates: dict[str, tuple[int, int]] = {}
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
            if "warm" in order:
                found = asyncio.run(_come_to(work, order["warm"], lambda: None))
                (folder / "warm.json").write_text(json.dumps(found))
                _tell("warm", "ended")
                continue
            if "go" in order:
                # Whoever waits at the gate reads its end now: all at the same instant.
                for end in gates.pop(order["go"]):
                    os.close(end)
                continue
            if order["batch"] not in gates:
                gates[order["batch"]] = os.pipe()
            gate = gates[order["batch"]]
            # Else the first collection in the new process touches, and so copies, everything.
            gc.freeze()
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                others = [end for pair in gates.values() for end in pair if end != gate[0]]
                for inherited in (0, woken, wakes, *others):
                    os.close(inherited)
                _be(work, order, gate[0], folder)
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


def _tell(name: str, event: str, told: int = 0) -> None:
    # Short enough to be written in one piece, whoever else writes.
    os.write(1, json.dumps([name, event, told]).encode() + b"\n")


def _be(work: Work, order: Order, gate: int, folder: Path) -> NoReturn:
    name = order["name"]
    log = os.open(folder / f"{name}.log", os.O_CREAT | os.O_WRONLY)
    os.dup2(log, 2)
    status = 1

    def begin() -> None:
        _tell(name, "ready")
        os.read(gate, 1)

    try:
        found = asyncio.run(_come_to(work, order, begin))
        (folder / f"{name}.json").write_text(json.dumps(found))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


async def _come_to(work: Work, order: Order, begin: Callable[[], None]) -> Any:
    return await work(order, begin)
