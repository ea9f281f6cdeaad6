"""Encryption of the threads' data, with a key that the database does not have.

Checkpoints (by LangGraph's `EncryptedSerializer`), payloads of the ledger and results of reads; not
the ledger's entries themselves, which name steps, tools and times. AES-GCM, with the id of the key
before the nonce: older keys read what they wrote. The connections of a pool encrypt what is wrapped
as `Confidential` and decrypt it where it is selected (see `Cipher.use`). What was written before a
key was set is read as it stands.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import ormsgpack
from langchain_core.messages import BaseMessage
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer, _msgpack_default, _option
from psycopg import AsyncConnection
from psycopg.abc import Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.postgres import types
from psycopg.pq import Format

from daybook.checkpoints.statements import statements
from daybook.state.errors import CannotDecrypt, UnsafeCheckpoint
from daybook.state.extras import from_extra

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_SQL = statements("encryption.sql")

ENVELOPE = "daybook_sealed"
"""The key of the JSON object that stands for an encrypted value."""

_PLAIN_VALUE = "plain"
"""Beside that key: an object that anybody else made with it, and that stands as it is."""

KEY_ID_BYTES = 8
_NONCE_BYTES = 12
_CLEAR_SALT = 16

_NAME = "gcm"
"""What the types of encrypted blobs end with, after a plus."""

_PLAIN = ("null", "bytes", "bytearray", "msgpack")

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


_REMEMBERED = 2_000
"""Messages that a process remembers packed, and as many as it has unpacked."""

_JSONB_VERSION = b"\x01"
"""What stands before a JSON document where Postgres sends or takes it in its binary format."""

_IS_MESSAGE = b"langchain_core.messages"
"""What LangGraph writes in front of a message: where its class is."""


class StrictSerializer(JsonPlusSerializer):
    """Restore the types that it was told of, and nothing else: no pickle, no object out of JSON.

    All messages of a thread stand in each checkpoint that adds one. So a message is packed once and
    unpacked once, as long as it is remembered: what was written of it does not change.
    """

    def __init__(self, stored_types: Sequence[type]) -> None:
        super().__init__(allowed_msgpack_modules=list(stored_types))
        self._packed: dict[int, tuple[BaseMessage, str | None, Any]] = {}
        unpacked = self._unpack_ext_hook
        remembered = lru_cache(_REMEMBERED)(unpacked)
        self._unpack_ext_hook = lambda code, data: (
            remembered(code, data) if _IS_MESSAGE in data[:40] else unpacked(code, data)
        )

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Serialize a value."""
        if isinstance(obj, list) and obj and isinstance(obj[0], BaseMessage):
            return "msgpack", ormsgpack.packb(obj, default=self._pack, option=_option)
        return super().dumps_typed(obj.value if isinstance(obj, Sealed) else obj)

    def _pack(self, obj: Any) -> Any:
        if not isinstance(obj, BaseMessage):
            return _msgpack_default(obj)
        # Kept with it, no other object has its id. A message is given its own when it is stored.
        known = self._packed.get(id(obj))
        if known is not None and known[0] is obj and known[1] == obj.id:
            return known[2]
        if len(self._packed) >= _REMEMBERED:
            self._packed.clear()
        packed = _msgpack_default(obj)
        self._packed[id(obj)] = obj, obj.id, packed
        return packed

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Restore a value.

        Raises:
            CannotDecrypt: it is encrypted.
            UnsafeCheckpoint: it is of a kind that Daybook never writes.
        """
        kind, stored = data
        if "+" in kind:
            raise CannotDecrypt
        if kind not in _PLAIN:
            raise UnsafeCheckpoint(kind)
        return super().loads_typed((kind, stored))


class Cipher:
    """Encrypt with the newest key, decrypt with it and with older ones; without one write plain.

    Args:
        newest, older: each 16, 24 or 32 bytes.

    Raises:
        NotInstalled: there is a key, and the extra `encryption` is not installed.
    """

    def __init__(self, newest: bytes | None = None, older: Sequence[bytes] = ()) -> None:
        keys = (newest, *older) if newest is not None else ()
        self._ids = [_derived("key id", key)[:KEY_ID_BYTES] for key in keys]
        self._aead = [_aead(_derived("rows", key)) for key in keys]
        self._blinding = [_derived("blind index", key) for key in keys]

    @property
    def is_on(self) -> bool:
        """Tell whether there is a key."""
        return bool(self._aead)

    @property
    def newest(self) -> bytes:
        """Return the id of the key that writes."""
        return self._ids[0]

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        """Encrypt what a checkpoint holds (LangGraph's `CipherProtocol`)."""
        nonce = os.urandom(_NONCE_BYTES)
        return _NAME, self.newest + nonce + self._aead[0].encrypt(nonce, plaintext, None)

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        """Decrypt (LangGraph's `CipherProtocol`).

        Raises:
            CannotDecrypt: its key is not here, or it was changed.
        """
        key_id, rest = ciphertext[:KEY_ID_BYTES], ciphertext[KEY_ID_BYTES:]
        if ciphername != _NAME or key_id not in self._ids:
            raise CannotDecrypt
        from cryptography.exceptions import InvalidTag

        aead = self._aead[self._ids.index(key_id)]
        try:
            return aead.decrypt(rest[:_NONCE_BYTES], rest[_NONCE_BYTES:], None)
        except InvalidTag as error:
            raise CannotDecrypt from error

    def serializer(self, stored_types: Sequence[type]) -> SerializerProtocol:
        """Make the serializer of checkpoints; types that are not named come back as plain data."""
        strict = StrictSerializer(stored_types)
        return EncryptedSerializer(self, strict) if self.is_on else strict

    def sealed(self, value: Any, shown: Mapping[str, Any] = _NOTHING) -> Any:
        """Return the JSON value that the database is given."""
        if not self.is_on:
            is_like_ours = isinstance(value, dict) and ENVELOPE in value
            return {ENVELOPE: None, _PLAIN_VALUE: value} if is_like_ours else value
        _, data = self.encrypt(json.dumps(value, ensure_ascii=False).encode())
        return {**shown, ENVELOPE: base64.b64encode(data).decode()}

    def decrypt_value(self, stored: Any) -> Any:
        """Return a stored JSON value, decrypted.

        Raises:
            CannotDecrypt: no key that is here opens it.
        """
        if not isinstance(stored, dict) or ENVELOPE not in stored:
            return stored
        if stored[ENVELOPE] is None:
            return stored[_PLAIN_VALUE]
        return json.loads(self.decrypt(_NAME, base64.b64decode(stored[ENVELOPE])))

    def sealed_salt(self, salt: bytes) -> bytes:
        """Return the salt of a payload as the database is given it."""
        return self.encrypt(salt)[1] if self.is_on else salt

    def opened_salt(self, stored: bytes) -> bytes:
        """Return the salt of a payload: one that is longer than our own is encrypted."""
        return stored if len(stored) == _CLEAR_SALT else self.decrypt(_NAME, stored)

    def blinded(self, text: str) -> tuple[str, ...]:
        """Return by what a text is found in the database, the newest key's way first.

        Keyed hashes: nothing can be guessed from one without its key.
        """
        data = text.encode()
        found = (hmac.new(key, data, hashlib.sha256).hexdigest() for key in self._blinding)
        return tuple(found) or (text,)

    def use(self, conn: AsyncConnection[Any]) -> None:
        """Make a connection encrypt what is `Confidential`, and decrypt what is encrypted."""
        dumper, *loaders = self._adapters
        conn.adapters.register_dumper(Confidential, dumper)
        for loader in loaders:
            conn.adapters.register_loader("jsonb", loader)

    @cached_property
    def _adapters(self) -> tuple[type[Dumper], type[Loader], type[Loader]]:
        """Make what psycopg is told of this cipher: once, it keeps classes forever."""
        cipher = self

        class Sealing(Dumper):
            # In the array of a page's entries a text would be escaped, letter by letter.
            oid, format = types["jsonb"].oid, Format.BINARY

            def dump(self, obj: Confidential) -> bytes:
                sealed = json.dumps(cipher.sealed(obj.value, obj.shown), ensure_ascii=False)
                return _JSONB_VERSION + sealed.encode()

        class Opening(Loader):
            def load(self, data: Buffer) -> Any:
                return cipher.decrypt_value(json.loads(bytes(data)))

        class BinaryOpening(Loader):
            format = Format.BINARY

            def load(self, data: Buffer) -> Any:
                return cipher.decrypt_value(json.loads(bytes(data)[len(_JSONB_VERSION) :]))

        return Sealing, Opening, BinaryOpening

    async def prove(self, conn: AsyncConnection[Any], tenant_id: str) -> None:
        """See that a tenant's rows are of these keys; a newest key that is new is written down.

        A key that others do not have would leave rows that the next process cannot read.

        Raises:
            CannotDecrypt: some were written with a key that is not here.
        """
        about = {"tenant_id": tenant_id, "key_id": self.newest.hex() if self.is_on else ""}
        if about["key_id"] in await self._known(conn, about) or not self.is_on:
            return
        # Alone: of two processes that come with different keys, the second must see the first.
        async with conn.transaction():
            await conn.execute(_SQL["alone"], about)
            await self._known(conn, about)
            await conn.execute(_SQL["begin"], about)

    async def _known(self, conn: AsyncConnection[Any], about: Mapping[str, Any]) -> set[str]:
        """Return the ids of the keys that a tenant's rows are encrypted with.

        Raises:
            CannotDecrypt: one of them is not here.
        """
        rows = await (await conn.execute(_SQL["keys"], about)).fetchall()
        found = {row["key_id"] for row in rows}
        if found - {one.hex() for one in self._ids}:
            raise CannotDecrypt
        return found


CLEAR = Cipher()
"""Encrypts nothing."""


def _aead(key: bytes) -> AESGCM:
    with from_extra():
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    return AESGCM(key)


def _derived(purpose: str, key: bytes) -> bytes:
    """Derive a key for one purpose: none serves two."""
    return hashlib.sha256(f"daybook: {purpose}".encode() + key).digest()
