"""Encrypt anew, with the newest key, what a tenant's rows hold by older ones: as the owner.

Beside processes at work, and again after having been stopped: a row is written where it still holds
what was read. What was never encrypted stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection, sql
from psycopg.errors import InsufficientPrivilege
from psycopg.rows import dict_row

from daybook.checkpoints.encryption import (
    BLOB,
    CHECKPOINT,
    ENVELOPE,
    OF,
    WRITE,
    AesCipher,
)
from daybook.checkpoints.keys import Row
from daybook.checkpoints.pool import Conn
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.statements import statements
from daybook.state.errors import ConfigurationError

_SQL = statements("encryption.sql")

_BATCH = 500


@dataclass(frozen=True)
class _Kept:
    """Where something encrypted stands.

    Attributes:
        row: the columns that name its row; `column` where that has several values.
        found_by: the table's key.
        kind: of a blob, the column of its type.
    """

    table: str
    column: str
    row: tuple[str, ...]
    found_by: tuple[str, ...]
    kind: str | None = None


_PAYLOAD = ("thread_id", "seq")
_READ = ("thread_id", "turn_id", "call")
_TOLD = ("source", "event_id")

_EVERYWHERE = (
    _Kept("ledger_payload", "body", _PAYLOAD, _PAYLOAD),
    _Kept("ledger_payload", "salt", (*_PAYLOAD, "column"), _PAYLOAD),
    _Kept("read_call", "args", (*_READ, "column"), _READ),
    _Kept("read_call", "result", (*_READ, "column"), _READ),
    _Kept("outside_event", "facts", (*_TOLD, "column"), _TOLD),
    _Kept("progress", "body", ("thread_id", "epoch", "covers", "last"), ("thread_id", "version")),
    _Kept("checkpoints", "metadata", CHECKPOINT, CHECKPOINT),
    _Kept("checkpoint_blobs", "blob", BLOB, BLOB, kind="type"),
    _Kept("checkpoint_writes", "blob", WRITE, WRITE, kind="type"),
)
"""What is remembered of people is found by its key too, and so is written as it is remembered."""


async def rekey(postgres: Postgres, cipher: AesCipher) -> int:
    """Encrypt what is there with the newest key, forget the older ones; return how many values.

    Raises:
        ConfigurationError: the user of the connection does not own the database.
        CannotDecrypt: something is encrypted with a key that is not here.
    """
    async with await AsyncConnection.connect(
        postgres.url, autocommit=True, row_factory=dict_row
    ) as conn:
        about = {"tenant_id": postgres.tenant_id, "key_id": cipher.keys.newest.hex()}
        await conn.execute("select set_config('daybook.tenant', %s, false)", (postgres.tenant_id,))
        try:
            count = 0
            for kept in _EVERYWHERE:
                count += await _anew(conn, cipher, kept, postgres.tenant_id)
            count += await _remembered_anew(conn, cipher, postgres.tenant_id)
            await conn.execute(_SQL["drop_older"], about)
        except InsufficientPrivilege as error:
            raise ConfigurationError(
                "The user in DATABASE_URL may not write what the ledger holds: the owner of its "
                "tables may alone. What was encrypted anew stays so; run this with the URL of the "
                "owner."
            ) from error
    return count


async def _anew(conn: Conn, cipher: AesCipher, kept: _Kept, tenant_id: str) -> int:
    """Encrypt one column of a table anew, a batch of rows after the other."""
    count = 0
    async for found in _rows(conn, kept, tenant_id):
        row = {name: kept.column if name == "column" else found[name] for name in kept.row}
        if (anew := _sealed_anew(cipher, kept, found, row)) is not None:
            wrote = await conn.execute(_write(kept), {**found, **anew, "was": found["it"]})
            count += wrote.rowcount
    return count


async def _rows(conn: Conn, kept: _Kept, tenant_id: str) -> AsyncIterator[Mapping[str, Any]]:
    after: dict[str, Any] = {}
    while True:
        about = {**after, "tenant_id": tenant_id, "most": _BATCH}
        found = await (await conn.execute(_read(kept, is_first=not after), about)).fetchall()
        for row in found:
            yield row
        if len(found) < _BATCH:
            return
        after = {name: found[-1][name] for name in kept.found_by}


def _read(kept: _Kept, *, is_first: bool) -> sql.Composed:
    by = sql.SQL(", ").join(map(sql.Identifier, kept.found_by))
    names = {*kept.found_by, *kept.row} - {"column"} | ({kept.kind} if kept.kind else set())
    after = sql.SQL("and ({}) > ({})").format(
        by, sql.SQL(", ").join(map(sql.Placeholder, kept.found_by))
    )
    return sql.SQL(
        "select {names}, {it} as it from {table} where tenant_id = %(tenant_id)s "
        "and {column} is not null {after} order by {by} limit %(most)s"
    ).format(
        names=sql.SQL(", ").join(map(sql.Identifier, sorted(names))),
        it=_raw(kept),
        table=sql.Identifier(kept.table),
        column=sql.Identifier(kept.column),
        after=sql.SQL("") if is_first else after,
        by=by,
    )


def _write(kept: _Kept) -> sql.Composed:
    """Write a value where it is still what was read."""
    sets = [sql.SQL("{} = {}").format(sql.Identifier(kept.column), _given(kept, "becomes"))]
    if kept.kind:
        sets.append(sql.SQL("{} = %(kind)s").format(sql.Identifier(kept.kind)))
    at = [sql.SQL("{} = {}").format(sql.Identifier(n), sql.Placeholder(n)) for n in kept.found_by]
    return sql.SQL("update {table} set {sets} where {at} and {column} = {was}").format(
        table=sql.Identifier(kept.table),
        sets=sql.SQL(", ").join(sets),
        at=sql.SQL(" and ").join(at),
        column=sql.Identifier(kept.column),
        was=_given(kept, "was"),
    )


def _raw(kept: _Kept) -> sql.Composable:
    column = sql.Identifier(kept.column)
    return column if _is_bytes(kept) else sql.SQL("{}::text").format(column)


def _given(kept: _Kept, name: str) -> sql.Composable:
    value = sql.Placeholder(name)
    return value if _is_bytes(kept) else sql.SQL("{}::jsonb").format(value)


def _is_bytes(kept: _Kept) -> bool:
    return kept.kind is not None or kept.column == "salt"


def _sealed_anew(
    cipher: AesCipher, kept: _Kept, found: Mapping[str, Any], row: Row
) -> dict[str, Any] | None:
    """Return a value as it is to be written; None where it stays as it is."""
    it = found["it"]
    if kept.kind is not None:
        kind, blob = found[kept.kind], bytes(it)
        if cipher.is_newest_blob(kind, blob):
            return None
        kind, blob = cipher.sealed_blob(*cipher.opened_blob(kind, blob, row), row)
        return {"kind": kind, "becomes": blob}
    if kept.column == "salt":
        plain = cipher.salt(bytes(it), row)
        is_kept = plain == bytes(it) or cipher.keys.is_newest(bytes(it))
        return None if is_kept else {"becomes": cipher.encrypt(plain, row)}
    value = json.loads(it)
    if kept.column != "metadata":
        anew = _envelope_anew(cipher, value, row, kept.column)
    else:
        # What clients put beside a checkpoint stands within.
        within = _envelope_anew(cipher, value.get("sealed"), row, kept.column)
        anew = None if within is None else {**value, "sealed": within}
    return None if anew is None else {"becomes": json.dumps(anew)}


def _envelope_anew(cipher: AesCipher, envelope: Any, row: Row, column: str) -> Any:
    if not isinstance(envelope, dict) or ENVELOPE not in envelope:
        return None
    read = cipher.read(envelope)
    if cipher.keys.is_newest(read.data):
        return None
    shown = {name: what for name, what in envelope.items() if name not in (ENVELOPE, OF)}
    return cipher.sealed(cipher.opened(read, row, column), row, shown)


async def _remembered_anew(conn: Conn, cipher: AesCipher, tenant_id: str) -> int:
    """Encrypt what is remembered of people; it is found by a blind index of the same key."""
    count = 0
    about = {"tenant_id": tenant_id}
    for found in await (await conn.execute(_SQL["remembered"], about)).fetchall():
        place = {"prefix": found["prefix"], "key": found["key"]}
        envelope = json.loads(found["it"])
        if _envelope_anew(cipher, envelope, place, "value") is None:
            continue
        fact = cipher.opened(cipher.read(envelope), place)
        by = cipher.blinded(fact["subject"])[0]
        becomes = json.dumps(cipher.sealed(fact, {**place, "key": by}))
        wrote = await conn.execute(
            _SQL["remember_anew"], {**place, "by": by, "becomes": becomes, "was": found["it"]}
        )
        count += wrote.rowcount
    return count
