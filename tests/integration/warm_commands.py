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
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0

_MOST_BYTES = 1 << 20


class WarmCommands:
    """Run commands one after the other; the parent ends with whoever started it."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.settimeout(PATIENCE)
        self._parent = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        atexit.register(self.close)

    def run(
        self, words: Sequence[str], environment: Mapping[str, str], said: str
    ) -> tuple[str, str, int]:
        """Run a command to its end.

        Returns:
            Its output, its errors, and its exit code (negative: the signal that ended it).

        Raises:
            TimeoutError: it does not end; it is killed.
        """
        with (
            self._one_at_a_time,
            tempfile.TemporaryFile("w+") as given,
            tempfile.TemporaryFile("w+") as out,
            tempfile.TemporaryFile("w+") as err,
        ):
            given.write(said)
            given.seek(0)
            order = json.dumps({"words": list(words), "environment": dict(environment)}).encode()
            files = [given.fileno(), out.fileno(), err.fileno()]
            socket.send_fds(self._ours, [order], files)
            pid = int(self._ours.recv(64))
            try:
                status = int(self._ours.recv(64))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                self._ours.recv(64)
                raise
            for file in (out, err):
                file.seek(0)
            return out.read(), err.read(), os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        """End the parent."""
        self._ours.close()
        self._parent.wait()


@functools.cache
def warm_commands() -> WarmCommands:
    """Start the parent of all commands of this session, at the first use."""
    return WarmCommands()


def _serve(orders: socket.socket) -> list[str] | None:
    """Fork what is ordered, and tell its process id and then its wait status.

    Returns:
        In a child: the words of its command line. In the parent: None, at the end of all orders.
    """
    while True:
        order, files, _, _ = socket.recv_fds(orders, _MOST_BYTES, 3)
        if not order:
            return None
        pid = os.fork()
        if pid == 0:
            orders.close()
            for standard, file in enumerate(files):
                os.dup2(file, standard)
                os.close(file)
            asked = json.loads(order)
            os.environ.clear()
            os.environ.update(asked["environment"])
            words: list[str] = asked["words"]
            return words
        for file in files:
            os.close(file)
        orders.send(str(pid).encode())
        orders.send(str(os.waitpid(pid, 0)[1]).encode())


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
