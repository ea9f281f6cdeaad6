"""What a server is given of a domain: its graph, and the checkpointer that opens its resources.

The server compiles the graph before anything is open; the checkpointer is opened around all runs,
and with it whatever they run on.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from graph.build import build
from graph.guarded import GuardedGraph
from nodes.work import Resources
from state.errors import ConfigurationError
from tools.domain import Domain

Checkpointer = Callable[[], AbstractAsyncContextManager[AsyncPostgresSaver]]


def served(
    domain: Domain, open_resources: Callable[[], AbstractAsyncContextManager[Resources]]
) -> tuple[GuardedGraph, Checkpointer]:
    """Make the graph and the checkpointer that a langgraph.json names.

    Args:
        open_resources: opens what the graph runs on, for as long as the server runs.

    Raises, when the checkpointer is opened:
        DeclarationError: by what the services promise, an undo could be done twice.

    Example:
        `graph, checkpointer = served(ROOMS, open_resources)` in a module that langgraph.json names
        twice: the graph as "rooms.app:graph", the checkpointer as "rooms.app.checkpointer".
    """
    # At DEBUG it logs every event of every stream: all that is said, word by word.
    logging.getLogger("langgraph_runtime_inmem.ops").setLevel(logging.INFO)
    opened: list[Resources] = []

    def running() -> Resources:
        if not opened:
            raise ConfigurationError(
                "The graph has nothing to run on: its checkpointer is not open. Nothing was done; "
                'langgraph.json must name it: "checkpointer": {"path": "graph.app.checkpointer"}, '
                "or the module that your graph stands in."
            )
        return opened[-1]

    @asynccontextmanager
    async def checkpointer() -> AsyncIterator[AsyncPostgresSaver]:
        """Open what the graph runs on, for as long as the server runs; yield its checkpointer."""
        async with open_resources() as resources:
            domain.registry.check_promises(resources.promises)
            opened.append(resources)
            try:
                yield resources.postgres.saver
            finally:
                opened.remove(resources)

    return build(domain, running), checkpointer
