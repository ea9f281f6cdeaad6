"""Serve a domain's tools as an MCP server: over standard input and output, or over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from daybook.app.conversations.terminal import Terminal
from daybook.app.mcp.deciding import ClientsModel
from daybook.app.mcp.desk import STATUS, Answer, Desk
from daybook.app.served import served_by
from daybook.app.server.loopback import is_loopback_host
from daybook.app.server.serving import refuse_a_taken_port
from daybook.app.telling import tell_aside
from daybook.checkpoints.people.tokens import Tokens
from daybook.graph.build import build
from daybook.graph.serve import Served
from daybook.graph.settings.environment import Settings
from daybook.state.errors import ConfigurationError
from daybook.state.run_input import check_caller
from daybook.state.session import Person
from daybook.tools.domain import Domain
from daybook.tools.kinds import ChangeTool, ReadTool
from daybook.tools.own.memory import forget, remember

Where = Callable[[Person, str], str]

_NOT_FOR_CLIENTS: Final = frozenset({remember.name, forget.name})
"""What is remembered of a person is what the person has said, and here nobody hears them."""

_ASKED: Final = " A person approves it elsewhere; call it once."


@dataclass(frozen=True)
class Place:
    """Where an MCP server listens.

    Attributes:
        host: None for standard input and output.
    """

    host: str | None
    port: int


async def serve(
    settings: Settings,
    terminal: Terminal,
    place: Place,
    *,
    user: str | None,
    console: str,
    where: Where,
) -> None:
    """Serve until the client goes, or somebody ends it.

    Args:
        user: who is at work over standard input and output; None is who the domain says.
        console: the address of the console, for people who are to answer.
        where: says by which command a person answers in a thread.

    Raises:
        DaybookError: something is not set up or cannot be reached, or other machines would be
            let in without tokens.
    """
    served = served_by(settings)
    person = Person(user or served.domain.user)
    check_caller(person.user_id, person.role)
    async with _desk(served, console.rstrip("/"), where) as desk:
        if place.host is None:
            if terminal.interactive:
                # Not on the output, which is the client's.
                tell_aside(
                    f"MCP server of {desk.domain.name} for {person}, over this input and output: "
                    "an MCP client starts this command. Ctrl-C stops it; --http listens instead."
                )
            server = _server(desk, lambda request: person)
            async with stdio_server() as (reads, writes):
                await server.run(reads, writes, server.create_initialization_options())
            return
        # With it come the API's parts, of the extra `server`.
        from daybook.app.mcp.door import caller_of, serve_http

        await _check_place(desk, place.host, place.port, terminal)
        await serve_http(_server(desk, caller_of), person, place.host, place.port)


@asynccontextmanager
async def _desk(served: Served, console: str, where: Where) -> AsyncIterator[Desk]:
    # As a server opens it: sign-in looks at what that has opened.
    async with served.checkpointer() as saver:
        resources = replace(served(), model=ClientsModel())
        graph = build(served.domain, lambda: resources, saver)
        yield Desk(graph, served.domain, resources, where, console)


async def _check_place(desk: Desk, host: str, port: int, terminal: Terminal) -> None:
    """Look at what would let strangers in, or fail; say where it listens.

    Raises:
        ConfigurationError: no token was ever made, and other machines could come; the port is
            taken.
    """
    needs_tokens = await Tokens(desk.resources.postgres.pool).were_made()
    if not needs_tokens and not is_loopback_host(host):
        raise ConfigurationError(
            f"On {host} other machines reach the server, and no token was ever made: anybody "
            "could be anybody. Nothing was started; make a token first: daybook token USER"
        )
    refuse_a_taken_port(host, port, "daybook mcp serve --http")
    terminal.note(f"MCP server of {desk.domain.name} at http://{host}:{port}/mcp; Ctrl-C stops it.")
    if needs_tokens:
        terminal.note("Whoever calls needs a token: daybook token USER makes one.")
    else:
        terminal.warn(
            f"NO TOKEN IS ASKED FOR: whoever is at this machine may call, as {desk.domain.user}. "
            "Other machines are not served. To end this, make a token: daybook token USER"
        )


def _server(desk: Desk, who: Callable[[Any], Person]) -> Server[Any, Any]:
    """Make the server; `who` tells of a request whose it is."""
    server: Server[Any, Any] = Server(
        "daybook", version="1", instructions=_instructions(desk.domain)
    )
    listed = tools_of(desk.domain)
    names = {one.name for one in listed}

    @server.list_tools()  # type: ignore[no-untyped-call, untyped-decorator]
    async def list_tools() -> list[types.Tool]:
        return listed

    # Not by the package's own check: what does not fit is refused in the house's words.
    @server.call_tool(validate_input=False)  # type: ignore[untyped-decorator]
    async def call_tool(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        if name not in names:
            return _told(Answer("refused", f"There is no tool {name[:64]!r}. Nothing was done."))
        request = server.request_context.request
        return _told(await desk.call(who(request), name, arguments))

    return server


def tools_of(domain: Domain) -> list[types.Tool]:
    """Return what a client is offered: the domain's tools, and the status."""
    reachable = set().union(*domain.flow.offered.values()) - _NOT_FOR_CLIENTS
    names = [name for name in domain.registry.names if name in reachable]
    schemas = domain.registry.arguments(names)
    return [*(_listed(domain, name, schemas[name]) for name in names), _STATUS_TOOL]


def _listed(domain: Domain, name: str, schema: dict[str, Any]) -> types.Tool:
    tool = domain.registry.offered(name)
    is_read = isinstance(tool, ReadTool)
    acts = not isinstance(tool, ReadTool | ChangeTool)
    return types.Tool(
        name=name,
        description=f"{tool.description}{_ASKED if acts else ''}",
        inputSchema={"type": "object", **schema},
        annotations=types.ToolAnnotations(
            readOnlyHint=is_read, destructiveHint=None if is_read else acts
        ),
    )


_STATUS_TOOL = types.Tool(
    name=STATUS,
    description="Tell what waits for a person and where, or what was said last. Changes nothing.",
    inputSchema={"type": "object", "properties": {}},
    annotations=types.ToolAnnotations(readOnlyHint=True),
)


def _instructions(domain: Domain) -> str:
    return (
        f"Tools of {domain.name}. What changes the world waits until a person approves it in the "
        "console or a terminal; no call here approves anything. Say to your person where to "
        f"answer, and look at {STATUS} for what came of it."
    )


def _told(answer: Answer) -> types.CallToolResult:
    facts = {"status": answer.status, **answer.more}
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)],
        structuredContent=facts,
        isError=answer.is_error,
    )
