"""The stand-in's HTTP server."""

import argparse
import sys

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from daybook.demo.listening import announce, bound, fault_in, http_server, run, serving, url_of
from daybook.demo.model import wire
from daybook.demo.model.reply import reply

_HOST = "127.0.0.1"
"""What is said to it is someone's words: no other machine is to see them."""


async def complete(request: Request) -> Response:
    """Answer a request for a chat completion, as a stream where that is asked for."""
    body = await request.body()
    try:
        asked = wire.Request.model_validate_json(body)
    except ValidationError as error:
        raise HTTPException(400, ": ".join(fault_in(error))) from error
    answer = reply(asked)
    usage = wire.usage_of(body, answer)
    if not asked.stream:
        return JSONResponse(wire.whole(answer, usage))
    counts = asked.stream_options is not None and asked.stream_options.include_usage
    events = wire.streamed(answer, usage if counts else None)
    return Response(events, media_type="text/event-stream")


async def models(request: Request) -> Response:
    """List the one model."""
    model = {"id": wire.NAME, "object": "model", "created": 0, "owned_by": "daybook"}
    return JSONResponse({"object": "list", "data": [model]})


async def refuse(request: Request, error: Exception) -> Response:
    """Answer a refusal in the shape of OpenAI's errors."""
    assert isinstance(error, HTTPException)
    body = {"message": error.detail, "type": "invalid_request_error", "param": None, "code": None}
    return JSONResponse({"error": body}, error.status_code)


def application() -> Starlette:
    """Return the HTTP application."""
    return Starlette(
        routes=[
            Route("/v1/chat/completions", complete, methods=["POST"]),
            Route("/v1/models", models, methods=["GET"]),
        ],
        exception_handlers={HTTPException: refuse},
    )


async def serve(port: int) -> None:
    """Serve until SIGTERM or SIGINT; one JSON line on stdout says where, once it listens.

    Raises OSError when the port is taken; 0 picks a free one.
    """
    listener = bound(_HOST, port)
    async with serving(http_server(application()), listener) as stopped:
        announce(model_url=f"{url_of('http', _HOST, listener)}/v1")
        await stopped()


def main() -> int:
    """Run the stand-in; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m daybook.demo.model", description="Run the stand-in."
    )
    parser.add_argument("--port", type=int, default=8750, help="HTTP port, 0 picks a free one")
    return run("stand-in", serve(parser.parse_args().port))


if __name__ == "__main__":
    sys.exit(main())
