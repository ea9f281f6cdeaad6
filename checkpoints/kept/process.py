"""The keeper: a tiny process that is the parent of a shared program and ends it after its last use.

It runs as a script (`python -I -S process.py ...`) and imports the standard library alone, so that
it starts soon and no file of a working folder can stand in for a module.
`daybook.checkpoints.kept.keeper` is the side of the users; the four locks are explained there.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

START_LOCK = "start.lock"
USERS_LOCK = "users.lock"
KEEPER_LOCK = "keeper.lock"
PROGRAM_LOCK = "program.lock"
RECORD = "pids"
OUTPUT = "stdout"
LOG = "log"

_EARLIER_RUN_LIMIT_S = 30


def open_lock(path: str | os.PathLike[str]) -> int:
    """Open a lock file, made at need, and return its descriptor, closed on exec."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def main(folder: str, stop_signal: int, stop_limit: int, private: str, command: list[str]) -> None:
    """Detach, run `command` until its last user is gone, and end it.

    Args:
        folder: where the locks, the log and the program's output are.
        stop_signal: number of the signal that ends the program in order.
        stop_limit: whole seconds that the program may take to end before SIGKILL.
        private: a folder that is this user's alone and exists while the program runs, or "".
    """
    os.umask(0o077)
    # Held from before the caller sees this process return until the keeper is dead: whoever finds
    # it free knows that there is no keeper.
    fcntl.flock(open_lock(f"{folder}/{KEEPER_LOCK}"), fcntl.LOCK_EX | fcntl.LOCK_NB)
    _redirect_output(folder)
    if os.fork():
        os._exit(0)  # the keeper is nobody's child to wait for, and no session's leader
    program_lock = _program_lock(folder)
    if private:
        _make_private(private)
    # Emptied before the record stands: whoever sees the record reads no line of an earlier run.
    with open(f"{folder}/{OUTPUT}", "wb") as output:
        program = subprocess.Popen(
            command,
            stdout=output,
            pass_fds=[program_lock],
            preexec_fn=_dies_with(os.getpid(), stop_signal),
        )
    os.close(program_lock)
    _write_record(folder, program.pid)
    stopping = (folder, program, stop_signal, stop_limit)
    threading.Thread(target=_stop_after_last_use, args=stopping, daemon=True).start()
    code = program.wait()
    how = f"signal {-code}" if code < 0 else f"exit status {code}"
    os.write(2, f"The program ended with {how}.\n".encode())
    with suppress(FileNotFoundError):  # someone removed the whole folder meanwhile
        os.unlink(f"{folder}/{RECORD}")
    if private:
        shutil.rmtree(private, ignore_errors=True)


def _redirect_output(folder: str) -> None:
    """Send both outputs to a fresh log and keep the last run's: the caller's pipes must close."""
    log = f"{folder}/{LOG}"
    if os.path.exists(log):
        os.replace(log, f"{log}.old")
    opened = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(opened, 1)
    os.dup2(opened, 2)
    os.close(opened)


def _program_lock(folder: str) -> int:
    """Take the lock that the program and all its children inherit.

    While it is held, processes of an earlier run whose keeper or parent was killed are still alive:
    a second server over the same data would destroy them.
    """
    lock = open_lock(f"{folder}/{PROGRAM_LOCK}")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.write(2, b"Waiting for processes of an earlier run, which still hold program.lock.\n")
        signal.alarm(_EARLIER_RUN_LIMIT_S)  # SIGALRM ends a keeper that waits too long
        fcntl.flock(lock, fcntl.LOCK_EX)
        signal.alarm(0)
    return lock


def _make_private(path: str) -> None:
    """Make a folder for this user alone; in a shared place someone else may have been first."""
    with suppress(FileExistsError):  # of a keeper that was killed
        os.mkdir(path, 0o700)
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        sys.exit(f"{path} belongs to another user. Remove it first.")
    os.chmod(path, 0o700)


def _dies_with(keeper: int, stop_signal: int) -> Callable[[], None]:
    """Return what a child calls to be sent `stop_signal` when the keeper dies, SIGKILL included.

    Linux alone has it. Elsewhere a program outlives a killed keeper, and the next start waits for
    it under the program lock and says so.
    """
    prctl: Callable[..., int] | None = None
    if sys.platform.startswith("linux"):
        import ctypes

        prctl = ctypes.CDLL(None).prctl
    set_parent_death_signal = 1

    def follow() -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        if prctl is not None:
            prctl(set_parent_death_signal, stop_signal, 0, 0, 0)
        if os.getppid() != keeper:  # killed before the line above could take effect
            os._exit(1)

    return follow


def _write_record(folder: str, program: int) -> None:
    """Write the ids of keeper and program: it stands there while the program runs."""
    record = f"{folder}/{RECORD}"
    with open(f"{record}.new", "w") as file:
        file.write(f"{os.getpid()} {program}\n")
    os.replace(f"{record}.new", record)


def _stop_after_last_use(
    folder: str, program: subprocess.Popen[bytes], stop_signal: int, stop_limit: int
) -> None:
    """Wait until no user holds the users lock, keep it from new ones, and end the program."""
    fcntl.flock(open_lock(f"{folder}/{USERS_LOCK}"), fcntl.LOCK_EX)
    program.send_signal(stop_signal)
    try:
        program.wait(stop_limit)
    except subprocess.TimeoutExpired:
        program.kill()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5:])
