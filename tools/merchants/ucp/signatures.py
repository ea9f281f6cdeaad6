"""Keys and signatures: RFC 9421 with RFC 9530, ES256.

Our own key is kept in a file; those of others are published in their profiles.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from http_message_signatures import HTTPMessageSigner, HTTPMessageVerifier, InvalidSignature
from http_message_signatures.algorithms import ECDSA_P256_SHA256
from http_message_signatures.exceptions import HTTPMessageSignaturesException
from http_message_signatures.resolvers import MappingKeyResolver

from daybook.state.errors import ConfigurationError

_COORDINATE: Final = 32
"""Bytes of a coordinate of P-256."""


@dataclass(frozen=True)
class SigningKey:
    """A private key of P-256, with the name by which its signatures tell it.

    Attributes:
        key_id: the thumbprint of its public half (RFC 7638).
    """

    key_id: str
    private: ec.EllipticCurvePrivateKey

    def __repr__(self) -> str:
        """Name it without what is secret."""
        return f"SigningKey({self.key_id})"

    @property
    def jwk(self) -> dict[str, str]:
        """Return the public half, as a profile publishes it."""
        return {
            "kid": self.key_id,
            **_members(self.private.public_key()),
            "use": "sig",
            "alg": "ES256",
        }


def signing_key(path: Path) -> SigningKey:
    """Read the key of a file, and make one where there is none.

    Raises:
        ConfigurationError: what the file holds is no such key, or it cannot be made.
    """
    try:
        if not path.exists():
            _make(path)
        private = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise ConfigurationError(
            f"The key for signatures at {path} cannot be used ({type(error).__name__}). Nothing "
            "was started; use a P-256 private key in PEM, or remove the file to create a new key."
        ) from error
    if not isinstance(private, ec.EllipticCurvePrivateKey) or private.curve.name != "secp256r1":
        raise ConfigurationError(
            f"The key for signatures at {path} is not a P-256 key. Nothing was started."
        )
    return SigningKey(_thumbprint(private.public_key()), private)


def published_keys(path: Path) -> list[dict[str, str]]:
    """Return the public halves of our keys: of the one that signs, and of those that stand beside.

    A key that is to come, or that signed before, is found by merchants for as long as its file is
    there: `next.pem`, `before.pem` or whatever it is called, in the same folder.

    Raises:
        ConfigurationError: a file holds no such key.
    """
    signs = signing_key(path)
    beside = [signing_key(one) for one in sorted(path.parent.glob("*.pem")) if one != path]
    return [one.jwk for one in (signs, *(key for key in beside if key.key_id != signs.key_id))]


def _make(path: Path) -> None:
    """Write a new key whole or not at all; of two who make it at once the first one's stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    with tempfile.NamedTemporaryFile(dir=path.parent) as file:
        file.write(pem)
        file.flush()
        with suppress(FileExistsError):
            os.link(file.name, path)


def public_keys(given: Iterable[Any]) -> dict[str, ec.EllipticCurvePublicKey]:
    """Take the keys of a profile by their names; what we cannot use is left out."""
    found = {}
    for one in given:
        if isinstance(one, Mapping) and isinstance(one.get("kid"), str):
            with suppress(KeyError, ValueError, TypeError):
                found[one["kid"]] = _public(one)
    return found


def _public(jwk: Mapping[str, Any]) -> ec.EllipticCurvePublicKey:
    if jwk["kty"] != "EC" or jwk["crv"] != "P-256":
        raise ValueError(jwk["crv"])
    x, y = (int.from_bytes(_decoded(jwk[name]), "big") for name in ("x", "y"))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def _members(public: ec.EllipticCurvePublicKey) -> dict[str, str]:
    numbers = public.public_numbers()
    x, y = (_encoded(n.to_bytes(_COORDINATE, "big")) for n in (numbers.x, numbers.y))
    return {"crv": "P-256", "kty": "EC", "x": x, "y": y}


def _thumbprint(public: ec.EllipticCurvePublicKey) -> str:
    members = json.dumps(_members(public), sort_keys=True, separators=(",", ":"))
    return _encoded(hashlib.sha256(members.encode()).digest())


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decoded(given: str) -> bytes:
    return base64.urlsafe_b64decode(given + "=" * (-len(given) % 4))


# -- signatures -----------------------------------------------------------------------------------

PublicKeys = Mapping[str, ec.EllipticCurvePublicKey]

_REQUEST = ("@method", "@authority", "@path")
_LABEL = "sig1"


@dataclass
class Message:
    """A request, as a signature covers it; `url` is whole."""

    method: str
    url: str
    headers: dict[str, str]


@dataclass
class Answer:
    """An answer, as a signature covers it."""

    status_code: int
    headers: dict[str, str]
    request: Message | None = field(default=None)


class Unsigned(Exception):
    """Say that a signature is missing, or is not its signer's."""


def signed(message: Message, content: bytes, key: SigningKey) -> dict[str, str]:
    """Return the headers of a request with its signature, and the digest of its body."""
    names = {name.lower() for name in message.headers}
    more = ("idempotency-key", "ucp-agent", *(("content-type",) if content else ()))
    covered = [*_REQUEST, *(name for name in more if name in names)]
    one = Message(message.method, message.url, dict(message.headers))
    HTTPMessageSigner(
        signature_algorithm=ECDSA_P256_SHA256,
        key_resolver=MappingKeyResolver(public_keys={}, private_keys={key.key_id: key.private}),
    ).sign(
        one,
        key_id=key.key_id,
        label=_LABEL,
        # The key names its algorithm, as the protocol's examples have it.
        include_alg=False,
        covered_component_ids=covered,
        body=content or None,
    )
    return {name.lower(): value for name, value in one.headers.items()}


def key_named(headers: Mapping[str, str]) -> str:
    """Return the name of the key that a signature says it is of; "" if it says none."""
    _, found, rest = headers.get("signature-input", "").partition('keyid="')
    return rest.partition('"')[0] if found else ""


def verify(message: Message | Answer, content: bytes, keys: PublicKeys) -> None:
    """Verify that a message is signed by one of these keys, whole.

    Age is not judged: who sends the same once more is told by keys and ids.

    Raises:
        Unsigned: it is not, or its body or what it is about is not covered.
    """
    needed = _REQUEST if isinstance(message, Message) else ("@status",)
    # A body that was taken away is no body that was never there.
    has_body = bool(content) or "content-digest" in message.headers
    verifier = HTTPMessageVerifier(
        signature_algorithm=ECDSA_P256_SHA256,
        key_resolver=MappingKeyResolver(public_keys=dict(keys), private_keys={}),
    )
    verifier.require_created = False
    try:
        verifier.verify(
            message, max_age=None, require_components=needed, body=content if has_body else None
        )
    except (InvalidSignature, HTTPMessageSignaturesException, ValueError) as error:
        raise Unsigned(str(error)[:200]) from error
