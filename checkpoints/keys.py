"""The keys that rows are encrypted with: the newest writes, and older ones read what they wrote.

AES-GCM, with the id of the key before the nonce, and with the row as associated data: what is moved
to another row does not open there.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from daybook.state.effects.keys import canonical
from daybook.state.errors import CannotDecrypt

Row = Mapping[str, str | int]
"""Which row, and which column where it has several: by names of columns."""

_ID_BYTES = 8
_NONCE_BYTES = 12


class Keys:
    """Encrypt with the newest key, and decrypt with the one that it was done with.

    Args:
        newest, older: each 16, 24 or 32 bytes.
    """

    def __init__(self, newest: bytes, older: Sequence[bytes] = ()) -> None:
        self.newest = _id_of(newest)
        self._rows = {_id_of(key): AESGCM(_derived("rows", key)) for key in (newest, *older)}
        self._blinding = [_derived("blind index", key) for key in (newest, *older)]

    def encrypt(self, data: bytes, row: Row) -> bytes:
        """Encrypt what a row holds."""
        nonce = os.urandom(_NONCE_BYTES)
        return self.newest + nonce + self._rows[self.newest].encrypt(nonce, data, _bound(row))

    def decrypt(self, data: bytes, row: Row) -> bytes:
        """Decrypt what a row holds.

        Raises:
            CannotDecrypt: its key is not here, or it was changed, or is another row's.
        """
        key_id, rest = data[:_ID_BYTES], data[_ID_BYTES:]
        cipher = self._rows.get(key_id)
        if cipher is None:
            raise CannotDecrypt
        try:
            return cipher.decrypt(rest[:_NONCE_BYTES], rest[_NONCE_BYTES:], _bound(row))
        except InvalidTag as error:
            raise CannotDecrypt from error

    def is_newest(self, data: bytes) -> bool:
        """Tell whether something is encrypted with the newest key."""
        return data[:_ID_BYTES] == self.newest

    def blinded(self, text: str) -> tuple[str, ...]:
        """Return blind indexes of a text, the newest key's first: keyed hashes.

        Nothing can be guessed from one without its key.
        """
        data = text.encode()
        return tuple(hmac.new(key, data, hashlib.sha256).hexdigest() for key in self._blinding)


def _derived(purpose: str, key: bytes) -> bytes:
    """Derive a key for one purpose: none serves two."""
    return hashlib.sha256(f"daybook: {purpose}".encode() + key).digest()


def _id_of(key: bytes) -> bytes:
    return _derived("id", key)[:_ID_BYTES]


def _bound(row: Row) -> bytes:
    return canonical(dict(row)).encode()
