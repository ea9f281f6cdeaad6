"""The operations over HTTP by the protocol's OpenAPI document, the profile, the control.

Requests are signed by the agent that they name where that is wanted, and answers by the merchant:
RFC 9421 with RFC 9530, ES256.
"""

import base64
import hashlib
import json
import re
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

from http_message_signatures import HTTPMessageVerifier, InvalidSignature
from http_message_signatures.algorithms import ECDSA_P256_SHA256
from http_message_signatures.exceptions import HTTPMessageSignaturesException
from http_message_signatures.resolvers import MappingKeyResolver
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from daybook.demo.shop import clock
from daybook.demo.shop.effects import Body
from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.keys import Answer
from daybook.demo.shop.requests import body_of, key_of, line_of, raw_of, world_of
from daybook.demo.shop.ucp import orders, signing
from daybook.demo.shop.ucp.bodies import Asked
from daybook.demo.shop.ucp.operations import OPERATIONS, Operation, served
from daybook.demo.shop.ucp.profile import REST, profile, refused, spoken
from daybook.demo.shop.ucp.signing import Sent

AGENT = re.compile(r'\bprofile\s*=\s*"([^"]{1,500})"')
KEY_ID = re.compile(r'keyid="([^"]+)"')
KEPT_SECONDS = 60


def base_of(request: Request) -> str:
    """Return the URL by which the shop was asked."""
    return f"{request.url.scheme}://{request.url.netloc}"


def agent_of(request: Request) -> str:
    """Return the profile of who asks; "" if none is named."""
    found = AGENT.search(request.headers.get("ucp-agent", ""))
    return found[1] if found else ""


def parse_body(raw: bytes) -> dict[str, Any]:
    """Read a body, which is an object or nothing; raise Refusal (400 invalid_request)."""
    try:
        given = json.loads(raw) if raw else {}
    except (ValueError, RecursionError) as error:
        raise Refusal(400, "invalid_request", "The body is not JSON.") from error
    if not isinstance(given, dict):
        raise Refusal(400, "invalid_request", "The body is no object.")
    return given


async def signed(request: Request, given: Answer) -> Response:
    """Return an answer with the merchant's signature."""
    world = world_of(request)
    signer = await world.database.transact(signing.signer)
    body = spoken(given.body, world.settings.ucp_version)
    content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    answered = signing.Answered(given.status, {"content-type": "application/json"})
    headers = signer.headers_of(answered, content, ("@status", "content-type"))
    return Response(content, given.status, headers)


def endpoint(operation: Operation) -> Callable[[Request], Awaitable[Response]]:
    """Return the handler of an operation."""

    async def handle(request: Request) -> Response:
        try:
            raw = await raw_of(request)
            await require_signature(request, raw, agent_of(request), base_of(request))
            path = request.url.path.encode()
            asked = Asked(
                world=world_of(request),
                line=line_of(request),
                operation=operation,
                about=request.path_params.get("id", ""),
                body=parse_body(raw),
                agent=agent_of(request),
                base=base_of(request),
                key=key_of(request),
                fingerprint=hashlib.sha256(path + b"\n" + raw).hexdigest(),
            )
            given = await served(asked)
        except Refusal as refusal:
            given = Answer(refusal.status, refused(refusal))
        return await signed(request, given)

    return handle


async def show_profile(request: Request) -> Response:
    """Say what the merchant is, and where it is asked."""
    world = world_of(request)
    signer = await world.database.transact(signing.signer)
    told = spoken(profile(base_of(request), signer.jwk), world.settings.ucp_version)
    return JSONResponse(told, headers={"cache-control": f"public, max-age={KEPT_SECONDS}"})


# -- signatures of requests -----------------------------------------------------------------------

COVERED: Final = ("@method", "@authority", "@path")
WHERE_THERE: Final = ("ucp-agent", "idempotency-key")


async def require_signature(request: Request, raw: bytes, agent: str, base: str) -> None:
    """Let a request pass where the shop wants no signature, or it has its agent's.

    Raises Refusal: 400 invalid_request; 401 signature_missing, key_not_found, signature_invalid;
    400 digest_mismatch; and as a profile that is read.
    """
    world = world_of(request)
    wanted = world.settings.signatures
    names_key = "signature-input" in request.headers or "signature" in request.headers
    if wanted == "ignored" or (wanted == "verified" and not names_key):
        return
    if not agent:
        raise Refusal(400, "invalid_request", 'Name yourself: UCP-Agent: profile="https://...".')
    named = KEY_ID.search(request.headers.get("signature-input", ""))
    if named is None or not request.headers.get("signature"):
        raise Refusal(401, "signature_missing", "This shop takes signed requests only.")
    keys = await world.profiles.keys(agent, named[1])
    if named[1] not in keys:
        raise Refusal(401, "key_not_found", "Your profile has no such key.")
    digest = base64.b64encode(hashlib.sha256(raw).digest()).decode()
    if raw and request.headers.get("content-digest") != f"sha-256=:{digest}:":
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


# -- what becomes of orders, as a test or a demonstration wants it --------------------------------

Word = Annotated[str, Field(min_length=1, max_length=100)]


class ShipmentBody(Body):
    """Say what happened to goods of an order; all that is left of it where no line is named."""

    type: Word
    line_items: dict[Word, Annotated[int, Field(ge=1)]] | None = None
    carrier: Word | None = None
    tracking_number: Word | None = None
    description: Word | None = None


async def ship(request: Request) -> Response:
    """Add what happened to goods of an order, and let those look who tell of it."""
    world, order_id = world_of(request), request.path_params["id"]
    told = (await body_of(request, ShipmentBody)).model_dump(exclude_none=True)
    shown = await world.database.transact(
        lambda connection: orders.ship(connection, order_id, told, clock.now())
    )
    world.changed.set()
    return JSONResponse(shown)


ROUTES = [
    Route("/.well-known/ucp", show_profile),
    *(Route(f"{REST}{one.path}", endpoint(one), methods=[one.method]) for one in OPERATIONS),
    Route("/admin/ucp/orders/{id}/shipments", ship, methods=["POST"]),
]
