"""What the database holds of a conversation, encrypted with a key that it does not hold.

Checkpoints, payloads of the ledger and results of reads; not the ledger's entries themselves, which
name steps, tools and times. The connections of a pool do it (see `Cipher.use`): what is wrapped as
`Confidential` is encrypted on its way in, and opened on its way out wherever it is selected. What
was written before a key was set is read as it stands.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from langgraph.checkpoint.serde.base import CipherProtocol, SerializerProtocol
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncConnection
from psycopg.abc import Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.postgres import types
from psycopg.pq import Format
from psycopg.rows import DictRow, dict_row

from daybook.checkpoints.moved import MovedClasses
from daybook.checkpoints.statements import statements
from daybook.state.errors import CannotDecrypt, UnsafeCheckpoint

_SQL = statements("encryption.sql")

_ENVELOPE = "daybook_sealed"
"""The key of the JSON object that stands for an encrypted value."""

_PLAIN = ("null", "bytes", "bytearray", "msgpack")

_PROOF = b"daybook"

_CLEAR_SALT = 16

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Confidential:
    """Wrap a JSON value that the database is given encrypted where there is a key.

    Attributes:
        shown: what of it stays readable, at its place, for statements that look for it.
    """

    value: Any
    shown: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Sealed:
    """Wrap a plain value of a checkpoint, so that LangGraph keeps it among the encrypted ones."""

    value: Any


class StrictSerializer(JsonPlusSerializer):
    """Restore the types that it was told of, and nothing else: no pickle, no object out of JSON."""

    def __init__(self, stored_types: Sequence[type]) -> None:
        super().__init__(allowed_msgpack_modules=list(stored_types))
        self._moved = MovedClasses({(one.__module__, one.__name__) for one in stored_types})

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Serialize a value."""
        return super().dumps_typed(obj.value if isinstance(obj, Sealed) else obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Restore a value.

        Raises:
            CannotDecrypt: it is encrypted, and this process has no key.
            UnsafeCheckpoint: it is of a kind that Daybook never writes.
        """
        kind, stored = data
        if "+" in kind:
            raise CannotDecrypt
        if kind not in _PLAIN:
            raise UnsafeCheckpoint(kind)
        if kind == "msgpack":
            stored = self._moved.renamed(stored)
        return super().loads_typed((kind, stored))


class Cipher:
    """Encrypt and decrypt nothing: there is no key."""

    is_on = False

    def serializer(self, stored_types: Sequence[type]) -> SerializerProtocol:
        """Make the serializer of checkpoints; types that are not named come back as plain data."""
        return StrictSerializer(stored_types)

    def sealed(self, value: Any, shown: Mapping[str, Any] = _NOTHING) -> Any:
        """Return the JSON value that the database is given."""
        return value

    def opened(self, stored: Any) -> Any:
        """Return the value that a stored JSON value stands for.

        Raises:
            CannotDecrypt: it is encrypted, with another key or where this process has none.
        """
        if isinstance(stored, dict) and _ENVELOPE in stored:
            return json.loads(self.decrypt(base64.b64decode(stored[_ENVELOPE])))
        return stored

    def blinded(self, text: str) -> str:
        """Return by what a text is found in the database; the same for the same text."""
        return text

    def encrypt(self, data: bytes) -> bytes:
        """Encrypt."""
        return data

    def decrypt(self, data: bytes) -> bytes:
        """Decrypt.

        Raises:
            CannotDecrypt: the data were encrypted with another key.
        """
        raise CannotDecrypt

    def salt(self, stored: bytes) -> bytes:
        """Return the salt of a payload: one that is longer than our own is encrypted."""
        return self.decrypt(stored) if len(stored) > _CLEAR_SALT else stored

    def use(self, conn: AsyncConnection[Any]) -> None:
        """Make a connection encrypt what is `Confidential`, and open what it reads."""
        dumper, *loaders = self._adapters
        conn.adapters.register_dumper(Confidential, dumper)
        for loader in loaders:
            conn.adapters.register_loader("jsonb", loader)

    @cached_property
    def _adapters(self) -> tuple[type[Dumper], type[Loader], type[Loader]]:
        """Make what psycopg is told of this cipher: once, it keeps classes for ever."""
        cipher = self

        class Sealing(Dumper):
            oid = types["jsonb"].oid

            def dump(self, obj: Confidential) -> bytes:
                return json.dumps(cipher.sealed(obj.value, obj.shown), ensure_ascii=False).encode()

        class Opening(Loader):
            def load(self, data: Buffer) -> Any:
                return cipher.opened(json.loads(bytes(data)))

        class BinaryOpening(Loader):
            format = Format.BINARY

            def load(self, data: Buffer) -> Any:
                # After the version of the format.
                return cipher.opened(json.loads(bytes(data)[1:]))

        return Sealing, Opening, BinaryOpening

    async def prove(self, conn: AsyncConnection[Any], tenant_id: str) -> None:
        """See that a tenant's rows are of this key; the first key that comes is written down.

        A second key, or none, would leave rows that the next process cannot read.

        Raises:
            CannotDecrypt: they were written with another key.
        """
        if await _proof(conn, tenant_id) is not None:
            raise CannotDecrypt


CLEAR = Cipher()
"""Encrypts nothing."""


class AesCipher(Cipher):
    """Encrypt and decrypt with AES in EAX mode, as LangGraph does with `LANGGRAPH_AES_KEY`.

    Args:
        key: 16, 24 or 32 bytes.
    """

    is_on = True

    def __init__(self, key: bytes) -> None:
        self._aes = EncryptedSerializer.from_pycryptodome_aes(key=key).cipher
        # Another key than the cipher's: one key serves one purpose.
        self._blinding = hashlib.sha256(b"daybook: blind index" + key).digest()

    def serializer(self, stored_types: Sequence[type]) -> SerializerProtocol:
        """Make the serializer of checkpoints; those from before the key are restored as well."""
        return EncryptedSerializer(_Telling(self), super().serializer(stored_types))

    def sealed(self, value: Any, shown: Mapping[str, Any] = _NOTHING) -> Any:
        """Return the JSON value that the database is given."""
        text = json.dumps(value, ensure_ascii=False).encode()
        return {**shown, _ENVELOPE: base64.b64encode(self.encrypt(text)).decode()}

    def blinded(self, text: str) -> str:
        """Return a blind index: a keyed hash, from which nothing can be guessed without the key."""
        return hmac.new(self._blinding, text.encode(), hashlib.sha256).hexdigest()

    def encrypt(self, data: bytes) -> bytes:
        """Encrypt; nonce and tag stand before the text."""
        return self._aes.encrypt(data)[1]

    def decrypt(self, data: bytes) -> bytes:
        """Decrypt.

        Raises:
            CannotDecrypt: the data were encrypted with another key, or changed since.
        """
        try:
            return self._aes.decrypt("aes", data)
        except ValueError as error:
            raise CannotDecrypt from error

    async def prove(self, conn: AsyncConnection[Any], tenant_id: str) -> None:
        """See that a tenant's rows are of this key; the first key that comes is written down.

        Raises:
            CannotDecrypt: they were written with another key.
        """
        proof = await _proof(conn, tenant_id)
        if proof is None:
            about = {"tenant_id": tenant_id, "proof": self.encrypt(_PROOF)}
            await conn.execute(_SQL["begin"], about)
            # Another process may have been first, with another key.
            proof = await _proof(conn, tenant_id)
        assert proof is not None
        self.decrypt(proof)


class _Telling(CipherProtocol):
    """Say in a sentence what LangGraph's own cipher says in a traceback."""

    def __init__(self, cipher: Cipher) -> None:
        self._cipher = cipher

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        return "aes", self._cipher.encrypt(plaintext)

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        if ciphername != "aes":
            raise CannotDecrypt
        return self._cipher.decrypt(ciphertext)


def cipher_of(key: bytes | None) -> Cipher:
    """Return the cipher of a key; without one nothing is encrypted."""
    return CLEAR if key is None else AesCipher(key)


async def _proof(conn: AsyncConnection[Any], tenant_id: str) -> bytes | None:
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_SQL["proof"], {"tenant_id": tenant_id})
        row: DictRow | None = await cursor.fetchone()
    return bytes(row["proof"]) if row else None
