"""The command that is printed when a chat is left, and what a full disk is called."""

import errno
from pathlib import Path

import psycopg
import pytest

from daybook.checkpoints.embedded import postgres as embedded
from daybook.checkpoints.kept.keeper import KeeperError
from daybook.checkpoints.reach import unavailable
from daybook.state.errors import EmbeddedPostgresError


@pytest.mark.parametrize(
    "error",
    [
        psycopg.errors.DiskFull("could not extend file: No space left on device"),
        psycopg.OperationalError('could not write to file "pg_wal/x": No space left on device'),
    ],
)
def test_a_full_disk_of_the_database_is_called_so(error: psycopg.Error):
    told = str(unavailable(error))
    assert "disk" in told
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
        with pytest.raises(EmbeddedPostgresError, match="disk"):
            embedded.embedded_postgres(tmp_path)
