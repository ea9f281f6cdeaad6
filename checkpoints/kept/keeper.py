"""Share one program between any number of processes, and end it with its last user.

Four lock files in the program's folder say who is alive. The kernel frees a lock when the last
descriptor of it closes, at SIGKILL too, so no lock is ever stale.

- `start.lock`: one process at a time looks whether the program runs, starts it or gives it up.
- `users.lock`: shared by every user; the keeper waits for it exclusively. When the keeper has it,
  nobody uses the program, and a newcomer waits until the stop is complete.
- `keeper.lock`: held by the living keeper (`daybook.checkpoints.kept.process`).
- `program.lock`: held by the program and its children: while it is held, no other may start.

A forked child shares its parent's descriptors and with them the use: the program stays while
either of the two lives. That is why a use is given up by closing the descriptor and never by
`LOCK_UN`, which would end it for the other one too.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Generic, Self, TypeVar

from daybook.checkpoints.kept import process as keeper_process
from daybook.checkpoints.kept.process import (
    KEEPER_LOCK,
    LOG,
    OUTPUT,
    PROGRAM_LOCK,
    RECORD,
    START_LOCK,
    USERS_LOCK,
    open_lock,
)
from daybook.state.clock import SYSTEM
from daybook.state.errors import ConfigurationError

__all__ = ["LOG", "OUTPUT", "KeeperError", "Kept", "keep", "kept_beside"]

T = TypeVar("T")

_POLL_S = 0.02
# A program that is broken fails each time; one that was killed while it started does not.
_STARTS = 3
_LOG_TAIL_BYTES = 4000


class KeeperError(ConfigurationError):
    """A kept program did not start; the message carries the end of its log."""


class Kept(Generic[T]):
    """One user's hold on a kept program.

    Attributes:
        folder: the program's folder; `folder / OUTPUT` has its standard output.
        answer: what `ready` returned.
    """

    def __init__(self, folder: Path, answer: T, use: int, private: Path | None) -> None:
        self.folder = folder
        self.answer = answer
        self._use: int | None = use
        self._private = private

    def close(self) -> None:
        """Give up the use; wait for the program's end if this was the last one.

        A process that ends without closing gives up its use too: the program then ends a moment
        later. Closing twice does nothing.
        """
        if self._use is None:
            return
        os.close(self._use)
        self._use = None
        with (
            suppress(FileNotFoundError),  # the folder was removed
            _lock(self.folder / START_LOCK, fcntl.LOCK_EX),
        ):
            if _wait_if_unused(self.folder) and self._private is not None:
                shutil.rmtree(self._private, ignore_errors=True)  # what a killed keeper left

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def keep(
    folder: Path,
    command: Sequence[str],
    *,
    ready: Callable[[], T | None],
    stop_signal: signal.Signals = signal.SIGTERM,
    stop_limit: int = 30,
    private: Path | None = None,
    limit: float = 60.0,
) -> Kept[T]:
    """Use the program of `folder`; start it if nobody does yet.

    The program runs in the caller's working folder and environment, with standard output in
    `folder / OUTPUT` (emptied at the start) and standard error in `folder / LOG` (the run before
    is in `log.old`). If it runs already, `command` and the rest are those of whoever started it.

    Args:
        folder: the program's folder, made at need with mode 0700; one program for each folder.
        ready: asked again and again until it returns something other than None. A line in
            `OUTPUT` is of the present run; that the program still lives, only a connection says.
        stop_signal: what ends the program in order.
        stop_limit: seconds it may take for that before it is killed.
        private: a folder that the keeper makes for this user alone before the start, and removes
            with all in it when the program has ended.
        limit: seconds until the program must be ready.

    Raises:
        KeeperError: the folder cannot be used, or the program ended before it was ready, three
            times over, or was not ready in time. Nothing of it runs then, unless others use it.
    """
    folder = folder.absolute()
    make_folder(folder)
    start = [
        *(sys.executable, "-I", "-S", keeper_process.__file__),
        *(str(folder), str(int(stop_signal)), str(stop_limit), str(private or "")),
        *command,
    ]
    with _lock(folder / START_LOCK, fcntl.LOCK_EX):
        use = open_lock(folder / USERS_LOCK)
        try:
            fcntl.flock(use, fcntl.LOCK_SH)  # waits for the end of a stop that is in progress
            answer = _wait_until_ready(folder, start, ready, limit)
        except BaseException:
            os.close(use)
            _wait_if_unused(folder)
            raise
    return Kept(folder, answer, use, private)


@asynccontextmanager
async def kept_beside(start: Callable[[], Kept[T]]) -> AsyncIterator[asyncio.Task[Kept[T]]]:
    """Start a program beside what the block does, which may await it; give it up at the end."""
    starting = asyncio.create_task(asyncio.to_thread(start))
    try:
        yield starting
    finally:
        (kept,) = await asyncio.gather(starting, return_exceptions=True)
        if isinstance(kept, Kept):
            await asyncio.to_thread(kept.close)


def make_folder(folder: Path) -> None:
    """Make a folder at need, for this user alone.

    Raises:
        KeeperError: it cannot be used, or is another user's.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        owner = folder.stat().st_uid
    except OSError as error:
        raise KeeperError(f"Cannot use {folder}: {error.strerror}. Check DAYBOOK_HOME.") from error
    if owner != os.geteuid():
        raise KeeperError(
            f"{folder} belongs to user id {owner}, but this process runs as {os.geteuid()}. Run "
            "as that user, or choose another DAYBOOK_HOME."
        )


def _wait_until_ready(
    folder: Path, start: Sequence[str], ready: Callable[[], T | None], limit: float
) -> T:
    """Start the program unless its keeper lives, and ask `ready` until it answers."""
    deadline = SYSTEM.monotonic() + limit
    starts = 0
    while True:
        if not is_held(folder / KEEPER_LOCK):
            if starts == _STARTS:
                raise KeeperError(f"The program ended before it was ready. {_log_tail(folder)}")
            _start_keeper(folder, start)
            starts += 1
        # Without the record there is no program of this keeper yet, and what answers may be one
        # of an earlier keeper, about to end.
        answer = ready() if (folder / RECORD).exists() else None
        # And a keeper that was killed while the program answered leaves one that is ending, or has
        # ended: the program is sent its signal when one thread of the keeper ends, and the kernel
        # frees the keeper's lock with the last one.
        if answer is not None and is_held(folder / PROGRAM_LOCK) and is_held(folder / KEEPER_LOCK):
            return answer
        if SYSTEM.monotonic() > deadline:
            raise KeeperError(f"The program was not ready in {limit:g} s. {_log_tail(folder)}")
        SYSTEM.block(_POLL_S)


def _start_keeper(folder: Path, start: Sequence[str]) -> None:
    """Start a keeper; it holds its lock when this returns."""
    (folder / RECORD).unlink(missing_ok=True)
    # A session of its own: Ctrl-C in the user's terminal must not reach the others' program.
    done = subprocess.run(
        start, stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True
    )
    if done.returncode != 0:
        raise KeeperError(f"The keeper did not start: {done.stderr.strip()} {_log_tail(folder)}")


def _wait_if_unused(folder: Path) -> bool:
    """Wait for the program's end if the last use is gone, and say so; under the start lock."""
    unused = _nobody_uses(folder)
    if unused:
        with _lock(folder / KEEPER_LOCK, fcntl.LOCK_SH):
            pass
    return unused


def _log_tail(folder: Path) -> str:
    """Return the last lines of the program's log, as a sentence for an error."""
    path = folder / LOG
    if not path.exists():
        return "It left no log."
    text = path.read_bytes()[-_LOG_TAIL_BYTES:].decode(errors="replace").strip()
    return f"The end of its log ({path}):\n{text}"


@contextmanager
def _lock(path: Path, how: int) -> Iterator[bool]:
    """Take a lock for the block, and yield whether it was free; without `LOCK_NB` wait for it."""
    lock = open_lock(path)
    try:
        try:
            fcntl.flock(lock, how)
            is_taken = True
        except BlockingIOError:
            is_taken = False
        yield is_taken
    finally:
        # Unlocked by name and not by closing alone: a thread may have forked a child meanwhile,
        # which holds a copy of the descriptor for as long as it lives.
        fcntl.flock(lock, fcntl.LOCK_UN)
        os.close(lock)


def _nobody_uses(folder: Path) -> bool:
    """Say whether the last use is gone; under the start lock, so that no newcomer comes."""
    with _lock(folder / USERS_LOCK, fcntl.LOCK_EX | fcntl.LOCK_NB) as is_free:
        # Even before the keeper had its turn; or it has the lock and is stopping.
        return is_free or is_held(folder / USERS_LOCK)


def is_held(path: Path) -> bool:
    """Say whether some process holds the lock exclusively."""
    with _lock(path, fcntl.LOCK_SH | fcntl.LOCK_NB) as is_free:
        return not is_free
