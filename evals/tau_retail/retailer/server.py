"""The HTTP API. Names of worlds are quoted in the path; they may hold whatever a run's id holds.

- `PUT`, `DELETE /worlds/W`: begin a world (one that is there stays), forget it
- `GET /worlds/W/reads/TOOL?args=JSON`: the text, errors included
- `POST /worlds/W/writes/TOOL`, a JSON object, an Idempotency-Key: the text; 409 where refused
- `GET /worlds/W/executions?key=KEY`: what was done under it and not refused
- `GET /worlds/W/log`: all executions in order, how many repeats and reads
- `GET /worlds/W/hash`: of the world's database
- `PUT /worlds/W/fault`, `{"armed": true}`: reads answer 503 and do nothing
"""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.tau_retail.retailer.calls import READS, WRITES
from evals.tau_retail.retailer.worlds import Base, KeyReused, NoWorld, Worlds

_UNAVAILABLE = "Error: 503 Service Unavailable"


class _Malformed(Exception):
    """Say what is wrong with a request."""


async def _world(request: Request) -> Response:
    if request.method == "PUT":
        _worlds(request).open(_name(request))
    else:
        _worlds(request).drop(_name(request))
    return JSONResponse({"world": _name(request)})


async def _read(request: Request) -> Response:
    tool = request.path_params["tool"]
    if tool in WRITES:
        return _refusal(404, "no_read", f"{tool} is a write. Nothing was done; POST it.")
    args = _object(request.query_params.get("args", "{}"))
    if _worlds(request).world(_name(request)).is_armed:
        return JSONResponse({"text": _UNAVAILABLE}, 503)
    return JSONResponse({"text": _worlds(request).read(_name(request), tool, args)})


async def _write(request: Request) -> Response:
    tool = request.path_params["tool"]
    if tool not in WRITES:
        known = "a read" if tool in READS else "no tool"
        return _refusal(404, "no_write", f"{tool} is {known}. Nothing was done.")
    args = _object(await request.body())
    key = request.headers.get("idempotency-key")
    named = unquote(key) if key is not None else None
    done = _worlds(request).write(_name(request), tool, args, named)
    if done.is_refused:
        return _refusal(409, "refused", done.text)
    return JSONResponse({"text": done.text, "key": named})


async def _executions(request: Request) -> Response:
    if (key := request.query_params.get("key")) is None:
        raise _Malformed("Name the key to look up: ?key=...")
    return JSONResponse({"matches": _worlds(request).executions(_name(request), key)})


async def _log(request: Request) -> Response:
    return JSONResponse(_worlds(request).log(_name(request)))


async def _hash(request: Request) -> Response:
    return JSONResponse({"sha256": _worlds(request).sha256(_name(request))})


async def _fault(request: Request) -> Response:
    armed = _object(await request.body()).get("armed")
    if not isinstance(armed, bool):
        raise _Malformed('Write {"armed": true} or {"armed": false}.')
    _worlds(request).world(_name(request)).is_armed = armed
    return JSONResponse({"armed": armed})


def application(worlds: Worlds) -> Starlette:
    """Return the HTTP application that serves these worlds.

    Its handlers never wait while they work on the file, so one call follows another.
    """
    at = "/worlds/{world:path}"
    app = Starlette(
        routes=[
            Route(f"{at}/reads/{{tool}}", _read, methods=["GET"]),
            Route(f"{at}/writes/{{tool}}", _write, methods=["POST"]),
            Route(f"{at}/executions", _executions, methods=["GET"]),
            Route(f"{at}/log", _log, methods=["GET"]),
            Route(f"{at}/hash", _hash, methods=["GET"]),
            Route(f"{at}/fault", _fault, methods=["PUT"]),
            Route(at, _world, methods=["PUT", "DELETE"]),
        ],
        exception_handlers={
            NoWorld: _no_world,
            KeyReused: _key_reused,
            _Malformed: _malformed,
        },
    )
    app.state.worlds = worlds
    return app


async def _no_world(request: Request, error: Exception) -> Response:
    return _refusal(404, "no_world", f"There is no world {error}. Nothing was done; PUT it first.")


async def _key_reused(request: Request, error: Exception) -> Response:
    return _refusal(
        422, "key_reused", "The key was used before for another call. Nothing was done."
    )


async def _malformed(request: Request, error: Exception) -> Response:
    return _refusal(400, "malformed", f"{error} Nothing was done.")


def _refusal(status: int, code: str, message: str) -> Response:
    return JSONResponse({"error": code, "message": message}, status)


def _worlds(request: Request) -> Worlds:
    worlds: Worlds = request.app.state.worlds
    return worlds


def _name(request: Request) -> str:
    name: str = request.path_params["world"]
    return name


def _object(text: str | bytes) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except ValueError as error:
        raise _Malformed("The arguments are not JSON.") from error
    if not isinstance(given, dict):
        raise _Malformed("The arguments are no JSON object.")
    try:
        json.dumps(given, allow_nan=False, ensure_ascii=False).encode()
    except ValueError as error:
        # Python reads more than it can write again: what is logged must be told later.
        raise _Malformed("The arguments hold NaN, or half a character.") from error
    return given


class _Server(uvicorn.Server):
    """End with exit code 0 when it is told to end: uvicorn would raise the signal again."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals that end it."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.handle_exit)
        yield


def serve(data: Path) -> None:
    """Serve until SIGTERM or SIGINT; one JSON line on stdout says where, once it listens.

    Args:
        data: the folder with db.json.
    """
    listener = _bound("127.0.0.1", 0)
    config = uvicorn.Config(
        application(Worlds(Base(data / "db.json"))),
        lifespan="off",
        ws="none",
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        timeout_keep_alive=60,
        timeout_graceful_shutdown=5,
    )
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    sys.stdout.write(json.dumps({"url": url}) + "\n")
    sys.stdout.flush()
    _Server(config).run(sockets=[listener])


def _bound(host: str, port: int) -> socket.socket:
    # The protocol is named: only then asyncio switches off Nagle's algorithm, with which every
    # answer would wait for a delayed acknowledgement.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(512)
    except OSError:
        listener.close()
        raise
    return listener


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
