"""Ed25519 signatures of JSON objects, so that exports and heads can be verified elsewhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from daybook.state.effects.keys import canonical
from daybook.state.errors import ConfigurationError
from daybook.state.extras import from_extra


class Signer:
    """Sign with the private key in a file (32 bytes in hex); it is made where there is none.

    Attributes:
        public_key: 32 bytes in hex; it is written beside the private one too, as `FILE.pub`.

    Raises:
        ConfigurationError: the file cannot be read or made, or holds no key.
        NotInstalled: the extra `encryption` is not installed.
    """

    def __init__(self, file: Path) -> None:
        with from_extra():
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        try:
            if not file.exists():
                made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with open(made, "w") as out:
                    out.write(f"{Ed25519PrivateKey.generate().private_bytes_raw().hex()}\n")
            self._key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(file.read_text()))
            self.public_key = self._key.public_key().public_bytes_raw().hex()
            if not (beside := file.with_name(f"{file.name}.pub")).exists():
                beside.write_text(f"{self.public_key}\n")
        except (OSError, ValueError) as error:
            # Without its words, which may quote the file.
            why = error.strerror if isinstance(error, OSError) else "it is another file"
            raise ConfigurationError(
                f"No key can be read from or created at {file} ({why}). Nothing was signed; name "
                "a file that does not exist yet."
            ) from None

    def sign(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object with the public key and the signature of its canonical form."""
        signed = {**body, "public_key": self.public_key}
        return {**signed, "signature": self._key.sign(canonical(signed).encode()).hex()}


def public_key_of(given: str | None) -> str | None:
    """Read a public key that is given in hex, or as a file that holds it so.

    Raises:
        ConfigurationError: it is invalid.
    """
    if given is None:
        return None
    try:
        text = (given if len(given) == 64 else Path(given).read_text()).strip()
        if len(bytes.fromhex(text)) == 32:
            return text.lower()
    except (OSError, ValueError):
        pass
    raise ConfigurationError(
        f"{given[:80]!r} is not a public key. Nothing was checked; give 64 hex digits, or the "
        "file `KEY.pub` next to the private key."
    )


def signature_fault(signed: Mapping[str, Any], public_key: str | None = None) -> str:
    """Say why an object is not signed by a key; "" if it is.

    Args:
        public_key: in hex; the object's own where it is None, which says nothing of who has signed.

    Raises:
        NotInstalled: the extra `encryption` is not installed.
    """
    with from_extra():
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    body = {name: value for name, value in signed.items() if name != "signature"}
    own, signature = str(body.get("public_key")), str(signed.get("signature"))
    if body == signed or "public_key" not in body:
        return "it is not signed"
    if public_key not in (None, own):
        return f"it is signed by another key ({own[:16]}...)"
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(own))
        key.verify(bytes.fromhex(signature), canonical(body).encode())
        if signature != signature.lower() or len(signature) != 128:
            raise ValueError
    except (InvalidSignature, ValueError):
        return "its signature does not match: it was changed after it was signed"
    return ""
