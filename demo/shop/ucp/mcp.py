"""The operations over MCP: JSON-RPC by streamable HTTP, one tool each."""

import hashlib
import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.requests import LONGEST_KEY, line_of, raw_of, world_of
from daybook.demo.shop.ucp.bodies import Asked
from daybook.demo.shop.ucp.operations import BY_NAME, Operation, served
from daybook.demo.shop.ucp.profile import DISCOVERY, MCP, has_error, refused, spoken
from daybook.demo.shop.ucp.rest import agent_of, base_of, parse_body, require_signature

REFUSED, NOT_DISCOVERED = -32000, -32001
CODES = {400: -32602, 405: -32601}


async def handle(request: Request) -> Response:
    """Answer one message of JSON-RPC: the call of a tool."""
    about: Any = None
    try:
        raw = await raw_of(request)
        message = parse_body(raw)
        about, given = message.get("id"), message.get("params")
        await require_signature(request, raw, agent_of(request), base_of(request))
    except Refusal as refusal:
        return failed(about, refusal, refusal.status)
    params = given if isinstance(given, dict) else {}
    if message.get("method") != "tools/call":
        return failed(about, Refusal(405, "not_found", "This endpoint only calls tools."))
    if params.get("name") not in BY_NAME:
        return failed(about, Refusal(400, "not_found", "There is no such tool."))
    return await called(request, about, BY_NAME[params["name"]], params)


async def called(
    request: Request, about: Any, operation: Operation, params: dict[str, Any]
) -> Response:
    """Answer the call of a tool: what is not there is a result too, and no error of JSON-RPC."""
    try:
        given = await served(asked(request, operation, params.get("arguments")))
    except Refusal as refusal:
        return failed(about, refusal, refusal.status if refusal.status in (401, 503) else 200)
    if given.status not in (200, 201, 404):
        (why,) = given.body["messages"]
        return failed(about, Refusal(given.status, why["code"], why["content"]))
    body = spoken(given.body, world_of(request).settings.ucp_version)
    # Structured, and as text for older clients.
    found = {
        "structuredContent": body,
        "content": [{"type": "text", "text": json.dumps(body, ensure_ascii=False)}],
        "isError": body["ucp"].get("status") == "error" and has_error(body),
    }
    return JSONResponse({"jsonrpc": "2.0", "id": about, "result": found})


def asked(request: Request, operation: Operation, given: Any) -> Asked:
    """Read the arguments of a call; raise Refusal (400 invalid_request).

    A request that comes again is told by its arguments: the transport wraps them again.
    """
    arguments = given if isinstance(given, dict) else {}
    meta, body = arguments.get("meta"), arguments.get(operation.member, {})
    meta = meta if isinstance(meta, dict) else {}
    named = meta.get("ucp-agent")
    agent = named.get("profile") if isinstance(named, dict) else None
    key, one = meta.get("idempotency-key"), arguments.get("id", "")
    is_key = key is None or (isinstance(key, str) and 1 <= len(key) <= LONGEST_KEY)
    if not isinstance(body, dict) or not isinstance(one, str) or not is_key:
        raise Refusal(400, "invalid_request", "The arguments are not those of the tool.")
    if operation.is_about_one and not one:
        raise Refusal(400, "invalid_request", "The argument id is missing.")
    header = agent_of(request)
    must_sign = world_of(request).settings.signatures == "required"
    # Who signs is named in the header; who is named inside must be the same.
    if must_sign and isinstance(agent, str) and agent != header:
        raise Refusal(401, "signature_invalid", "It is signed by an agent that it does not name.")
    wanted = json.dumps([operation.name, one, body], sort_keys=True).encode()
    return Asked(
        world=world_of(request),
        line=line_of(request),
        operation=operation,
        about=one,
        body=body,
        agent=agent if isinstance(agent, str) else header,
        base=base_of(request),
        key=key,
        fingerprint=hashlib.sha256(wanted).hexdigest(),
    )


def failed(about: Any, refusal: Refusal, status: int = 200) -> Response:
    """Answer with an error of JSON-RPC; what is wrong with who asks is told by it alone."""
    code = CODES.get(refusal.status, REFUSED)
    if refusal.code in DISCOVERY:
        code, status = NOT_DISCOVERED, 200
    error = {"code": code, "message": refusal.message, "data": refused(refusal)}
    return JSONResponse({"jsonrpc": "2.0", "id": about, "error": error}, status)


ROUTES = [Route(MCP, handle, methods=["POST"])]
