"""A person at a terminal: a command that runs on a pseudo-terminal, typed at and read from."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from daybook.state.clock import SYSTEM

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


DAYBOOK = (sys.executable, "-m", "daybook.app")


class Keyboard:
    """Run `daybook`, or another program, on a terminal of its own."""

    def __init__(
        self,
        environment: Mapping[str, str],
        *words: str,
        program: Sequence[str] = DAYBOOK,
        folder: Path = ROOT,
    ) -> None:
        self._screen, inner = pty.openpty()
        self._unread = ""
        self.process = subprocess.Popen(
            [*program, *words],
            cwd=folder,
            env={**environment, "COLUMNS": "100", "TERM": "xterm"},
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        os.write(self._screen, f"{line}\n".encode())

    def sees(self, text: str) -> str:
        """Wait until a text stands on the screen, and return what came up to it."""
        deadline = SYSTEM.monotonic() + PATIENCE
        while text not in self._unread:
            assert self._more(deadline), f"{text!r} is not on the screen: {self._unread}"
        seen, _, self._unread = self._unread.partition(text)
        return seen + text

    def leaves(self) -> tuple[str, int]:
        """End the input, and return what was still shown and the exit code."""
        os.write(self._screen, b"\x04")
        deadline = SYSTEM.monotonic() + PATIENCE
        while self._more(deadline):
            pass
        return self._unread, self.process.wait(PATIENCE)

    def _more(self, deadline: float) -> bool:
        """Read what comes next; False at the end."""
        ready, _, _ = select.select([self._screen], [], [], max(0, deadline - SYSTEM.monotonic()))
        try:
            more = os.read(self._screen, 65536) if ready else b""
        except OSError:  # how Linux says that nobody has the terminal any more
            more = b""
        self._unread += _COLOURS.sub("", more.decode(errors="replace"))
        return bool(more)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        os.close(self._screen)
