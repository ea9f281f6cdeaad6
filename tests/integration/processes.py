"""Processes that use a kept program, and waiting for the end of any process."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

from daybook.checkpoints.kept.keeper import is_held
from daybook.checkpoints.kept.process import KEEPER_LOCK, PROGRAM_LOCK
from daybook.state.clock import SYSTEM

REPOSITORY = Path(__file__).parents[2]
WAIT_LIMIT_S = 30


def wait_for_end(pid: int) -> None:
    """Wait until a process, a child of ours or not, has ended."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ended = select.poll()
        ended.register(process, select.POLLIN)
        assert ended.poll(WAIT_LIMIT_S * 1000), f"process {pid} has not ended"
    finally:
        os.close(process)


def lives(pid: int) -> bool:
    """Say whether a process runs; one that only waits to be reaped does not."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return False
    try:
        ended = select.poll()
        ended.register(process, select.POLLIN)
        return not ended.poll(0)
    finally:
        os.close(process)


def keeper_and_program(folder: Path) -> tuple[int, int]:
    """Read the process ids of the keeper and of the program that it keeps."""
    keeper, program = (folder / "pids").read_text().split()
    return int(keeper), int(program)


def wait_until_nothing_runs(folder: Path) -> None:
    """Wait until neither keeper nor program of a folder is left, and kill what stays too long."""
    if not folder.exists():
        return
    deadline = SYSTEM.monotonic() + WAIT_LIMIT_S
    while is_held(folder / KEEPER_LOCK) or is_held(folder / PROGRAM_LOCK):
        if SYSTEM.monotonic() > deadline:
            left = keeper_and_program(folder)
            for pid in left:
                if lives(pid):
                    os.kill(pid, signal.SIGKILL)
            raise AssertionError(f"keeper and program were left behind: {left}")
        SYSTEM.block(0.005)


class User:
    """A process that runs `script`, which prints one line when it uses the program.

    The script ends its use when it can read a line; `kill` ends it without a word.
    """

    def __init__(
        self, script: str, *arguments: str, python: tuple[str, ...] = (sys.executable,)
    ) -> None:
        self._process = subprocess.Popen(
            [*python, "-c", script, *arguments],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.pid = self._process.pid

    def line(self) -> str:
        """Wait for the next line that the script prints."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        assert line, f"the user process failed: {self.error()}"
        return line

    def error(self) -> str:
        """Wait for the process's end and return what it wrote to standard error."""
        _, error = self._process.communicate(timeout=WAIT_LIMIT_S)
        return error

    def leave(self) -> None:
        """Let the script end its use in order, and wait until it has."""
        _, error = self._process.communicate("leave\n", timeout=WAIT_LIMIT_S)
        assert self._process.returncode == 0, error

    def leaves_saying(self) -> str:
        """Let the script end its use in order, and return what it printed last."""
        said, error = self._process.communicate("leave\n", timeout=WAIT_LIMIT_S)
        assert self._process.returncode == 0, error
        return said.strip().splitlines()[-1]

    def kill(self) -> None:
        """End the process with SIGKILL, unless it has ended."""
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
