"""The keeper with a small program: who starts it, who waits, and that nothing is left."""

import fcntl
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from daybook.checkpoints.kept.keeper import LOG, OUTPUT, KeeperError, Kept, keep
from daybook.checkpoints.kept.process import KEEPER_LOCK
from daybook.state.clock import SYSTEM
from tests.integration.processes import (
    WAIT_LIMIT_S,
    User,
    keeper_and_program,
    lives,
    wait_for_end,
    wait_until_nothing_runs,
)

# Notes what it does in a journal. When told to stop it first waits for an end of file on the second
# argument, if there is one.
PROGRAM = """
import os, signal, sys

signals = {signal.SIGTERM, signal.SIGINT}
signal.pthread_sigmask(signal.SIG_BLOCK, signals)

def note(text):
    with open(sys.argv[1], "a") as journal:
        journal.write(f"{os.getpid()} {text}\\n")

note("started")
print(os.getpid(), flush=True)
got = signal.sigwait(signals)
note(f"stopping by {got.name}")
if len(sys.argv) > 2:
    open(sys.argv[2]).read()
note("stopped")
"""

KILLED_ONCE = """
import os, signal, sys
if not os.path.exists(sys.argv[1]):
    open(sys.argv[1], "w").close()
    os.kill(os.getpid(), signal.SIGKILL)
print(os.getpid(), flush=True)
signal.pause()
"""
NEVER_READY = "import signal; signal.pause()"
IGNORES_THE_STOP = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), flush=True)
while True:
    signal.pause()
"""
# Its child outlives it, until there is an end of file on the second argument.
LEAVES_A_CHILD = """
import os, signal, sys
if os.fork():
    print(os.getpid(), flush=True)
    signal.pause()
open(sys.argv[2]).read()
with open(sys.argv[1], "a") as journal:
    journal.write(f"{os.getpid()} stopped\\n")
"""

WAITING = "Waiting for processes of an earlier run, which still hold program.lock."

# Tests that run as a shell's background job ignore SIGINT, and so would what they start.
USE = """
import signal, sys
from pathlib import Path
from daybook.checkpoints.kept.keeper import OUTPUT, keep

signal.signal(signal.SIGINT, signal.default_int_handler)
folder = Path(sys.argv[1])
ready = lambda: (folder / OUTPUT).read_text().strip() or None
with keep(folder, [sys.executable, *sys.argv[2:]], ready=ready) as program:
    print(program.answer, flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A program's folder; the test ends only when keeper and program have."""
    path = tmp_path / "program"
    yield path
    wait_until_nothing_runs(path)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """A pipe with a name: who reads it waits until somebody has opened and closed it."""
    path = tmp_path / "gate"
    os.mkfifo(path)
    return path


@pytest.fixture
def users(folder: Path) -> Iterator[Callable[..., User]]:
    """Start processes that use the program, and kill those that still live."""
    with ExitStack() as started:

        def start_user(*program: str) -> User:
            return started.enter_context(User(USE, str(folder), *program))

        yield start_user


def keep_script(
    folder: Path,
    *program: str,
    stop_signal: signal.Signals = signal.SIGTERM,
    stop_limit: int = 30,
    limit: float = 30.0,
    private: Path | None = None,
) -> Kept[int]:
    """Keep a Python script that is ready when it has printed its process id."""

    def printed_pid() -> int | None:
        line = (folder / OUTPUT).read_text()
        return int(line) if line.endswith("\n") else None

    return keep(
        folder,
        [sys.executable, "-c", *program],
        ready=printed_pid,
        stop_signal=stop_signal,
        stop_limit=stop_limit,
        limit=limit,
        private=private,
    )


def open_gate(gate: Path) -> None:
    """Let through who waits at the gate, or comes there next."""
    gate.write_text("")


def notes(journal: Path) -> list[str]:
    return journal.read_text().splitlines()


def wait_for_note(journal: Path, note: str) -> None:
    """Wait until the journal has the note: a file tells nobody that it grew."""
    deadline = SYSTEM.monotonic() + WAIT_LIMIT_S
    while not (journal.exists() and note in notes(journal)):
        assert SYSTEM.monotonic() < deadline, f"never noted: {note}"
        SYSTEM.block(0.005)


def wait_until_blocked(pid: int) -> None:
    """Wait until a process waits for a lock of a file: the kernel lists it with an arrow."""
    deadline = SYSTEM.monotonic() + WAIT_LIMIT_S
    while True:
        lines = Path("/proc/locks").read_text().splitlines()
        if any("-> FLOCK" in line and f" {pid} " in line for line in lines):
            return
        assert SYSTEM.monotonic() < deadline, f"process {pid} never waited for a lock"
        SYSTEM.block(0.005)


def test_a_newcomer_during_the_stop_waits_for_a_program_of_its_own(
    folder: Path, journal: Path, gate: Path, users: Callable[..., User]
) -> None:
    last = users("-c", PROGRAM, str(journal), str(gate))
    old = last.line()
    last.kill()
    wait_for_note(journal, f"{old} stopping by SIGTERM")
    newcomer = users("-c", PROGRAM, str(journal))
    wait_until_blocked(newcomer.pid)
    open_gate(gate)
    new = newcomer.line()
    assert notes(journal)[-2:] == [f"{old} stopped", f"{new} started"]


def test_a_lock_that_a_killed_keeper_still_holds_stands_for_no_program(
    folder: Path, journal: Path
) -> None:
    with keep_script(folder, PROGRAM, str(journal)) as first:
        keeper, _ = keeper_and_program(folder)
        os.kill(keeper, signal.SIGKILL)
        for ended in (first.answer, keeper):
            wait_for_end(ended)
        # As a thread of the keeper would that is slow to end.
        held = (folder / KEEPER_LOCK).open()
        fcntl.flock(held, fcntl.LOCK_EX)
        asked = []

        def printed_pid() -> int | None:
            asked.append((folder / OUTPUT).read_text())
            if len(asked) == 2:
                held.close()
            return int(asked[-1]) if asked[-1] else None

        command = [sys.executable, "-c", PROGRAM, str(journal)]
        with keep(folder, command, ready=printed_pid) as second:
            held.close()
            assert asked[0] == f"{first.answer}\n"
            assert lives(second.answer)


def test_no_program_starts_while_one_of_a_killed_keeper_is_still_stopping(
    folder: Path, journal: Path, gate: Path, users: Callable[..., User]
) -> None:
    with keep_script(folder, PROGRAM, str(journal), str(gate)) as first:
        old = first.answer
        keeper, _ = keeper_and_program(folder)
        os.kill(keeper, signal.SIGKILL)
        wait_for_note(journal, f"{old} stopping by SIGTERM")
        newcomer = users("-c", PROGRAM, str(journal))
        wait_for_note(folder / LOG, WAITING)
        open_gate(gate)
        new = newcomer.line()
        assert notes(journal)[-2:] == [f"{old} stopped", f"{new} started"]


def test_no_program_starts_while_a_child_of_a_killed_one_lives(
    folder: Path, journal: Path, gate: Path, users: Callable[..., User]
) -> None:
    with keep_script(folder, LEAVES_A_CHILD, str(journal), str(gate)) as first:
        keeper, _ = keeper_and_program(folder)
        os.kill(first.answer, signal.SIGKILL)
        wait_for_end(keeper)
        newcomer = users("-c", PROGRAM, str(journal))
        wait_for_note(folder / LOG, WAITING)
        open_gate(gate)
        new = newcomer.line()
        child_stopped, new_started = notes(journal)
        assert child_stopped.endswith(" stopped")
        assert new_started == f"{new} started"


def test_an_interrupt_from_the_users_terminal_reaches_neither_keeper_nor_program(
    folder: Path, journal: Path, users: Callable[..., User]
) -> None:
    starter = users("-c", PROGRAM, str(journal))
    pid = int(starter.line())
    keeper, _ = keeper_and_program(folder)
    with keep_script(folder, PROGRAM, str(journal)) as other:
        os.killpg(starter.pid, signal.SIGINT)
        wait_for_end(starter.pid)
        assert os.getsid(keeper) != starter.pid
        assert os.getsid(pid) != starter.pid
        assert other.answer == pid
        assert notes(journal) == [f"{pid} started"]


def test_a_program_that_does_not_stop_is_killed_after_the_limit(folder: Path) -> None:
    with keep_script(folder, IGNORES_THE_STOP, stop_limit=1) as program:
        assert lives(program.answer)
    assert not lives(program.answer)


def test_a_program_that_is_never_ready_is_ended_before_the_error_is_raised(folder: Path) -> None:
    seen: list[int] = []

    def never() -> None:
        seen.append(keeper_and_program(folder)[1])

    with pytest.raises(KeeperError, match=r"not ready in 0\.3 s"):
        keep(folder, [sys.executable, "-c", NEVER_READY], ready=never, limit=0.3)
    assert seen
    assert not lives(seen[0])


def test_a_program_that_was_killed_while_it_started_is_started_again(
    folder: Path, tmp_path: Path
) -> None:
    with keep_script(folder, KILLED_ONCE, str(tmp_path / "killed")) as program:
        assert lives(program.answer)
