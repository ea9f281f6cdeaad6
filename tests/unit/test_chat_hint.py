"""The command that is printed when a chat is left, and what a full disk is called."""

import errno
import sys
from pathlib import Path

import psycopg
import pytest

from daybook.app.conversations.chat import continuing
from daybook.checkpoints.embedded import postgres as embedded
from daybook.checkpoints.kept.keeper import KeeperError
from daybook.checkpoints.reach import unavailable
from daybook.state.errors import EmbeddedPostgresError


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (["/bin/daybook", "chat"], "/bin/daybook chat --thread t-1"),
        (["daybook", "chat", "--thread", "t-9"], "daybook chat --thread t-9"),
        (["daybook", "chat", "--thread=-x", "--yes"], "daybook chat --thread=-x --yes"),
        (
            ["daybook", "--domain", "a:B", "chat", "--user", "o'neil"],
            "daybook --domain a:B chat --user 'o'\"'\"'neil' --thread t-1",
        ),
        (
            ["/somewhere/app/__main__.py", "chat"],
            f"{sys.executable} -m daybook.app chat --thread t-1",
        ),
    ],
)
def test_the_command_to_continue_is_the_one_that_was_called(argv: list[str], command: str):
    assert continuing(argv, "t-1") == command


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
