"""The worlds, each a copy of the same database with a log of its own, and their HTTP API.

Names of worlds are quoted in the path; they may hold whatever a run's id holds.

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
import hashlib
import json
import signal
import socket
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.tau_retail.retailer.calls import ERROR, READS, WRITES, answered
from evals.tau_retail.retailer.rules import Record, Table

Changed: TypeAlias = Mapping[tuple[Table, str], Record]
"""The records of a world that are not those of the base."""

_TABLES: tuple[Table, ...] = ("orders", "products", "users")
"""Sorted, as the hash is."""


class NoWorld(Exception):
    """There is no world of that name."""


class KeyReused(Exception):
    """Refuse a key that came before with another call; nothing was executed."""


class Base:
    """The tables of `db.json`, and its text as it is hashed.

    Args:
        path: of the file, whose order of keys counts.
    """

    def __init__(self, path: Path) -> None:
        self.tables: dict[Table, dict[str, Record]] = json.loads(path.read_text(encoding="utf-8"))
        self._places: dict[tuple[Table, str], tuple[int, int]] = {}
        self._text = self._written()

    def sha256(self, changed: Changed) -> str:
        """Hash a world's whole database; the records that did not change are not written anew."""
        text, done, hashed = memoryview(self._text), 0, hashlib.sha256()
        for place in sorted(changed, key=self._places.__getitem__):
            begins, ends = self._places[place]
            hashed.update(text[done:begins])
            hashed.update(canonical(changed[place]).encode())
            done = ends
        hashed.update(text[done:])
        return hashed.hexdigest()

    def _written(self) -> bytes:
        """Write the whole database, and note where in it each record stands."""
        text = bytearray(b"{")
        for table in _TABLES:
            text += f'"{table}":{{'.encode()
            for key in sorted(self.tables[table]):
                text += f"{canonical(key)}:".encode()
                record = canonical(self.tables[table][key]).encode()
                self._places[table, key] = len(text), len(text) + len(record)
                text += record + b","
            text[-1:] = b"},"
        text[-1:] = b"}"
        return bytes(text)


class Overlay:
    """Give the records of one world: the base, and what changed (`records.Tables`)."""

    def __init__(self, base: Base, changed: Changed) -> None:
        self._base = base
        self.changed = changed

    def find(self, table: Table, key: Any) -> Record | None:
        """Return a record, or None.

        Raises:
            TypeError: the key is a list or an object.
        """
        return self.changed.get((table, key)) or self._base.tables[table].get(key)

    def all(self, table: Table) -> Iterator[tuple[str, Record]]:
        """Return keys and records in the order of the table."""
        for key, record in self._base.tables[table].items():
            yield key, self.changed.get((table, key), record)

    def differs(self, table: Table, key: str, record: Record) -> bool:
        """Tell whether a record would change the world; the order of its keys is no matter."""
        return canonical(self.find(table, key)) != canonical(record)


def canonical(value: Any) -> str:
    """Write a value as it is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Written:
    """The answer to a write.

    Attributes:
        is_refused: nothing was changed.
    """

    text: str
    is_refused: bool


@dataclass
class World:
    """One world.

    Attributes:
        changed: its records that are not those of the base.
        executions: writes that were executed, refused ones too, in order; nothing is ever removed.
        repeats: writes that were answered by their key.
        is_armed: its reads are away.
    """

    changed: dict[tuple[Table, str], Record] = field(default_factory=dict)
    executions: list[dict[str, Any]] = field(default_factory=list)
    repeats: int = 0
    reads: int = 0
    is_armed: bool = False

    def under(self, key: str) -> dict[str, Any] | None:
        """Return what was executed under a key."""
        return next((one for one in self.executions if one["key"] == key), None)


class Worlds:
    """Keep the worlds in memory. Called by one thread, so that one call follows another."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._worlds: dict[str, World] = {}

    def open(self, name: str) -> None:
        """Begin a world; one that is there stays as it is."""
        self._worlds.setdefault(name, World())

    def drop(self, name: str) -> None:
        """Forget a world, if it is there."""
        self._worlds.pop(name, None)

    def world(self, name: str) -> World:
        """Return a world.

        Raises:
            NoWorld: it is not there.
        """
        if name not in self._worlds:
            raise NoWorld(name)
        return self._worlds[name]

    def read(self, name: str, tool: str, args: Mapping[str, Any]) -> str:
        """Answer a read, and count it.

        Raises:
            NoWorld: it is not there.
        """
        world = self.world(name)
        world.reads += 1
        return answered(tool, Overlay(self._base, world.changed), args).text

    def write(self, name: str, tool: str, args: Mapping[str, Any], key: str | None) -> Written:
        """Execute a write and log it; under a key that came before, answer what was answered then.

        Raises:
            NoWorld: it is not there.
            KeyReused: the key came before with another call.
        """
        world = self.world(name)
        if key is not None and (before := world.under(key)) is not None:
            if (before["tool"], before["args"]) != (tool, args):
                raise KeyReused
            world.repeats += 1
            return Written(before["text"], before["text"].startswith(ERROR))
        tables = Overlay(self._base, world.changed)
        answer = answered(tool, tables, args)
        world.executions.append(
            {
                "n": len(world.executions) + 1,
                "tool": tool,
                "args": args,
                "key": key,
                "text": answer.text,
                "changed": any(tables.differs(*put) for put in answer.puts),
            }
        )
        world.changed |= {(table, of): record for table, of, record in answer.puts}
        return Written(answer.text, answer.text.startswith(ERROR))

    def executions(self, name: str, key: str) -> list[dict[str, Any]]:
        """Return what was done under a key, and not refused.

        Raises:
            NoWorld: it is not there.
        """
        found = self.world(name).under(key)
        if found is None or found["text"].startswith(ERROR):
            return []
        return [{"text": found["text"], "key": key}]

    def log(self, name: str) -> dict[str, Any]:
        """Return all that was executed, in order, and how often nothing was.

        Raises:
            NoWorld: it is not there.
        """
        world = self.world(name)
        return {"executions": world.executions, "repeats": world.repeats, "reads": world.reads}

    def sha256(self, name: str) -> str:
        """Hash the whole database of a world.

        Raises:
            NoWorld: it is not there.
        """
        return self._base.sha256(self.world(name).changed)


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
