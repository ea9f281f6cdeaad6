from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request

from daybook.demo.shop.door.connection import Line
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.waiting import Abandoned
from daybook.demo.shop.world import World

LARGEST_BODY = 64 * 1024
LONGEST_KEY = 255

B = TypeVar("B", bound=BaseModel)


def world_of(request: Request) -> World:
    """Return the world that this application serves."""
    world: World = request.app.state.world
    return world


def line_of(request: Request) -> Line:
    """Return the connection that the request came on."""
    line: Line = request.state.line
    return line


async def raw_of(request: Request) -> bytes:
    """Read the body as it came.

    Raises Refusal (413 too_large), and Abandoned when the caller left before it was complete.
    """
    raw = bytearray()
    try:
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > LARGEST_BODY:
                raise Refusal(413, "too_large", "The body is too large.")
    except ClientDisconnect as gone:
        raise Abandoned from gone
    return bytes(raw)


async def body_of(request: Request, model: type[B]) -> B:
    """Read the JSON body as `model`.

    Raises Refusal: 400 malformed_json, 413 too_large, 422 invalid. Raises Abandoned when the
    caller left before the body was complete.
    """
    raw = await raw_of(request)
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise refused(error) from error


def query_of(request: Request, model: type[B]) -> B:
    """Read the query string as `model`; raise Refusal (422 invalid)."""
    try:
        return model.model_validate_strings(dict(request.query_params))
    except ValidationError as error:
        raise refused(error) from error


def key_of(request: Request) -> str | None:
    """Return the idempotency key of a request, if it has one; raise Refusal (422 invalid)."""
    key = request.headers.get("idempotency-key")
    if key is not None and not 1 <= len(key) <= LONGEST_KEY:
        raise Refusal(422, "invalid", f"A key has 1 to {LONGEST_KEY} characters.")
    return key


def refused(error: ValidationError) -> Refusal:
    """Say in one sentence what is wrong with a request."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    if first["type"] == "json_invalid":
        return Refusal(400, "malformed_json", "The body is not JSON.")
    where = ".".join(str(part) for part in first["loc"]) or "body"
    return Refusal(422, "invalid", f"{where}: {first['msg']}.", field=where)
