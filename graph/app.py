"""What langgraph.json exports: the shop's graph, and the checkpointer that opens what it runs on.

The server loads this module once, by its dotted name. It compiles the graph before anything is
open; the checkpointer is opened around all runs, and with it database, shop and model.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from graph.build import build
from graph.resources import open_resources
from graph.settings import settings_from
from nodes.work import Resources
from state.errors import ConfigurationError
from tools.shop.domain import SHOP

_open: list[Resources] = []


def _resources() -> Resources:
    if not _open:
        raise ConfigurationError(
            "The graph has nothing to run on: its checkpointer is not open. Nothing was done; "
            'langgraph.json must name it: "checkpointer": {"path": "graph.app.checkpointer"}.'
        )
    return _open[-1]


graph = build(SHOP, _resources)


@asynccontextmanager
async def checkpointer() -> AsyncIterator[AsyncPostgresSaver]:
    """Open what the graph runs on, for as long as the server runs; yield its checkpointer.

    Raises:
        DaybookError: something cannot be started or reached; the message says what to do.
    """
    async with open_resources(settings_from()) as resources:
        _open.append(resources)
        try:
            yield resources.postgres.saver
        finally:
            _open.remove(resources)
