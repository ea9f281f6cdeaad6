"""The key of the merchant, and its signatures: RFC 9421 with RFC 9530, ES256."""

import base64
import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from http_message_signatures import HTTPMessageSigner
from http_message_signatures.algorithms import ECDSA_P256_SHA256
from http_message_signatures.resolvers import MappingKeyResolver

SENT = ("@method", "@authority", "@path", "ucp-agent", "webhook-id", "webhook-timestamp")


@dataclass
class Sent:
    """A request of the merchant, as a signature covers it."""

    method: str
    url: str
    headers: dict[str, str]


@dataclass
class Answered:
    """An answer of the merchant, as a signature covers it."""

    status_code: int
    headers: dict[str, str]
    request: Sent | None = field(default=None)


@dataclass(frozen=True)
class Signer:
    """A private key of P-256, and the name by which its signatures tell it."""

    key_id: str
    private: ec.EllipticCurvePrivateKey = field(repr=False)

    @property
    def jwk(self) -> dict[str, str]:
        """Return the public half, as the profile publishes it."""
        return {"kid": self.key_id, **members(self.private), "use": "sig", "alg": "ES256"}

    def headers_of(
        self, message: Sent | Answered, content: bytes, covered: Sequence[str]
    ) -> dict[str, str]:
        """Return the headers of a message with its signature, and the digest of its body."""
        resolver = MappingKeyResolver(public_keys={}, private_keys={self.key_id: self.private})
        HTTPMessageSigner(signature_algorithm=ECDSA_P256_SHA256, key_resolver=resolver).sign(
            message,
            key_id=self.key_id,
            label="sig1",
            include_alg=False,
            covered_component_ids=covered,
            body=content,
        )
        return message.headers


def signer(connection: sqlite3.Connection) -> Signer:
    """Return the shop's key, made when it has none; it stays with the file."""
    row = connection.execute("select pem from ucp_key").fetchone()
    if row is None:
        made = fresh()
        pem = made.private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ).decode()
        connection.execute("insert into ucp_key (n, pem) values (1, ?)", (pem,))
        return made
    private = serialization.load_pem_private_key(row["pem"].encode(), password=None)
    assert isinstance(private, ec.EllipticCurvePrivateKey)
    return Signer(thumbprint(private), private)


def fresh() -> Signer:
    """Make a key."""
    private = ec.generate_private_key(ec.SECP256R1())
    return Signer(thumbprint(private), private)


def members(private: ec.EllipticCurvePrivateKey) -> dict[str, str]:
    """Return what makes a public key, as a JWK has it."""
    numbers = private.public_key().public_numbers()
    x, y = (encoded(n.to_bytes(32, "big")) for n in (numbers.x, numbers.y))
    return {"crv": "P-256", "kty": "EC", "x": x, "y": y}


def thumbprint(private: ec.EllipticCurvePrivateKey) -> str:
    """Return the name that a key has by itself (RFC 7638)."""
    written = json.dumps(members(private), sort_keys=True, separators=(",", ":"))
    return encoded(hashlib.sha256(written.encode()).digest())


def public_keys(given: Any) -> dict[str, ec.EllipticCurvePublicKey]:
    """Take the keys of a profile by their names; what is none of P-256 is left out."""
    found = {}
    for one in given if isinstance(given, list) else ():
        with suppress(AttributeError, KeyError, TypeError, ValueError):
            if (one["kty"], one["crv"]) == ("EC", "P-256"):
                x, y = (int.from_bytes(decoded(one[name]), "big") for name in ("x", "y"))
                numbers = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1())
                found[str(one["kid"])] = numbers.public_key()
    return found


def decoded(given: str) -> bytes:
    """Read base64 for URLs, without padding."""
    return base64.urlsafe_b64decode(given + "=" * (-len(given) % 4))


def encoded(raw: bytes) -> str:
    """Write bytes in base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
