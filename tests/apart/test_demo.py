"""`daybook demo`: what it shows is so, and nothing of it is left."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.processes import REPOSITORY, lives

PATIENCE = 120.0
README = REPOSITORY / "README.md"


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start the demo, as the README says, with a folder of its own for temporary things."""
    process = subprocess.Popen(
        [Path(sys.executable).with_name("daybook"), "demo"],
        cwd=REPOSITORY,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def nothing_is_left(demo: subprocess.Popen[str], folder: Path) -> None:
    """See that neither a file nor a process of the demo is left."""
    assert list(folder.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.killpg(demo.pid, 0)
    # Postgres, the shops and their keepers have sessions of their own; each is told its folder.
    told = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    assert [pid.name for pid in told if str(folder).encode() in command_of(pid)] == []


def command_of(process: Path) -> bytes:
    """Read a process's command line; nothing where it has just ended."""
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def columns(out: str, row: str) -> list[str]:
    """Return what stands beside the name of a row."""
    (line,) = re.findall(rf"^{row}  +(.*)$", out, re.MULTILINE)
    return re.split(r"  +", line.strip())


def shape(text: str) -> str:
    """Leave out what is another in each run: numbers, ids, a machine's name, where lines fold."""
    words = (word for word in text.split() if not set(word) <= {"─"})
    return " ".join("#" if re.search(r"\d{3}|/tmp|…|-\d+-|[0-9a-f]{6}", w) else w for w in words)


def test_it_charges_once_and_a_loop_charges_twice(demo: subprocess.Popen[str], tmp_path: Path):
    out, err = demo.communicate(timeout=PATIENCE)
    assert (err, demo.returncode) == ("", 0), out
    assert columns(out, "charges at the shop") == ["1", "2"]
    assert columns(out, "the customer paid") == ["131.90 USD", "263.80 USD"]
    for same in ("orders", "emails"):
        assert columns(out, same) == ["1", "1"]
    assert columns(out, "repeated model calls") == ["0", "1"]
    assert columns(out, "model calls")[0] == "4 (3 before the kill)"
    ledger = out.split("4. What Daybook's ledger holds")[1].split("5. What")[0]
    events = re.findall(r"\d\d:\d\d:\d\d\.\d{3}   (\w+)", ledger)
    assert events == ["intended", "attempted", "SIGKILL", "found"]
    dead, alive = re.findall(r"! SIGKILL \(process (\d+)\)", out)
    assert f"-{dead}-" in ledger, "the process that was killed is the one that had claimed it"
    assert not lives(int(dead))
    assert not lives(int(alive))
    assert "✗" not in out
    assert shape(out) in shape((REPOSITORY / "docs/tutorial.md").read_text())
    [quoted] = re.findall(r"^ +Daybook   Loop.*?(?=^```)", README.read_text(), re.M | re.S)
    assert shape(quoted) in shape(out)
    assert "\x1b" not in out
    nothing_is_left(demo, tmp_path)


@pytest.mark.long
def test_it_leaves_nothing_after_ctrl_c(demo: subprocess.Popen[str], tmp_path: Path):
    assert demo.stdout is not None
    while "charge: attempt 1" not in (line := demo.stdout.readline()):
        assert line, demo.communicate()
    os.killpg(demo.pid, signal.SIGINT)
    _, err = demo.communicate(timeout=PATIENCE)
    assert demo.returncode == 130
    assert "stopped and removed" in err
    nothing_is_left(demo, tmp_path)
