"""An agent whose tools are an MCP server's, held to what it showed when it was looked at."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from langgraph.types import StateSnapshot

from daybook import Undo, mcp
from daybook.checkpoints.postgres import Postgres
from daybook.domain import McpServer, McpTool, Probe
from daybook.state.effects.guarantees import Guarantees
from daybook.state.flow import FlowTable
from daybook.testing.model import last_result
from daybook.tools.domain import Domain, Prompt
from daybook.tools.mcp.configuration import Given, server_from
from daybook.tools.mcp.connection import Connection
from daybook.tools.registry import Registry
from tests.agents import ScriptedAgent, open_agent
from tests.conversation import Conversation

Shown = Mapping[str, Mapping[str, Any]]

BUDGET = 4.0
"""Seconds of an attempt: a test on real processes, on a busy machine."""


async def shown_at(at: Given) -> dict[str, dict[str, Any]]:
    """Return what a server shows of its tools."""
    connection = Connection(server_from(at))
    try:
        return await connection.tools()
    finally:
        await connection.close()


BARE = {"list_rooms": McpTool(kind="read")}
"""Nothing is declared but what surely changes nothing."""


def provable(prefix: str = "") -> dict[str, McpTool]:
    """Declare that a booking can be looked up by its reference, and cancelled.

    Args:
        prefix: of the names here.
    """
    return {
        **BARE,
        "find_bookings": McpTool(kind="read"),
        "book_room": McpTool(
            key_argument="reference",
            reference="id",
            evidence=lambda args: {"room": args["room"]},
            probe=Probe(
                tool="find_bookings",
                args=lambda args, key: {"reference": key},
                matches=lambda result, args, key: result["bookings"],
            ),
            undo=Undo(
                tool=f"{prefix}cancel_booking",
                args=lambda args, result: {"booking_id": result["id"]},
                settled_by=frozenset({"declined"}),
            ),
            guarantees=Guarantees(settle=timedelta(seconds=0.2)),
            operation=lambda args: f"booking/{args['room']}/{args['title']}",
        ),
        "book_once": McpTool(
            key_argument="idempotency_key",
            guarantees=Guarantees(honours_key=True, retention=timedelta(hours=1)),
        ),
    }


def domain_of(server: McpServer) -> Domain:
    """Make a domain of a server's tools."""
    names = frozenset(tool.name for tool in server.offered)
    return Domain(
        name="office",
        registry=Registry(server.offered, server.steps),
        flow=FlowTable("ready", {}, {"ready": names}),
        prompt=Prompt(system="You book rooms."),
        user="mia",
    )


@dataclass
class OfficeAgent(ScriptedAgent):
    """Hold the agent, its server and the script of its model."""

    server: McpServer

    @property
    def postgres(self) -> Postgres:
        return self.resources.postgres

    async def says(self, talk: Conversation, tool: str, **args: Any) -> StateSnapshot:
        """Let the model make a call, and say what came of it."""
        self.model.then([(tool, args)], last_result)
        return await talk.say("go on")

    async def asked(self, tool: str, **args: Any) -> Conversation:
        """Bring a call to the question whether it may be made."""
        talk = Conversation(self.graph, "mia")
        found = await self.says(talk, tool, **args)
        assert len(found.interrupts) == 1, found.values["messages"][-1].text
        return talk

    async def steps(self, talk: Conversation) -> list[str]:
        """Return what the ledger says of the thread's steps, in order."""
        entries = await self.postgres.ledger.entries(talk.thread_id)
        assert await self.postgres.ledger.verify(talk.thread_id) >= len(entries)
        return [entry.event.value for entry in entries if entry.op]

    async def results(self, talk: Conversation) -> list[Any]:
        """Return what the ledger keeps of what was answered or found, in order."""
        entries = await self.postgres.ledger.entries(talk.thread_id)
        kept = ("acknowledged", "found")
        return [dict(entry.payload or {}) for entry in entries if entry.event.value in kept]


@asynccontextmanager
async def office_agent(
    postgres_url: str,
    at: Given,
    shown: Shown,
    declare: Mapping[str, McpTool],
    name: str = "the office",
) -> AsyncIterator[OfficeAgent]:
    """Open the agent on a database and a server, as it was looked at."""
    server = mcp(at, [*shown.values()], declare, name=name)
    async with (
        server,
        open_agent(
            partial(OfficeAgent, server=server),
            postgres_url,
            domain_of(server),
            works_with={"user": "mia"},
            budget=BUDGET,
            unknown_settle=0.2,
        ) as agent,
    ):
        yield agent
