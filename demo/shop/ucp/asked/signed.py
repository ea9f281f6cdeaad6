"""Whether a request is signed by the agent that it names: RFC 9421 with RFC 9530, ES256."""

import base64
import hashlib
from typing import Final

import httpx
from http_message_signatures import HTTPMessageVerifier, InvalidSignature
from http_message_signatures.algorithms import ECDSA_P256_SHA256
from http_message_signatures.exceptions import HTTPMessageSignaturesException
from http_message_signatures.resolvers import MappingKeyResolver
from starlette.requests import Request

from daybook.demo.shop.door.requests import world_of
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.ucp.said.signing import Sent

COVERED: Final = ("@method", "@authority", "@path")
WHERE_THERE: Final = ("ucp-agent", "idempotency-key")


async def require(request: Request, raw: bytes, agent: str, base: str) -> None:
    """Let a request pass where the shop wants no signature, or it has its agent's.

    Raises Refusal: 400 invalid_request; 401 signature_missing, key_not_found, signature_invalid;
    400 digest_mismatch; 424 profile_unreachable.
    """
    world = world_of(request)
    wanted = world.settings.signatures
    names_key = "signature-input" in request.headers or "signature" in request.headers
    if wanted == "ignored" or (wanted == "verified" and not names_key):
        return
    if not agent:
        raise Refusal(400, "invalid_request", 'Say who asks: UCP-Agent: profile="https://...".')
    key_id = key_named(request.headers.get("signature-input", ""))
    if not key_id or not request.headers.get("signature"):
        raise Refusal(401, "signature_missing", "This shop takes signed requests only.")
    try:
        keys = await world.agents.of(agent, key_id)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise Refusal(424, "profile_unreachable", "Your profile cannot be read.") from error
    if key_id not in keys:
        raise Refusal(401, "key_not_found", "Your profile has no such key.")
    if raw and request.headers.get("content-digest") != digest_of(raw):
        raise Refusal(400, "digest_mismatch", "The digest is of another body.")
    verifier = HTTPMessageVerifier(
        signature_algorithm=ECDSA_P256_SHA256,
        key_resolver=MappingKeyResolver(public_keys=dict(keys), private_keys={}),
    )
    verifier.require_created = False
    path = request.scope["raw_path"].decode("latin-1")
    headers = dict(request.headers)
    has_body = bool(raw) or "content-digest" in headers
    there: list[str] = [name for name in WHERE_THERE if name in headers]
    there += ["content-type"] if has_body else []
    try:
        verifier.verify(
            Sent(request.method, f"{base}{path}", headers),
            max_age=None,
            require_components=(*COVERED, *there),
            body=raw if has_body else None,
        )
    except (InvalidSignature, HTTPMessageSignaturesException, ValueError) as error:
        raise Refusal(401, "signature_invalid", "The signature is not your own.") from error


def digest_of(content: bytes) -> str:
    """Return the digest of a body as its header has it (RFC 9530)."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(content).digest()).decode()}:"


def key_named(signature_input: str) -> str:
    """Return the name of the key that a signature says it is of; "" where it says none."""
    _, found, rest = signature_input.partition('keyid="')
    return rest.partition('"')[0] if found else ""
