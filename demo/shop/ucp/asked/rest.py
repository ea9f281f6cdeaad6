"""The operations over HTTP, as the protocol's OpenAPI document has them, and the profile."""

import hashlib
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from daybook.demo.shop.door.requests import key_of, line_of, raw_of, world_of
from daybook.demo.shop.effects.keys import Answer
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.ucp.asked import calls
from daybook.demo.shop.ucp.asked import signed as signatures
from daybook.demo.shop.ucp.asked.operations import OPERATIONS, Operation
from daybook.demo.shop.ucp.said import profile, signing
from daybook.demo.shop.ucp.said.envelope import refused
from daybook.demo.shop.ucp.said.versions import profiled, spoken

AGENT = re.compile(r'\bprofile\s*=\s*"([^"\s]{1,500})"')
KEPT_SECONDS = 60


def base_of(request: Request) -> str:
    """Return the URL by which the shop was asked."""
    return f"{request.url.scheme}://{request.url.netloc}"


def agent_of(request: Request) -> str:
    """Return the profile of who asks; "" where none is named."""
    found = AGENT.search(request.headers.get("ucp-agent", ""))
    return found[1] if found else ""


def read(raw: bytes) -> dict[str, Any]:
    """Read a body, which is an object or nothing; raise Refusal (400 invalid_request)."""
    try:
        given = json.loads(raw) if raw else {}
    except ValueError as error:
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
            await signatures.require(request, raw, agent_of(request), base_of(request))
            path = request.url.path.encode()
            asked = calls.Request(
                world=world_of(request),
                line=line_of(request),
                operation=operation,
                about=request.path_params.get("id", ""),
                body=read(raw),
                agent=agent_of(request),
                base=base_of(request),
                key=key_of(request),
                fingerprint=hashlib.sha256(path + b"\n" + raw).hexdigest(),
            )
            given = await calls.served(asked)
        except Refusal as refusal:
            given = Answer(refusal.status, refused(refusal))
        return await signed(request, given)

    return handle


async def show_profile(request: Request) -> Response:
    """Say what the merchant is, and where it is asked."""
    world = world_of(request)
    signer = await world.database.transact(signing.signer)
    shown = profile.profile(base_of(request), signer.jwk)
    told = profiled(shown, world.settings.ucp_version)
    return JSONResponse(told, headers={"cache-control": f"public, max-age={KEPT_SECONDS}"})


ROUTES = [
    Route("/.well-known/ucp", show_profile),
    *(
        Route(f"{profile.REST}{one.path}", endpoint(one), methods=[one.method])
        for one in OPERATIONS
    ),
]
