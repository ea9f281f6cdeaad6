"""The retailer over HTTP, and a Postgres beside it.

- `GET /worlds/W/reads/TOOL?args=JSON`: the text, errors included; 503 where reads are away
- `POST /worlds/W/writes/TOOL`, a JSON object, an Idempotency-Key: the text; 409 where refused
- `GET /worlds/W/executions?key=KEY`: what was done under it and not refused

Whoever measures makes worlds, and sees what happened in them, in this process: nothing of that is
open to an agent.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from daybook.testing import Answer, Request, as_json
from daybook.testing.http import serve
from evals.servers import Server, open_server
from evals.tau_retail.data import TauRetail
from evals.tau_retail.retailer.calls import READS, WRITES
from evals.tau_retail.retailer.worlds import Base, KeyReused, NoWorld, Worlds, is_refused

_UNAVAILABLE = "Error: 503 Service Unavailable"


class _Malformed(Exception):
    """Say what is wrong with a request."""


class Retailer(Worlds):
    """The worlds with their HTTP API (a `Service` of `daybook.testing`).

    Attributes:
        url: of the API.
    """

    url = ""

    def handle(self, request: Request) -> Answer:
        """Answer a request."""
        try:
            return self._answer(request)
        except NoWorld as name:
            return _refusal(404, "no_world", f"There is no world {name}. Nothing was done.")
        except KeyReused:
            told = "The key came before with another call. Nothing was done."
            return _refusal(422, "key_reused", told)
        except _Malformed as wrong:
            return _refusal(400, "malformed", f"{wrong} Nothing was done.")

    def _answer(self, request: Request) -> Answer:
        # Names of worlds are quoted in the path; they may hold whatever a run's id holds.
        _, _, quoted, what, *rest = request.path.split("/")
        world, tool = unquote(quoted), "".join(rest)
        match what:
            case "executions":
                return as_json(200, {"matches": self.found(world, request.query["key"])})
            case "reads" if tool in WRITES:
                return _refusal(404, "no_read", f"{tool} is a write. Nothing was done; POST it.")
            case "reads" if self.world(world).is_away:
                return as_json(503, {"text": _UNAVAILABLE})
            case "reads":
                args = _object(request.query.get("args", "{}"))
                return as_json(200, {"text": self.read(world, tool, args)})
            case "writes" if tool not in WRITES:
                known = "a read" if tool in READS else "no tool"
                return _refusal(404, "no_write", f"{tool} is {known}. Nothing was done.")
            case _:
                text = self.write(world, tool, _object(request.body), request.key)
                if is_refused(text):
                    return _refusal(409, "refused", text)
                return as_json(200, {"text": text, "key": request.key})


def _refusal(status: int, code: str, message: str) -> Answer:
    return as_json(status, {"error": code, "message": message})


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


@contextmanager
def open_retailer(data: TauRetail) -> Iterator[Retailer]:
    """Serve a retailer for the length of the block."""
    retailer = Retailer(Base(data.folder / "db.json"))
    with serve({"retailer": retailer}) as url:
        retailer.url = f"{url}/retailer"
        yield retailer


@dataclass(frozen=True)
class Ground:
    """What everything stands on."""

    server: Server
    retailer: Retailer


@asynccontextmanager
async def open_ground(data: TauRetail) -> AsyncIterator[Ground]:
    """Start a Postgres and a retailer; nothing of them outlives the block."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="daybook-tau-")))
        server = await stack.enter_async_context(open_server(folder))
        yield Ground(server, stack.enter_context(open_retailer(data)))
