"""Re-encrypt what older keys encrypted, so that they can be retired."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, LiteralString, TypeAlias

from psycopg import sql
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from daybook.checkpoints.encryption import KEY_ID_BYTES, Cipher
from daybook.checkpoints.pool import Conn
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.statements import statements

_SQL = statements("encryption.sql")

_BATCH = 500

_ENVELOPE: LiteralString = "decode({column} ->> 'daybook_sealed', 'base64')"
_SALT: LiteralString = "case when octet_length({column}) > 16 then {column} end"
_BLOB: LiteralString = "case when type like '%%+gcm' then {column} end"


def _envelope_anew(cipher: Cipher, stored: dict[str, Any]) -> Jsonb:
    return Jsonb({**stored, **cipher.sealed(cipher.decrypt_value(stored))})


def _bytes_anew(cipher: Cipher, stored: bytes) -> bytes:
    return cipher.encrypt(cipher.decrypt("gcm", bytes(stored)))[1]


_Anew: TypeAlias = Callable[[Cipher, Any], Jsonb | bytes]

_EVERYWHERE: tuple[tuple[str, str, LiteralString, _Anew], ...] = (
    ("ledger_payload", "body", _ENVELOPE, _envelope_anew),
    ("ledger_payload", "salt", _SALT, _bytes_anew),
    ("read_call", "args", _ENVELOPE, _envelope_anew),
    ("read_call", "result", _ENVELOPE, _envelope_anew),
    ("outside_event", "facts", _ENVELOPE, _envelope_anew),
    ("progress", "body", _ENVELOPE, _envelope_anew),
    ("checkpoints", "metadata", _ENVELOPE, _envelope_anew),
    ("checkpoint_blobs", "blob", _BLOB, _bytes_anew),
    ("checkpoint_writes", "blob", _BLOB, _bytes_anew),
)
"""Table, column, what of it is encrypted (null where it is not), and what encrypts it again."""


async def rekey(postgres: Postgres, cipher: Cipher) -> int:
    """Encrypt what is there with the newest key, forget the older ones; return how many values.

    Raises:
        ConfigurationError: the user of the connection does not own the database.
        CannotDecrypt: something is encrypted with a key that is not here.
    """
    about = {"tenant_id": postgres.tenant_id, "newest": cipher.newest}
    count = 0
    async with postgres.as_owner("write what the ledger holds") as conn:
        for table, column, encrypted, anew in _EVERYWHERE:
            names = {"table": sql.Identifier(table), "column": sql.Identifier(column)}
            # Locked until they are written: a row keeps its place so long.
            read = sql.SQL(
                "select ctid, {column} as it from {table} where tenant_id = %(tenant_id)s "
                f"and substring({encrypted} from 1 for {KEY_ID_BYTES}) <> %(newest)s "
                f"limit {_BATCH} for update"
            ).format(**names)
            write = sql.SQL("update {table} set {column} = %(it)s where ctid = %(ctid)s")
            rows: list[DictRow] | None = None
            while rows is None or rows:
                async with conn.transaction():
                    rows = await (await conn.execute(read, about)).fetchall()
                    for row in rows:
                        await conn.execute(
                            write.format(**names), {**row, "it": anew(cipher, row["it"])}
                        )
                count += len(rows)
        count += await _remembered_anew(conn, cipher, about)
        await conn.execute(_SQL["drop_older"], {**about, "key_id": cipher.newest.hex()})
    return count


async def _remembered_anew(conn: Conn, cipher: Cipher, about: dict[str, Any]) -> int:
    """Encrypt what is remembered of users; it is found by a blind index of the same key."""
    count = 0
    for row in await (await conn.execute(_SQL["remembered"], about)).fetchall():
        fact = cipher.decrypt_value(row["value"])
        becomes = {"by": cipher.blinded(fact["subject"])[0], "becomes": Jsonb(cipher.sealed(fact))}
        was = {"user_id": row["user_id"], "found_by": row["found_by"], "was": Jsonb(row["value"])}
        count += (await conn.execute(_SQL["remember_anew"], {**about, **was, **becomes})).rowcount
    return count
