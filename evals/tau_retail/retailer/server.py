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


_REFUSALS: dict[type[Exception], tuple[int, str, str]] = {
    NoWorld: (404, "no_world", "There is no world {}. Nothing was done; PUT it first."),
    KeyReused: (422, "key_reused", "The key came before with another call. Nothing was done."),
    _Malformed: (400, "malformed", "{} Nothing was done."),
}


def application(worlds: Worlds) -> Starlette:
    """Return the HTTP application that serves these worlds.

    Its handlers never wait while they work on the file, so one call follows another.
    """

    async def world(request: Request) -> Response:
        name = request.path_params["world"]
        (worlds.open if request.method == "PUT" else worlds.drop)(name)
        return JSONResponse({"world": name})

    async def read(request: Request) -> Response:
        name, tool = request.path_params["world"], request.path_params["tool"]
        if tool in WRITES:
            return _refusal(404, "no_read", f"{tool} is a write. Nothing was done; POST it.")
        args = _object(request.query_params.get("args", "{}"))
        if worlds.world(name).is_armed:
            return JSONResponse({"text": _UNAVAILABLE}, 503)
        return JSONResponse({"text": worlds.read(name, tool, args)})

    async def write(request: Request) -> Response:
        name, tool = request.path_params["world"], request.path_params["tool"]
        if tool not in WRITES:
            known = "a read" if tool in READS else "no tool"
            return _refusal(404, "no_write", f"{tool} is {known}. Nothing was done.")
        args, key = _object(await request.body()), request.headers.get("idempotency-key")
        named = unquote(key) if key is not None else None
        done = worlds.write(name, tool, args, named)
        if done.is_refused:
            return _refusal(409, "refused", done.text)
        return JSONResponse({"text": done.text, "key": named})

    async def executions(request: Request) -> Response:
        if (key := request.query_params.get("key")) is None:
            raise _Malformed("Name the key to look up: ?key=...")
        return JSONResponse({"matches": worlds.executions(request.path_params["world"], key)})

    async def log(request: Request) -> Response:
        return JSONResponse(worlds.log(request.path_params["world"]))

    async def sha256(request: Request) -> Response:
        return JSONResponse({"sha256": worlds.sha256(request.path_params["world"])})

    async def fault(request: Request) -> Response:
        armed = _object(await request.body()).get("armed")
        if not isinstance(armed, bool):
            raise _Malformed('Write {"armed": true} or {"armed": false}.')
        worlds.world(request.path_params["world"]).is_armed = armed
        return JSONResponse({"armed": armed})

    at = "/worlds/{world:path}"
    return Starlette(
        routes=[
            Route(f"{at}/reads/{{tool}}", read, methods=["GET"]),
            Route(f"{at}/writes/{{tool}}", write, methods=["POST"]),
            Route(f"{at}/executions", executions, methods=["GET"]),
            Route(f"{at}/log", log, methods=["GET"]),
            Route(f"{at}/hash", sha256, methods=["GET"]),
            Route(f"{at}/fault", fault, methods=["PUT"]),
            Route(at, world, methods=["PUT", "DELETE"]),
        ],
        exception_handlers=dict.fromkeys(_REFUSALS, _refused),
    )


async def _refused(request: Request, error: Exception) -> Response:
    status, code, message = _REFUSALS[type(error)]
    return _refusal(status, code, message.format(error))


def _refusal(status: int, code: str, message: str) -> Response:
    return JSONResponse({"error": code, "message": message}, status)


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
    # The protocol is named: only then asyncio switches off Nagle's algorithm, with which every
    # answer would wait for a delayed acknowledgement.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(512)
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
        print(json.dumps({"url": f"http://127.0.0.1:{listener.getsockname()[1]}"}), flush=True)
        _Server(config).run(sockets=[listener])


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
