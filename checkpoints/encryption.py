"""What the database holds of a conversation, encrypted with a key that it does not hold.

Checkpoints, payloads of the ledger and results of reads; not the ledger's entries themselves, which
name steps, tools and times. The connections of a pool do it (see `Cipher.use`): what is wrapped as
`Confidential` is encrypted on its way in, and opened on its way out where it is selected together
with the row that it is of. What was written before a key was set is read as it stands.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncConnection, AsyncCursor
from psycopg.abc import Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.postgres import types
from psycopg.pq import Format
from psycopg.rows import DictRow, RowMaker, dict_row

from daybook.checkpoints.keys import Keys, Row
from daybook.checkpoints.statements import statements
from daybook.state.errors import CannotDecrypt, UnsafeCheckpoint

_SQL = statements("encryption.sql")

ENVELOPE = "daybook_sealed"
"""The key of the JSON object that stands for an encrypted value."""

OF = "daybook_of"
"""Beside it: the row whose value it is; the value opens in no other row."""

_GCM = "+gcm"
"""What the types of encrypted blobs end with."""

BLOB = ("thread_id", "checkpoint_ns", "channel", "version")
WRITE = ("thread_id", "checkpoint_ns", "checkpoint_id", "task_id", "idx")
CHECKPOINT = ("thread_id", "checkpoint_ns", "checkpoint_id")
"""By what columns the checkpointer's rows are named."""

_PLAIN = ("null", "bytes", "bytearray", "msgpack")

_PROOF = b"daybook"

_CLEAR_SALT = 16

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Confidential:
    """Wrap a JSON value that the database is given encrypted where there is a key.

    Attributes:
        row: whose value it is: the columns that name it, and `column` where it has several values.
        shown: what of it stays readable, at its place, for statements that look for it.
    """

    value: Any
    row: Row
    shown: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Closed:
    """Hold an encrypted value, as it was read, until the row that it is said to be of is known."""

    data: bytes
    row: Row


@dataclass(frozen=True)
class Sealed:
    """Wrap a plain value of a checkpoint, so that LangGraph keeps it among the encrypted ones."""

    value: Any


class StrictSerializer(JsonPlusSerializer):
    """Restore the types that it was told of, and nothing else: no pickle, no object out of JSON."""

    def __init__(self, stored_types: Sequence[type]) -> None:
        super().__init__(allowed_msgpack_modules=list(stored_types))

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Serialize a value."""
        return super().dumps_typed(obj.value if isinstance(obj, Sealed) else obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Restore a value.

        Raises:
            CannotDecrypt: it is encrypted: what rows hold is opened before.
            UnsafeCheckpoint: it is of a kind that Daybook never writes.
        """
        kind, stored = data
        if "+" in kind:
            raise CannotDecrypt
        if kind not in _PLAIN:
            raise UnsafeCheckpoint(kind)
        return super().loads_typed((kind, stored))


class Cipher:
    """Encrypt and decrypt nothing: there is no key."""

    is_on = False

    def serializer(self, stored_types: Sequence[type]) -> SerializerProtocol:
        """Make the serializer of checkpoints; types that are not named come back as plain data."""
        return StrictSerializer(stored_types)

    def sealed(self, value: Any, row: Row, shown: Mapping[str, Any] = _NOTHING) -> Any:
        """Return the JSON value that the database is given."""
        return value

    def read(self, stored: Any) -> Any:
        """Return a stored JSON value, `Closed` where it is encrypted.

        Raises:
            CannotDecrypt: it is encrypted, and names no row.
        """
        if isinstance(stored, dict) and ENVELOPE in stored:
            if not isinstance(row := stored.get(OF), dict):
                raise CannotDecrypt
            return Closed(base64.b64decode(stored[ENVELOPE]), row)
        return stored

    def opened(self, value: Any, row: Mapping[str, Any], column: str = "") -> Any:
        """Return what a value is that was read in a row.

        Args:
            row: what was selected: with the columns that name the value's row, or, where several
                rows are joined, with the same behind the column's own name (`body_seq`).
            column: where it stood.

        Raises:
            CannotDecrypt: no key that is here opens it, or it is another row's.
        """
        if type(value) is not Closed:
            return value
        found = {"column": column, **row}
        for name, named in value.row.items():
            if found.get(f"{column}_{name}", found.get(name, Closed)) != named:
                raise CannotDecrypt
        return json.loads(self.decrypt(value.data, value.row))

    def blinded(self, text: str) -> tuple[str, ...]:
        """Return by what a text is found in the database, the newest way first."""
        return (text,)

    def sealed_blob(self, kind: str, blob: bytes, row: Row) -> tuple[str, bytes]:
        """Return the type and the bytes that the database is given."""
        return kind, blob

    def opened_blob(self, kind: str, blob: bytes, row: Row) -> tuple[str, bytes]:
        """Return type and bytes of what a row holds, as they are without a key.

        Raises:
            CannotDecrypt: no key that is here opens it, or it is another row's.
        """
        if kind.endswith(_GCM):
            return kind.removesuffix(_GCM), self.decrypt(blob, row)
        return kind, blob

    def encrypt(self, data: bytes, row: Row) -> bytes:
        """Encrypt."""
        return data

    def decrypt(self, data: bytes, row: Row) -> bytes:
        """Decrypt.

        Raises:
            CannotDecrypt: no key that is here opens it, or it is another row's.
        """
        raise CannotDecrypt

    def salt(self, stored: bytes, row: Row) -> bytes:
        """Return the salt of a payload: one that is longer than our own is encrypted."""
        return stored if len(stored) == _CLEAR_SALT else self.decrypt(stored, row)

    def use(self, conn: AsyncConnection[Any]) -> None:
        """Make a connection encrypt what is `Confidential`, and read what is encrypted."""
        dumper, *loaders = self._adapters
        conn.adapters.register_dumper(Confidential, dumper)
        for loader in loaders:
            conn.adapters.register_loader("jsonb", loader)

    def rows(self, cursor: AsyncCursor[Any]) -> RowMaker[DictRow]:
        """Make rows as mappings, in which what is encrypted is opened (a row factory)."""
        make = dict_row(cursor)

        def opened(values: Sequence[Any]) -> DictRow:
            row = make(values)
            for name, value in row.items():
                if type(value) is Closed:
                    row[name] = self.opened(value, row, name)
            return row

        return opened

    @cached_property
    def _adapters(self) -> tuple[type[Dumper], type[Loader], type[Loader]]:
        """Make what psycopg is told of this cipher: once, it keeps classes for ever."""
        cipher = self

        class Sealing(Dumper):
            oid = types["jsonb"].oid

            def dump(self, obj: Confidential) -> bytes:
                sealed = cipher.sealed(obj.value, obj.row, obj.shown)
                return json.dumps(sealed, ensure_ascii=False).encode()

        class Opening(Loader):
            def load(self, data: Buffer) -> Any:
                return cipher.read(json.loads(bytes(data)))

        class BinaryOpening(Loader):
            format = Format.BINARY

            def load(self, data: Buffer) -> Any:
                # After the version of the format.
                return cipher.read(json.loads(bytes(data)[1:]))

        return Sealing, Opening, BinaryOpening

    async def prove(self, conn: AsyncConnection[Any], tenant_id: str) -> None:
        """See that a tenant's rows are of these keys; a newest key that is new is written down.

        A key that others do not have would leave rows that the next process cannot read.

        Raises:
            CannotDecrypt: some were written with a key that is not here.
        """
        if await _proofs(conn, tenant_id):
            raise CannotDecrypt


CLEAR = Cipher()
"""Encrypts nothing."""


class AesCipher(Cipher):
    """Encrypt with a key, and decrypt with it and with older ones (see `Keys`).

    Args:
        newest, older: each 16, 24 or 32 bytes.
    """

    is_on = True

    def __init__(self, newest: bytes, older: Sequence[bytes] = ()) -> None:
        self.keys = Keys(newest, older)

    def sealed(self, value: Any, row: Row, shown: Mapping[str, Any] = _NOTHING) -> Any:
        """Return the JSON value that the database is given."""
        text = json.dumps(value, ensure_ascii=False).encode()
        sealed = base64.b64encode(self.encrypt(text, row)).decode()
        return {**shown, ENVELOPE: sealed, OF: dict(row)}

    def blinded(self, text: str) -> tuple[str, ...]:
        """Return blind indexes, of which nobody guesses anything without the key."""
        return self.keys.blinded(text)

    def sealed_blob(self, kind: str, blob: bytes, row: Row) -> tuple[str, bytes]:
        """Return the type and the bytes that the database is given."""
        return f"{kind}{_GCM}", self.encrypt(blob, row)

    def is_newest_blob(self, kind: str, blob: bytes) -> bool:
        """Tell whether a blob is not encrypted at all, or with the newest key."""
        return "+" not in kind or (kind.endswith(_GCM) and self.keys.is_newest(blob))

    def encrypt(self, data: bytes, row: Row) -> bytes:
        """Encrypt; the key's id and the nonce stand before the text."""
        return self.keys.encrypt(data, row)

    def decrypt(self, data: bytes, row: Row) -> bytes:
        """Decrypt.

        Raises:
            CannotDecrypt: its key is not here, or it was changed, or is another row's.
        """
        return self.keys.decrypt(data, row)

    async def prove(self, conn: AsyncConnection[Any], tenant_id: str) -> None:
        """See that a tenant's rows are of these keys; a newest key that is new is written down.

        Raises:
            CannotDecrypt: some were written with a key that is not here.
        """
        about = {"tenant_id": tenant_id, "key_id": self.keys.newest.hex()}
        row = proof_of(tenant_id)
        if about["key_id"] not in self._known(await _proofs(conn, tenant_id), tenant_id):
            # Alone: of two processes that come with different keys, the second must see the first.
            async with conn.transaction():
                await conn.execute(_SQL["alone"], about)
                self._known(await _proofs(conn, tenant_id), tenant_id)
                await conn.execute(_SQL["begin"], {**about, "proof": self.encrypt(_PROOF, row)})

    def _known(self, proofs: Mapping[str, bytes], tenant_id: str) -> Mapping[str, bytes]:
        """Return proofs that are all opened by keys that are here.

        Raises:
            CannotDecrypt: one is not.
        """
        for proof in proofs.values():
            self.decrypt(proof, proof_of(tenant_id))
        return proofs


def proof_of(tenant_id: str) -> Row:
    """Name the row that proves a key."""
    return {"tenant_id": tenant_id, "column": "proof"}


def cipher_of(key: bytes | None, older: Sequence[bytes] = ()) -> Cipher:
    """Return the cipher of a key, and of those before it; without one nothing is encrypted."""
    return CLEAR if key is None else AesCipher(key, older)


async def _proofs(conn: AsyncConnection[Any], tenant_id: str) -> dict[str, bytes]:
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_SQL["proofs"], {"tenant_id": tenant_id})
        return {row["key_id"]: bytes(row["proof"]) for row in await cursor.fetchall()}
