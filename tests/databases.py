"""Databases of the tests' server that live as long as their block."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg


def database_url(server_url: str, name: str) -> str:
    """Name another database of the same server."""
    return psycopg.conninfo.make_conninfo(server_url, dbname=name)


@contextmanager
def database(server_url: str, template: str | None = None) -> Iterator[str]:
    """Yield the URL of a new database, as its owner: a copy of `template`, or an empty one."""
    name = f"t_{uuid.uuid4().hex[:12]}"
    # By its files: through the log of the server it would be written twice.
    copied = f" template {template} strategy file_copy" if template else ""
    with psycopg.connect(server_url, autocommit=True) as conn:
        conn.execute(f"create database {name}{copied}")
        try:
            yield database_url(server_url, name)
        finally:
            conn.execute(f"drop database {name} with (force)")
