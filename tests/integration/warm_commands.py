"""Start `daybook` in a fraction of the time: forked from a process that has imported it.

A process of `python -m daybook.app` spends up to a second of a core on imports before it does anything.
One that is forked here is a process all the same, with an environment, input and output of its own,
and ends by itself. Run as a module it is that parent.
"""

import atexit
import functools
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0

_MOST_BYTES = 1 << 20


class WarmCommand:
    """Follow one command.

    Attributes:
        pid: of its process.
        code: its exit code (negative: the signal that ended it) once it was waited for.
    """

    def __init__(self, parent: socket.socket) -> None:
        self._parent = parent
        self.pid = int(parent.recv(64))
        self.code: int | None = None

    def wait(self) -> int:
        """Wait for its end, and return its exit code.

        Raises:
            TimeoutError: it does not end.
        """
        if self.code is None:
            with self._parent as parent:
                self.code = os.waitstatus_to_exitcode(int(parent.recv(64)))
        return self.code

    def kill(self) -> None:
        """Kill it, unless its end is known."""
        if self.code is None and not select.select([self._parent], [], [], 0)[0]:
            os.kill(self.pid, signal.SIGKILL)


class WarmCommands:
    """Run commands; their parent ends with whoever started it."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._parent = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        atexit.register(self.close)

    def start(
        self, words: Sequence[str], environment: Mapping[str, str], *files: IO[Any]
    ) -> WarmCommand:
        """Start a command, given its input, output and errors."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(PATIENCE)
        order = json.dumps({"words": list(words), "environment": dict(environment)}).encode()
        with theirs:
            socket.send_fds(
                self._ours, [order], [*(one.fileno() for one in files), theirs.fileno()]
            )
        return WarmCommand(ours)

    def run(
        self, words: Sequence[str], environment: Mapping[str, str], said: str
    ) -> tuple[str, str, int]:
        """Run a command to its end; return its output, its errors, and its exit code."""
        with (
            tempfile.TemporaryFile("w+") as given,
            tempfile.TemporaryFile("w+") as out,
            tempfile.TemporaryFile("w+") as err,
        ):
            given.write(said)
            given.seek(0)
            command = self.start(words, environment, given, out, err)
            try:
                code = command.wait()
            except TimeoutError:
                os.kill(command.pid, signal.SIGKILL)
                raise
            for file in (out, err):
                file.seek(0)
            return out.read(), err.read(), code

    def close(self) -> None:
        """End the parent."""
        self._ours.close()
        self._parent.wait()


@functools.cache
def warm_commands() -> WarmCommands:
    """Start the parent of all commands of this session, at the first use."""
    return WarmCommands()


def _serve(orders: socket.socket) -> list[str] | None:
    """Fork what is ordered; tell each its process id, and its wait status once it has ended.

    Returns:
        In a child: the words of its command line. In the parent: None, at the end of all orders.
    """
    running: dict[int, tuple[int, socket.socket]] = {}
    while True:
        ended = [one for one in select.select([orders, *running], [], [])[0] if one is not orders]
        for one in ended:
            pid, told = running.pop(one)
            os.close(one)
            with told:
                told.send(str(os.waitpid(pid, 0)[1]).encode())
        if ended:
            continue
        order, files, _, _ = socket.recv_fds(orders, _MOST_BYTES, 4)
        if not order:
            return None
        pid = os.fork()
        if pid == 0:
            orders.close()
            for standard, file in enumerate(files[:3]):
                os.dup2(file, standard)
            os.closerange(3, max(files) + 1)
            asked = json.loads(order)
            os.environ.clear()
            os.environ.update(asked["environment"])
            sys.path[1:1] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
            words: list[str] = asked["words"]
            return words
        told = socket.socket(fileno=files.pop())
        for file in files:
            os.close(file)
        told.send(str(pid).encode())
        running[os.pidfd_open(pid)] = pid, told


if __name__ == "__main__":
    from daybook.app.cli import COMMANDS, command, main
    from daybook.nodes.running import identity
    from daybook.testing.processes import PRELOADED
    from daybook.tools.receipts.reports import language_of

    for name in COMMANDS:
        command(name)
    # What a process imports and compiles late, if at all.
    for module in (*PRELOADED, "daybook.graph.shop.app", "procrastinate"):
        importlib.import_module(module)
    language_of("paid")

    # Or each process would look through all that was imported once more before it ends.
    gc.freeze()
    words = _serve(socket.socket(fileno=int(sys.argv[1])))
    if words is not None:
        # Claims name the process: this one's name was made when its parent imported it.
        identity.WORKER = f"{identity.WORKER}-{os.getpid()}"
        sys.argv = ["daybook", *words]
        main()
