"""A graph with its own ledger, as the server, the console and a worker run it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot

from daybook.graph.guarded import GuardedGraph
from daybook.graph.ledger.calls import Calls
from daybook.graph.ledger.recovery import sweep_threads
from daybook.graph.ledger.running import is_awaited
from daybook.graph.ledger.savers import LedgerSaver
from daybook.graph.resume import Left
from daybook.graph.serve import Opened, Served
from daybook.nodes.running.work import Resources


class ServedLedger(Served):
    """A guarded graph of a ledger.

    Args:
        compiled: the graph that is guarded.
    """

    has_flow = False

    def __init__(self, calls: Calls, compiled: CompiledStateGraph[Any, Any, Any, Any]) -> None:
        self._calls = calls
        domain = calls.ready().domain
        graph = GuardedGraph.around(compiled, self, domain.name)
        super().__init__(domain, self._resources, graph)

    def __call__(self) -> Resources:
        """Return what is open in this event loop.

        Raises:
            InputRefused: nothing is.
        """
        return self._calls.ready().resources()

    async def left_in(self, snapshot: StateSnapshot) -> Left | None:
        """Tell what is left to do in a thread."""
        work = self._calls.ready().work(snapshot.config)
        if snapshot.interrupts and await is_awaited(snapshot.interrupts, work):
            return Left.QUESTION
        return Left.CUT_OFF if snapshot.interrupts or snapshot.next else None

    def taking_up(self, left: Left | None) -> Mapping[str, Any] | None:
        """Return the input of a run that goes on with what is left."""
        return None

    @asynccontextmanager
    async def checkpointer(self) -> AsyncIterator[LedgerSaver]:
        """Open the ledger for as long as the server runs; yield its checkpointer."""
        async with self._resources():
            self.begin()
            self._calls.database.serve()
            try:
                yield self._calls.database.saver
            finally:
                self.end()

    @asynccontextmanager
    async def open(self, *, sends: bool = True) -> AsyncIterator[Opened]:
        """Open the ledger; the graph is one with its checkpointer."""
        async with self._resources(sends=sends) as resources:
            graph = self.graph.copy({"checkpointer": self._calls.database.saver})
            yield Opened(graph, self.domain, resources)

    async def sweep(self, idle: timedelta) -> dict[str, str]:
        """Recover each thread that nobody works on (see `Ledger.sweep`)."""
        graph = self.graph.copy({"checkpointer": self._calls.database.saver})
        return await sweep_threads(self._calls.ready(), [graph], idle)

    @asynccontextmanager
    async def _resources(self, *, sends: bool = True) -> AsyncIterator[Resources]:
        database = self._calls.database
        if not sends:
            async with database.open_database() as postgres:
                self._calls.use(postgres, None)
                yield self()
            return
        await database.open()
        try:
            await self._calls.ready().declare()
            yield self()
        finally:
            await database.close()
