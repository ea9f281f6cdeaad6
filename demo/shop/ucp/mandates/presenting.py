"""A mandate as it is presented: whose key signed it, whom it is for, and until when it is good."""

import base64
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
from jwcrypto.common import JWException
from jwcrypto.jwk import JWK
from sd_jwt.verifier import SDJWTVerifier

from daybook.demo.shop.clock import now

KIND: Final = "mandate.checkout.1"
SECONDS: Final = 5.0
LARGEST: Final = 256 * 1024


@dataclass(frozen=True)
class Presented:
    """What was presented: `claims` are verified, or `code` says what is wrong with it.

    `name` tells one that comes again.
    """

    name: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    code: str = ""
    why: str = ""


async def presented(mandate: str | None, agent: str, base: str) -> Presented:
    """Verify a mandate by the keys of whoever asks.

    `agent` is their profile, `base` the URL by which the shop was asked.
    """
    if not mandate:
        return Presented(code="mandate_required", why="An order is placed by a mandate alone.")
    keys = await keys_of(agent)
    if not keys:
        return Presented(code="agent_missing_key", why="The agent's profile shows no key.")
    try:
        claims = verified(mandate, keys, base)
    except (ValueError, KeyError, TypeError, JWException) as error:
        why = f"The mandate cannot be verified ({type(error).__name__})."
        return Presented(code="mandate_invalid_signature", why=why)
    if claims.get("vct") != KIND or not isinstance(claims.get("checkout"), dict):
        return Presented(code="mandate_scope_mismatch", why="It is no mandate over a checkout.")
    until = claims.get("exp")
    if not isinstance(until, int) or until <= now().timestamp():
        return Presented(code="mandate_expired", why="The mandate is not good any more.")
    return Presented(hashlib.sha256(mandate.encode()).hexdigest(), claims)


async def keys_of(agent: str) -> dict[str, JWK]:
    """Return the keys of an agent's profile, by their names; none where it cannot be read."""
    try:
        async with httpx.AsyncClient(timeout=SECONDS, follow_redirects=False) as client:
            reply = await client.get(agent)
        if not reply.is_success or len(reply.content) > LARGEST:
            return {}
        shown = reply.json()["keys"]
        return {one["kid"]: JWK(**one) for one in shown if one["kty"] == "EC"}
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError, JWException):
        return {}


def verified(mandate: str, keys: dict[str, JWK], base: str) -> dict[str, Any]:
    """Return the claims of a mandate; raise ValueError, KeyError, TypeError or JWException.

    Which request it is for is its nonce, whatever that is: it is good for one order.
    """

    def key_of(issuer: str | None, header: dict[str, Any]) -> JWK:
        return keys[header["kid"]]

    bound = mandate.rpartition("~")[2]
    body = bound.split(".")[1]
    nonce = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))["nonce"]
    verifier = SDJWTVerifier(mandate, key_of, base, nonce)
    claims: dict[str, Any] = verifier.get_verified_payload()
    return claims
