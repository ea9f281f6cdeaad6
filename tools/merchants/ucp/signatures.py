"""Sign requests, and verify what is signed: RFC 9421 with RFC 9530, ES256."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric import ec
from http_message_signatures import HTTPMessageSigner, HTTPMessageVerifier, InvalidSignature
from http_message_signatures.algorithms import ECDSA_P256_SHA256
from http_message_signatures.exceptions import HTTPMessageSignaturesException
from http_message_signatures.resolvers import MappingKeyResolver

from daybook.tools.merchants.ucp.keys import SigningKey

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
    """Return the name of the key that a signature says it is of; "" where it says none."""
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
