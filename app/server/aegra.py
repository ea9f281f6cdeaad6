"""What aegra.json names: the graph on our own checkpointer, who signs in, and what is open.

Aegra keeps threads and runs in a database of its own (DATABASE_URL) and hands every graph a plain
checkpointer on it. This graph keeps to ours: fenced, strict, encrypted where there is a key, in the
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
from langgraph_sdk import Auth
from pydantic import BaseModel
from starlette.middleware import Middleware
from starlette.routing import Route

from daybook.app.named import checkpointer
from daybook.app.named import graph as named
from daybook.app.operating.metrics import metrics
from daybook.app.server.auth import authenticate
from daybook.app.server.redacting import Redacting
from daybook.app.server.stop_route import stop_over_http
from daybook.graph.guarded import GuardedGraph
from daybook.state.errors import ConfigurationError
from daybook.state.session import ROLES

_OPERATOR = ROLES[-1]


class AegraGraph(GuardedGraph):
    """Keep to our checkpointer when a copy is made for a request, and tell state as plain JSON."""

    async def astream(
        self, input: Any, config: RunnableConfig | None = None, **options: Any
    ) -> AsyncIterator[Any]:
        """Run the graph (see the base class); Aegra keeps what is told, and cannot keep times."""
        async with aclosing(
            cast(AsyncGenerator[Any], super().astream(input, config, **options))
        ) as run:
            async for chunk in run:
                yield _plain(chunk)

    def copy(self, update: dict[str, Any] | None = None) -> Self:
        """Return a copy on the checkpointer of the resources that are open."""
        ours = {"checkpointer": self.resources().postgres.saver, "store": None}
        return super().copy({**(update or {}), **ours})


graph = AegraGraph(**{name: part for name, part in vars(named).items() if name != "__orig_class__"})

auth = Auth()


@auth.authenticate
async def sign_in(headers: Mapping[Any, Any]) -> dict[str, Any]:
    """Take a token for its person; before one is made nobody is let in: Aegra tells no address."""
    given = [(_bytes(name).lower(), _bytes(value)) for name, value in headers.items()]
    return await authenticate({"headers": given})


@auth.on.threads.update
async def update_thread(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Leave rewriting of state to operators."""
    if getattr(ctx.user, "role", None) != _OPERATOR:
        raise Auth.exceptions.HTTPException(
            status_code=403, detail="State is not rewritten: say what you want. Nothing was done."
        )


@asynccontextmanager
async def _open(_: FastAPI) -> AsyncIterator[None]:
    """Open what the graph runs on, for as long as the server runs.

    Raises:
        ConfigurationError: DAYBOOK_DATABASE_URL is not set.
    """
    ours = os.environ.get("DAYBOOK_DATABASE_URL")
    if not ours:
        raise ConfigurationError(
            "Beside Aegra's own DATABASE_URL, DAYBOOK_DATABASE_URL must name the database of the "
            "ledger: both have a table of the name thread. Nothing was started."
        )
    # Aegra has read its own by now.
    os.environ["DATABASE_URL"] = ours
    async with checkpointer():
        yield


app = FastAPI(
    title="Daybook",
    lifespan=_open,
    routes=[
        Route("/metrics", metrics),
        Route("/daybook/threads/{thread_id}/stop", stop_over_http, methods=["POST"]),
    ],
    # Aegra keeps what a run is given before the graph is asked.
    middleware=[Middleware(Redacting)],
)


def _plain(value: Any) -> Any:
    """Write models and times as JSON has them; messages are for Aegra to write."""
    if isinstance(value, BaseModel) and not isinstance(value, BaseMessage):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_plain(item) for item in value)
    return value.isoformat() if isinstance(value, datetime) else value


def _bytes(text: Any) -> bytes:
    return text if isinstance(text, bytes) else str(text).encode("latin-1")
