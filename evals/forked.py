"""The parent of forked processes: it has imported everything, and forks what it is asked for.

It runs by itself, in whatever environment, so it imports nothing but the standard library.
`evals.forking` asks it.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import selectors
import signal
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

Order = Mapping[str, Any]
"""What a process is to do: JSON, with its `name` and its `batch`."""

Work = Callable[[Order, Callable[[], None]], Awaitable[Any]]
"""Do what is ordered and return what came of it, as JSON. Its second argument tells that it is
ready, and waits until all of its batch are."""


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
        _tell(name, "ready", os.getpid())
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
