"""Encrypt anew what older keys wrote, so that they can be put away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, LiteralString

from psycopg import sql
from psycopg.errors import InsufficientPrivilege
from psycopg.types.json import Jsonb

from daybook.checkpoints.encryption import KEY_ID_BYTES, Cipher
from daybook.checkpoints.pool import Conn
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.statements import statements
from daybook.state.errors import ConfigurationError

_SQL = statements("encryption.sql")

_BATCH = 500

_ENVELOPE: LiteralString = "decode({column} ->> 'daybook_sealed', 'base64')"
_SALT: LiteralString = "case when octet_length({column}) > 16 then {column} end"
_BLOB: LiteralString = "case when type like '%%+gcm' then {column} end"

_EVERYWHERE: tuple[tuple[str, str, LiteralString], ...] = (
    ("ledger_payload", "body", _ENVELOPE),
    ("ledger_payload", "salt", _SALT),
    ("read_call", "args", _ENVELOPE),
    ("read_call", "result", _ENVELOPE),
    ("outside_event", "facts", _ENVELOPE),
    ("progress", "body", _ENVELOPE),
    ("checkpoints", "metadata", _ENVELOPE),
    ("checkpoint_blobs", "blob", _BLOB),
    ("checkpoint_writes", "blob", _BLOB),
)
"""Table, column, and what of it is encrypted; null where it is not."""


async def rekey(postgres: Postgres, cipher: Cipher) -> int:
    """Encrypt what is there with the newest key, forget the older ones; return how many values.

    Raises:
        ConfigurationError: the user of the connection does not own the database.
        CannotDecrypt: something is encrypted with a key that is not here.
    """
    async with postgres.as_owner() as conn:
        about = {"tenant_id": postgres.tenant_id, "newest": cipher.newest}
        try:
            count = 0
            for table, column, encrypted in _EVERYWHERE:
                while wrote := await _anew(conn, cipher, table, column, encrypted, about):
                    count += wrote
            count += await _remembered_anew(conn, cipher, about)
            await conn.execute(_SQL["drop_older"], {**about, "key_id": cipher.newest.hex()})
        except InsufficientPrivilege as error:
            raise ConfigurationError(
                "The user in DATABASE_URL may not write what the ledger holds: the owner of its "
                "tables may alone. What was encrypted anew stays so; run this with the URL of the "
                "owner."
            ) from error
    return count


async def _anew(
    conn: Conn,
    cipher: Cipher,
    table: str,
    column: str,
    encrypted: LiteralString,
    about: dict[str, Any],
) -> int:
    """Encrypt a batch of rows of a table anew; return how many there were."""
    names = {"table": sql.Identifier(table), "column": sql.Identifier(column)}
    # Locked until they are written: a row keeps its place so long.
    read = sql.SQL(
        "select ctid, {column} as it from {table} where tenant_id = %(tenant_id)s "
        f"and substring({encrypted} from 1 for {KEY_ID_BYTES}) <> %(newest)s "
        f"limit {_BATCH} for update"
    ).format(**names)
    write = sql.SQL("update {table} set {column} = %(becomes)s where ctid = %(ctid)s")
    anew = _ANEW[encrypted]
    async with conn.transaction():
        rows = await (await conn.execute(read, about)).fetchall()
        for row in rows:
            becomes = anew(cipher, row["it"])
            await conn.execute(write.format(**names), {"becomes": becomes, "ctid": row["ctid"]})
    return len(rows)


def _envelope_anew(cipher: Cipher, stored: dict[str, Any]) -> Jsonb:
    return Jsonb({**stored, **cipher.sealed(cipher.opened(stored))})


def _bytes_anew(cipher: Cipher, stored: bytes) -> bytes:
    return cipher.encrypt(cipher.decrypt("gcm", bytes(stored)))[1]


_ANEW: dict[str, Callable[[Cipher, Any], Jsonb | bytes]] = {
    _ENVELOPE: _envelope_anew,
    _SALT: _bytes_anew,
    _BLOB: _bytes_anew,
}


async def _remembered_anew(conn: Conn, cipher: Cipher, about: dict[str, Any]) -> int:
    """Encrypt what is remembered of users; it is found by a blind index of the same key."""
    count = 0
    for row in await (await conn.execute(_SQL["remembered"], about)).fetchall():
        fact = cipher.opened(row["value"])
        becomes = {"by": cipher.blinded(fact["subject"])[0], "becomes": Jsonb(cipher.sealed(fact))}
        was = {"user_id": row["user_id"], "found_by": row["found_by"], "was": Jsonb(row["value"])}
        count += (await conn.execute(_SQL["remember_anew"], {**about, **was, **becomes})).rowcount
    return count
