"""Commands that serve: the graph, and the tools to MCP clients."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from daybook.app.cli.options import User, fail
from daybook.app.conversations import chat as chats
from daybook.app.conversations.terminal import Terminal
from daybook.app.conversations.typed import typed
from daybook.app.running import run
from daybook.app.server import serving
from daybook.app.server.production import serving as production
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import InputRefused
from daybook.state.session import Person

commands = typer.Typer()


MCP_PORT = 2025
"""Beside the API's."""


@commands.command()
def serve(
    host: Annotated[str, typer.Option(help="Where to listen.")] = serving.HOST,
    port: Annotated[int, typer.Option(min=1, max=65535, help="On which port.")] = serving.PORT,
    in_production: Annotated[
        bool,
        typer.Option("--production", help="For others: by Aegra, which keeps runs in Postgres."),
    ] = False,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Of --production; more than one need REDIS_URL.")
    ] = 1,
    with_worker: Annotated[
        bool, typer.Option("--worker/--no-worker", help="Of --production: with a worker beside.")
    ] = True,
) -> None:
    """Serve the graph: API and console, by `langgraph dev`, or by Aegra in several processes."""
    if in_production:
        what = production.Production(settings_from(), host, port, processes, with_worker)
        production.serve(what, run(production.prepare(what, Terminal())))
        return
    config = run(serving.prepare(settings_from(), Terminal(), host, port))
    # The server takes this process's place: what ends this one, ends it.
    serving.start(config, host, port)


mcp = typer.Typer(no_args_is_help=True)
commands.add_typer(mcp, name="mcp", help="Look at an MCP server's tools, or be an MCP server.")


@mcp.command("inspect")
def inspect_mcp(
    url: Annotated[str, typer.Argument(help="Its streamable HTTP: https://.../mcp")],
    token_from: Annotated[
        str | None,
        typer.Option(
            "--token-from", metavar="VARIABLE", help="Sign in with the token that stands there."
        ),
    ] = None,
    declared: Annotated[
        str | None,
        typer.Option(
            "--declared", metavar="MODULE:NAME", help="Compare with what mcp(...) returned."
        ),
    ] = None,
    write: Annotated[
        str | None,
        typer.Option(
            "--write", metavar="FILE", help="Write declarations to start from; - is the output."
        ),
    ] = None,
) -> None:
    """List a server's tools, and what is promised of each when no answer comes.

    Nothing is called. What a server says of its tools is no promise: with
    --declared, exit 1 where one of them is no longer what was declared.
    """
    # Imported for these commands alone: with it comes the extra `mcp`.
    from daybook.app.mcp import inspecting

    work = inspecting.inspect(url, token_from=token_from, declared=declared, write=write)
    try:
        is_as_declared = run(work)
    except InputRefused as refused:
        fail(str(refused), 2)
    if not is_as_declared:
        sys.exit(1)


@mcp.command("serve")
def serve_mcp(
    ctx: typer.Context,
    user: User = None,
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP, signed in by tokens; else this input.")
    ] = False,
    host: Annotated[str, typer.Option(help="With --http: where to listen.")] = serving.HOST,
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="With --http: on which port.")
    ] = MCP_PORT,
    console: Annotated[
        str, typer.Option(metavar="URL", help="Where people answer, as clients are told.")
    ] = f"http://{serving.HOST}:{serving.PORT}/console",
) -> None:
    """Be an MCP server: the domain's tools for a client, approvals never.

    What changes the world waits for its person in the console or in `daybook
    chat`, and the client is told where. Each person has one thread.
    """
    from daybook.app.mcp import serving as mcp_serving

    domain = ctx.parent.parent.params["domain"] if ctx.parent and ctx.parent.parent else None
    program = typed(sys.argv, domain, os.environ)

    def where(person: Person, thread: str) -> str:
        return chats.continuing(thread, chats.Given(user=person.user_id, program=tuple(program)))

    place = mcp_serving.Place(host if http else None, port)
    work = mcp_serving.serve(
        settings_from(), Terminal(), place, user=user, console=console, where=where
    )
    run(work)
