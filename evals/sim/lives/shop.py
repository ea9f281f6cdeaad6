"""The demo's shop and its mail server, on a life's network."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from daybook.demo.shop.database import Database, create
from daybook.demo.shop.door.application import application
from daybook.demo.shop.door.connection import LineProtocol
from daybook.demo.shop.goods.products import searchable
from daybook.demo.shop.goods.search import Search
from daybook.demo.shop.mail.post_office import reception
from daybook.demo.shop.settings import Settings
from daybook.demo.shop.world import World
from evals.sim.ground.loop import Owner, VirtualLoop, context_of
from evals.sim.ground.network import Network
from evals.sim.lives.recipe import Trick
from evals.sim.lives.tricks import Tricky

HOST, HTTP_PORT, SMTP_PORT = "shop", 8080, 2525
URL, SMTP_URL = f"http://{HOST}:{HTTP_PORT}", f"smtp://{HOST}:{SMTP_PORT}"

_SHOP_ID = 0x51A1


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
        config = uvicorn.Config(
            before(self.tricky),
            loop="asyncio",
            lifespan="off",
            ws="none",
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=60,
            http=LineProtocol,
        )
        config.load()
        state, self._seen = ServerState(), 0
        self.owner = Owner("shop")

        def listen() -> None:
            network.listen(
                HOST,
                HTTP_PORT,
                lambda: LineProtocol(config=config, server_state=state, app_state={}, _loop=loop),
            )
            network.listen(HOST, SMTP_PORT, lambda: reception(self.world))

        context_of(self.owner).run(listen)

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
