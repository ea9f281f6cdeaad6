"""What Aegra's configuration names: the graph on our checkpointer, and its resources.

Aegra keeps threads and runs in the schema public of its DATABASE_URL and hands every graph a plain
checkpointer there. This graph keeps to ours: fenced, strict, encrypted where there is a key, in the
database that DAYBOOK_DATABASE_URL names.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from typing import Any, Self, cast

from fastapi import FastAPI
from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel
from starlette.middleware import Middleware
from starlette.routing import Route

from daybook.app.console import app as console
from daybook.app.domain_graph import checkpointer
from daybook.app.domain_graph import graph as named
from daybook.app.operating.metrics import metrics
from daybook.app.server.inside import without_head
from daybook.app.server.layers import LAYERS
from daybook.app.server.production.access import SPEAKS, Door
from daybook.app.server.refusals import REFUSALS, refused
from daybook.graph.guarded import GuardedGraph
from daybook.state.clock import SYSTEM
from daybook.state.errors import ConfigurationError, ThreadBusy

_PAUSE_S = 0.2

_PATIENCE_S = 30.0
"""How long a run waits for an earlier run of its thread; Aegra starts them all at once."""


class AegraGraph(GuardedGraph):
    """Keep to our checkpointer when a copy is made for a request, and tell state as plain JSON."""

    async def astream(
        self, input: Any, config: RunnableConfig | None = None, **options: Any
    ) -> AsyncIterator[Any]:
        """Run the graph (see the base class), after the runs of its thread that began before.

        What it tells is plain: Aegra keeps that, and cannot keep times.
        """
        config = _by_who_asks(config or {}, options.get("context"))
        named = config.get("configurable", {})
        at_head = await without_head(named, str(named.get("thread_id")))
        config = {**config, "configurable": at_head}
        patience = SYSTEM.monotonic() + _PATIENCE_S
        while True:
            is_begun = False
            run = super().astream(input, config, **options)
            try:
                async with aclosing(cast(AsyncGenerator[Any], run)) as chunks:
                    async for chunk in chunks:
                        is_begun = True
                        yield _plain(chunk)
                return
            except ThreadBusy:
                # It says that nothing was done.
                if is_begun or SYSTEM.monotonic() > patience:
                    raise
            await SYSTEM.sleep(_PAUSE_S)

    async def aupdate_state(
        self,
        config: RunnableConfig,
        values: Any,
        as_node: str | None = None,
        task_id: str | None = None,
    ) -> RunnableConfig:
        """Write state as a client edits it (see the base class), as who really asks."""
        return await super().aupdate_state(_by_who_asks(config), values, as_node, task_id)

    def copy(self, update: dict[str, Any] | None = None) -> Self:
        """Return a copy on the checkpointer of the resources that are open."""
        ours = {"checkpointer": self.resources().postgres.saver, "store": None}
        return super().copy({**(update or {}), **ours})


graph = AegraGraph(**{name: part for name, part in vars(named).items() if name != "__orig_class__"})


@asynccontextmanager
async def open_graphs() -> AsyncIterator[None]:
    """Open what the graph runs on, for as long as the server runs.

    Raises:
        ConfigurationError: DAYBOOK_DATABASE_URL is not set.
    """
    ours = os.environ.get("DAYBOOK_DATABASE_URL")
    if not ours:
        raise ConfigurationError(
            "DAYBOOK_DATABASE_URL must name the ledger's database, besides Aegra's own "
            "DATABASE_URL. Nothing was started; `daybook serve --production` sets both."
        )
    # Aegra has read its own by now.
    os.environ["DATABASE_URL"] = ours
    async with checkpointer():
        yield


app = FastAPI(
    title="Daybook",
    routes=[Route("/metrics", metrics), *console.app.routes],
    # Aegra keeps what a run is given before the graph is asked.
    middleware=[*LAYERS, Middleware(Door)],
    exception_handlers=dict.fromkeys(REFUSALS, refused),
)


def _by_who_asks(config: RunnableConfig, context: Any = None) -> RunnableConfig:
    """Tell the graph who really asks: Aegra says whose the thread is.

    While no token was ever made, that is whom the client names.
    """
    configurable = dict(config.get("configurable", {}))
    user = configurable.get("langgraph_auth_user")
    if user is None:
        return config
    who = dict(user.to_dict())
    if not who.get("signed_in", True):
        del configurable["langgraph_auth_user"]
        said = context if isinstance(context, Mapping) else {}
        named = {name: said[name] for name in ("user_id", "role") if said.get(name)}
        return {**config, "configurable": {**configurable, **named}}
    configurable["langgraph_auth_user"] = {**who, "identity": who.get(SPEAKS, who["identity"])}
    return {**config, "configurable": configurable}


def _plain(value: Any) -> Any:
    """Write models and times as JSON has them; messages are for Aegra to write."""
    if isinstance(value, BaseModel) and not isinstance(value, BaseMessage):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_plain(item) for item in value)
    return value.isoformat() if isinstance(value, datetime) else value
