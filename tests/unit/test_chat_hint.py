"""The command that is printed when a chat is left, and what a full disk is called."""

import errno
import shlex
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from daybook.app.cli.conversation import command_line
from daybook.app.conversations.chat import Given, continuing
from daybook.checkpoints.embedded import postgres as embedded
from daybook.checkpoints.kept.keeper import KeeperError
from daybook.checkpoints.reach import unavailable
from daybook.state.errors import EmbeddedPostgresError


@pytest.mark.parametrize(
    ("thread", "given", "command"),
    [
        ("t-1", Given(), "daybook chat --thread t-1"),
        ("t-1", Given("ada"), "daybook chat --thread t-1 --user ada"),
        (
            "my thread; rm x",
            Given("o'neil", "clerk", True),
            "daybook chat --thread 'my thread; rm x' --user 'o'\"'\"'neil' --role clerk --yes",
        ),
        ("-x", Given("-ada"), "daybook chat --thread=-x --user=-ada"),
        (
            "t-1",
            Given(merchants=("https://a.example",)),
            "daybook chat --thread t-1 --merchant https://a.example",
        ),
        (
            "t-1",
            Given(program=(".venv/bin/daybook", "--domain", "a:B")),
            ".venv/bin/daybook --domain a:B chat --thread t-1",
        ),
    ],
)
def test_the_command_to_continue_can_be_pasted(thread: str, given: Given, command: str):
    assert continuing(thread, given) == command
    assert shlex.split(command)[: len(given.program) + 1] == [*given.program, "chat"]


def test_the_command_is_the_one_that_was_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Pasted into the same shell it must be found, and serve the same domain."""
    script = tmp_path / "bin" / "daybook"
    script.parent.mkdir()
    script.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    assert command_line([str(script), "chat"], None, {}) == (str(script),)
    monkeypatch.setenv("PATH", str(script.parent))
    assert command_line([str(script), "chat"], None, {}) == ("daybook",)
    assert command_line([str(script)], "a:B", {}) == ("daybook", "--domain", "a:B")
    as_module = command_line(["/somewhere/app/__main__.py", "chat"], None, {})
    assert as_module == (sys.executable, "-m", "daybook.app")


def test_the_command_opens_what_this_one_has_opened(tmp_path: Path):
    """Where a variable stood before the command alone, the shell does not have it."""
    home = str(tmp_path / "a b's")
    called = command_line(
        ["/elsewhere/daybook"],
        None,
        {"DAYBOOK_HOME": home, "DAYBOOK_DOMAIN": "a:B", "DATABASE_URL": "postgres://x:secret@y"},
    )
    command = continuing("t-1", Given(program=called))
    assert shlex.split(command) == [
        *("env", f"DAYBOOK_HOME={home}", "DAYBOOK_DOMAIN=a:B"),
        *("/elsewhere/daybook", "chat", "--thread", "t-1"),
    ]
    assert "secret" not in command
    by_option = command_line(["/elsewhere/daybook"], "a:B", {"DAYBOOK_DOMAIN": "a:B"})
    assert by_option == ("/elsewhere/daybook", "--domain", "a:B")
    told = subprocess.run(
        ["sh", "-c", command.replace("/elsewhere/daybook chat", "printenv DAYBOOK_HOME #")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == home


@pytest.mark.parametrize(
    "error",
    [
        psycopg.errors.DiskFull("could not extend file: No space left on device"),
        psycopg.OperationalError('could not write to file "pg_wal/x": No space left on device'),
    ],
)
def test_a_full_disk_of_the_database_is_called_so(error: psycopg.Error):
    told = str(unavailable(error))
    assert "disk is full" in told
    assert "DATABASE_URL" not in told


def test_an_embedded_server_that_finds_no_room_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for error in (
        KeeperError("initdb: could not write to file: No space left on device"),
        OSError(errno.ENOSPC, "No space left on device"),
    ):

        def kept(*args: object, raised: Exception = error, **more: object) -> None:
            raise raised

        monkeypatch.setattr(embedded, "keep", kept)
        with pytest.raises(EmbeddedPostgresError, match="disk is full"):
            embedded.embedded_postgres(tmp_path)
