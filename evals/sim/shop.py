"""The demo's shop and its mail server, on a life's network."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import uvicorn
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.server import ServerState

from daybook.demo.shop.connection import Line, LineProtocol
from daybook.demo.shop.database import Database, create
from daybook.demo.shop.goods import searchable
from daybook.demo.shop.mail import reception
from daybook.demo.shop.routes import application
from daybook.demo.shop.search import Search
from daybook.demo.shop.settings import Settings
from daybook.demo.shop.world import World
from daybook.state.clock import SYSTEM
from evals.sim.loop import Owner, VirtualLoop, context_of
from evals.sim.network import Network
from evals.sim.recipe import Trick

HOST, HTTP_PORT, SMTP_PORT = "shop", 8080, 2525
URL, SMTP_URL = f"http://{HOST}:{HTTP_PORT}", f"smtp://{HOST}:{SMTP_PORT}"

_SHOP_ID = 0x51A1


def listen(
    network: Network,
    loop: VirtualLoop,
    owner: Owner,
    at: tuple[str, int],
    app: ASGIApp,
    idle_seconds: int = 60,
) -> None:
    """Let an application answer over HTTP at an address, as its owner."""
    config = uvicorn.Config(
        app,
        loop="asyncio",
        lifespan="off",
        ws="none",
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        timeout_keep_alive=idle_seconds,
        http=LineProtocol,
    )
    config.load()
    state = ServerState()

    def made() -> LineProtocol:
        return LineProtocol(config=config, server_state=state, app_state={}, _loop=loop)

    context_of(owner).run(network.listen, *at, made)


class Seeded:
    """The shop's seeded rows, made once and copied for each life."""

    def __init__(self) -> None:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.row_factory = sqlite3.Row
        create(connection)
        connection.execute(f"pragma application_id = {_SHOP_ID}")
        self.rows = connection.serialize()
        self.search = Search(searchable(connection))
        connection.close()


class Shop:
    """One life's shop: it outlives every process, and remembers what really happened.

    Args:
        before: puts something before its application.

    Attributes:
        world: its settings and faults.
        tricky: what it does beside that.
    """

    def __init__(
        self,
        loop: VirtualLoop,
        network: Network,
        seeded: Seeded,
        settings: Settings,
        tricks: Sequence[Trick] = (),
        before: Callable[[ASGIApp], ASGIApp] = lambda app: app,
    ) -> None:
        database = Database(Path(":memory:"))
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.deserialize(seeded.rows)
        self._connection.row_factory = sqlite3.Row
        self._connection.execute("pragma foreign_keys = on")
        database._connection = self._connection
        self._database = database
        self.world = World(database, seeded.search, settings, settings)
        self.app = application(self.world)
        self.tricky = Tricky(self.app, tricks)
        self._seen = 0
        self.owner = Owner("shop")
        listen(network, loop, self.owner, (HOST, HTTP_PORT), before(self.tricky))
        mail = (HOST, SMTP_PORT, lambda: reception(self.world))
        context_of(self.owner).run(network.listen, *mail)

    def news(self) -> list[dict[str, Any]]:
        """Return what happened since this was asked last."""
        rows = self._connection.execute(
            "select * from effect where n > ? order by n", (self._seen,)
        )
        found = [{**dict(row), "detail": json.loads(row["detail"])} for row in rows]
        if found:
            self._seen = found[-1]["n"]
        return found

    def rows(self, query: str, *about: Any) -> list[dict[str, Any]]:
        """Ask the shop's own book."""
        return [dict(row) for row in self._connection.execute(query, about)]

    def write(self, statement: str, *about: Any) -> None:
        """Let the shop's own people change something."""
        self._connection.execute(statement, about)

    def close(self) -> None:
        """Forget it."""
        self._database._thread.shutdown(wait=False)
        self._connection.close()


IN_USE = "in_use"
"""Code of the answer to a request whose key is in use; the contract of a life's shop holds it."""


class Tricky:
    """An application that meets the tricks of a life, each once.

    Attributes:
        met: how often each was.
    """

    def __init__(self, inner: ASGIApp, tricks: Sequence[Trick]) -> None:
        self._inner = inner
        self._tricks = list(tricks)
        self._later: set[asyncio.Task[None]] = set()
        self.met: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        trick = self._met(scope)
        if trick is None:
            await self._inner(scope, receive, send)
        elif trick.kind == "mistold":
            await self._inner(scope, receive, _Misteller(send).send)
        else:
            await self._busy(trick, scope, receive, send)

    def _met(self, scope: Scope) -> Trick | None:
        if scope["type"] != "http" or scope["method"] != "POST":
            return None
        place = scope["path"].strip("/")
        trick = next((one for one in self._tricks if one.place == place), None)
        if trick is not None:
            self._tricks.remove(trick)
            self.met[f"shop {trick.kind} at {place}"] += 1
        return trick

    async def _busy(self, trick: Trick, scope: Scope, receive: Receive, send: Send) -> None:
        body = await receive()
        # Nobody waits on the line of this request any more.
        apart = {**scope, "state": {**scope["state"], "line": Line()}}
        task = asyncio.ensure_future(self._do(trick.seconds, apart, body))
        self._later.add(task)
        task.add_done_callback(self._later.discard)
        said = {"error": IN_USE, "message": "A request under this key is under way."}
        await JSONResponse(said, 409)(scope, receive, send)

    async def _do(self, seconds: float, scope: Scope, body: Message) -> None:
        await SYSTEM.sleep(seconds)

        async def receive() -> Message:
            return body

        async def unheard(_: Message) -> None:
            pass

        await self._inner(scope, receive, unheard)

    @property
    def mistold(self) -> int:
        """Count the answers that named another effect than was done."""
        return sum(count for name, count in self.met.items() if name.startswith("shop mistold"))

    def clear(self) -> None:
        """Forget what no request has met yet."""
        self._tricks.clear()


class _Misteller:
    """Name another effect in an answer than the one that was done."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None

    async def send(self, message: Message) -> None:
        """Pass an answer on, whose body is one piece."""
        if message["type"] == "http.response.start":
            self._start = message
            return
        assert self._start is not None
        content = _mistold(message["body"])
        headers = [(n, v) for n, v in self._start["headers"] if n != b"content-length"]
        length = (b"content-length", str(len(content)).encode())
        await self._send({**self._start, "headers": [*headers, length]})
        await self._send({**message, "body": content})


def _mistold(body: bytes) -> bytes:
    answer: dict[str, Any] = json.loads(body)
    for name in ("hold_id", "charge_id", "order_id"):
        # The first of them names the effect; an order tells its holds and charge too.
        if name in answer:
            answer[name] = f"{answer[name]}9"
    return json.dumps(answer).encode()
