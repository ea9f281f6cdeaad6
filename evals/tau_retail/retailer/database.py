"""The retailer's SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SCHEMA = Path(__file__).with_name("schema.sql")
_VERSION = 1


def connect(path: Path) -> sqlite3.Connection:
    """Open the file, and create its tables when it is new.

    Raises:
        RuntimeError: it was written by another version of the schema.
    """
    connection = sqlite3.connect(path, isolation_level=None, timeout=10)
    connection.row_factory = sqlite3.Row
    connection.execute("pragma journal_mode = wal")
    # It outlives its own process, which is all that is asked of it.
    connection.execute("pragma synchronous = off")
    (version,) = connection.execute("pragma user_version").fetchone()
    if version == 0:
        connection.executescript(
            f"begin immediate;\n{_SCHEMA.read_text(encoding='utf-8')}\n"
            f"pragma user_version = {_VERSION};\ncommit;"
        )
    elif version != _VERSION:
        connection.close()
        raise RuntimeError(f"{path} has schema version {version}, this retailer reads {_VERSION}")
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do all that stands inside, or nothing."""
    connection.execute("begin immediate")
    try:
        yield
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")
