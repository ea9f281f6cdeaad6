"""Ed25519 signatures of JSON objects, by which what has left the house can be checked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from daybook.state.effects.keys import canonical
from daybook.state.errors import ConfigurationError
from daybook.state.extras import from_extra


class Signer:
    """Sign with the private key in a file (PEM, PKCS 8); it is made where there is none.

    Attributes:
        public_key: 32 bytes in hex; it is written beside the private one too, as `FILE.pub`.

    Raises:
        ConfigurationError: the file cannot be read or made, or holds another kind of key.
        NotInstalled: the extra `encryption` is not installed.
    """

    def __init__(self, file: Path) -> None:
        with from_extra():
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
            from cryptography.hazmat.primitives.serialization import load_pem_private_key
        try:
            if not file.exists():
                _make(file)
            key = load_pem_private_key(file.read_bytes(), None)
        except OSError as error:
            raise ConfigurationError(
                f"The key {file} can be neither read nor made: {error.strerror}. Nothing was "
                "signed; name a file that is yours."
            ) from error
        except (ValueError, TypeError):
            # Without the cause, which may quote the file.
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise ConfigurationError(
                f"{file} holds no private Ed25519 key without a passphrase (PEM), and nothing was "
                "signed. Name a file that is not there, and a key is made in it."
            )
        self._key = key
        self.public_key = key.public_key().public_bytes_raw().hex()
        beside = file.with_name(f"{file.name}.pub")
        if not beside.exists():
            beside.write_text(f"{self.public_key}\n")

    def sign(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object with the public key and the signature of its canonical form."""
        signed = {**body, "public_key": self.public_key}
        return {**signed, "signature": self._key.sign(canonical(signed).encode()).hex()}


def _make(file: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    made = Ed25519PrivateKey.generate()
    pem = made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(pem)
        out.flush()
        os.fsync(out.fileno())
    try:
        # Of two processes that make it at once, one has made it.
        os.link(beside, file)
    except FileExistsError:
        pass
    finally:
        beside.unlink()


def public_key_of(given: str) -> str:
    """Read a public key that is given in hex, or as a file that holds it so.

    Raises:
        ConfigurationError: it is none.
    """
    try:
        text = given if len(given) == 64 else Path(given).read_text()
        if len(bytes.fromhex(text.strip())) == 32:
            return text.strip().lower()
    except (OSError, ValueError):
        pass
    raise ConfigurationError(
        f"{given[:80]!r} is no public key, and nothing was checked: give 64 hex digits, or the "
        "file `KEY.pub` that stands beside the private key."
    )


def signature_fault(signed: Mapping[str, Any], public_key: str | None = None) -> str:
    """Say why an object is not signed by a key; "" where it is.

    Args:
        public_key: in hex; the object's own where it is None, which says nothing of who has signed.

    Raises:
        NotInstalled: the extra `encryption` is not installed.
    """
    with from_extra():
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    own, signature = signed.get("public_key"), signed.get("signature")
    if not isinstance(own, str) or not isinstance(signature, str):
        return "it is not signed"
    if public_key is not None and own != public_key:
        return f"it is signed by another key ({own[:16]}...)"
    body = {name: value for name, value in signed.items() if name != "signature"}
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(own))
        key.verify(bytes.fromhex(signature), canonical(body).encode())
    except (InvalidSignature, ValueError):
        return "its signature does not hold: it was changed after it was signed"
    return ""
