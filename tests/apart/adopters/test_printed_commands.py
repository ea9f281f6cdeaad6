"""Every command that README and pages print is run as printed, in a clone, or left for a reason.

The clone has an environment of its own, whose `daybook` has no working directory on `sys.path`.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from daybook.app.cli.root import COMMANDS
from tests.integration.keyboard import ROOT, Keyboard

LONGEST = 900.0
"""Seconds after which a page's commands are given up, on a machine that does much else."""

COMMAND = re.compile(
    r"(?:\$ )?((?:[A-Z_]+=\S+ )*(?:make|daybook|docker|git|npm|npx|curl|psql|pg_dump|pg_restore|uv"
    r"|langgraph|cd|export|(?:\S*bin/)?(?:pip|python3?|pytest|daybook))(?: .*)?)"
)

LEFT: Mapping[str, str] = {
    r"\.\.\.|example\.com|\bMODEL\b|127\.0\.0\.1|postgresql:///": "names what the reader has",
    r"^(psql|pg_dump|pg_restore|docker) ": "needs a server; tests/integration/test_restored.py",
    r"^(pip|\S+/pip) ": "installs; the long test sets a clone up, and CI installs the wheel",
    r"--domain |^python -m daybook\.testing ": "names the reader's module; test_testing_page.py",
    r"^make (serve|notebooks|live)\b": "runs until it is stopped; tests/apart/test_serve.py",
    r"^make test\b": "takes minutes; test_new_project.py runs it",
    r"daybook (worker|serve|shop)\b": "runs until it is stopped; tests/apart/test_worker.py",
    r"mcp inspect|chat --merchant": "needs another server; tests/mcp, tests/merchants",
    r"after_reply:": "is killed by itself; tests/apart/test_cli.py",
    r"--version 2\b": "needs a conversation that fills its prompt; tests/integration",
    r"^python -m evals\.": "measures for minutes; CI runs it by its target of make",
    r"LANGGRAPH_AES_KEY=|^export DATABASE_URL=": "sets what the commands behind it need",
}
"""Which commands are not run here, and why."""

FIRST = re.compile(r"daybook ledger sign ")
"""What makes the key and the heads that commands which are printed above it read."""


@dataclass(frozen=True)
class Fence:
    """A block of a page: its commands, in order."""

    page: str
    commands: tuple[str, ...]


def fences() -> list[Fence]:
    """Read the commands of README and all pages, without the remarks behind them."""
    found = []
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for block in re.findall(
            r"^```[^\n]*\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL
        ):
            lines = [COMMAND.fullmatch(line.strip()) for line in block.splitlines()]
            commands = tuple(re.split(r"\s{2,}#", one[1])[0].strip() for one in lines if one)
            if commands:
                found.append(Fence(page.name, commands))
    return found


def left(command: str) -> bool:
    return any(re.search(pattern, command) for pattern in LEFT)


def runnable() -> dict[str, list[list[str]]]:
    """Return the commands to run, by page and block; what others read is made first."""
    pages: dict[str, list[list[str]]] = {}
    for fence in fences():
        if commands := [one for one in fence.commands if not left(one)]:
            pages.setdefault(fence.page, []).append(commands)
    for blocks in pages.values():
        blocks.sort(key=lambda block: not any(map(FIRST.search, block)))
        for block in blocks:
            block.sort(key=lambda command: not FIRST.search(command))
    return {page: blocks for page, blocks in pages.items() if any(set(b) - {"cd"} for b in blocks)}


def test_every_command_and_target_that_is_named_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = page.read_text()
        # The stand-in understands "make it 3".
        assert set(re.findall(r"`make ([a-z-]+)", text)) - {"it"} <= targets, page.name
        named = re.findall(r"`(?:\.venv/bin/)?daybook (?:--domain \S+ )?([a-z][a-z-]*)", text)
        assert {*named} <= {*COMMANDS}, page.name


@dataclass(frozen=True)
class Clone:
    """A checkout as somebody else has it: its folder, and what is set in its shell."""

    folder: Path
    environment: Mapping[str, str]

    def runs(self, script: str) -> str:
        """Run lines of a shell, each of which must succeed, with nobody at the keyboard."""
        ended = subprocess.run(
            ["bash", "-ec", script],
            cwd=self.folder,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LONGEST,
        )
        assert ended.returncode == 0, f"{script}\n{ended.stdout}"
        return ended.stdout


def cloned(folder: Path) -> Clone:
    """Copy what is in version control, as it stands."""
    named = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, named.stdout.decode().split("\0")):
        if (source := ROOT / name).is_symlink() or source.exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, folder / name, follow_symlinks=False)
    (home := folder.parent / "home").mkdir()
    path = f"{folder}/.venv/bin:/usr/local/bin:/usr/bin:/bin"
    return Clone(folder, {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8"})


def prepared(clone: Clone) -> None:
    """Set the clone up without the network: its dependencies are those of this environment."""
    venv = clone.folder / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    (site,) = (venv / "lib").glob("python*/site-packages")
    # This checkout's own path is in no `.pth` of a folder that is added by one.
    (site / "clone.pth").write_text(f"{clone.folder / 'src'}\n{sysconfig.get_path('purelib')}\n")
    script = Path(sys.executable).with_name("daybook").read_text().partition("\n")[2]
    (venv / "bin/daybook").write_text(f"#!{venv}/bin/python\n{script}")
    (venv / "bin/daybook").chmod(0o755)
    for done in (".venv", ".run", ".dev"):
        (venv / done).touch()


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    one = cloned(tmp_path_factory.mktemp("fresh") / "daybook")
    prepared(one)
    return one


def runs_as_printed(clone: Clone, blocks: list[list[str]]) -> None:
    """Run the blocks of a page; THREAD stands for the id that a chat prints."""
    said = clone.runs("printf 'add BOOT-013\\n' | daybook chat --yes")
    thread = said.partition("thread ")[2].split()[0]
    for block in blocks:
        clone.runs("\n".join(block).replace("THREAD", thread))
        shutil.rmtree(clone.folder / "shopfront", ignore_errors=True)


@pytest.mark.parametrize("page", runnable())
def test_a_page_prints_commands_that_run(clone: Clone, page: str):
    runs_as_printed(clone, runnable()[page])


def test_ctrl_c_ends_make_run_without_an_error_of_make(clone: Clone):
    with Keyboard(clone.environment, "run", program=("make",), folder=clone.folder) as person:
        person.sees("> ")
        os.killpg(person.process.pid, signal.SIGINT)
        assert "Continue this conversation with: .venv/bin/daybook" in person.sees("Interrupted.")
        assert "make: ***" not in person.leaves()[0]


@pytest.mark.long
def test_a_fresh_clone_is_set_up_by_its_first_command(tmp_path: Path):
    clone = cloned(tmp_path / "daybook")
    said = clone.runs("make run")
    assert "Set up:" in said
    assert "[y" not in said
    runs_as_printed(clone, runnable()["README.md"])
