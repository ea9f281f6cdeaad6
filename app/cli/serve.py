"""Commands that serve the graph, and that look at MCP servers."""

from __future__ import annotations

from typing import Annotated

import typer

from daybook.app.cli.options import fail, runs
from daybook.app.conversations.terminal import Terminal
from daybook.app.server import dev_server
from daybook.app.server.production import launch as production
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import InputRefused

commands = typer.Typer()


@commands.command()
def serve(
    host: Annotated[str, typer.Option(help="Where to listen.")] = dev_server.HOST,
    port: Annotated[int, typer.Option(min=1, max=65535, help="On which port.")] = dev_server.PORT,
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
        told = runs(production.prepare)(settings_from(), Terminal(), host, port, processes)
        production.serve(told, host, port, processes, has_worker=with_worker)
        return
    config = runs(dev_server.prepare)(settings_from(), Terminal(), host, port)
    # The server takes this process's place: what ends this one, ends it.
    dev_server.start(config, host, port)


mcp = typer.Typer(no_args_is_help=True)
commands.add_typer(mcp, name="mcp", help="Look at an MCP server's tools.")


@mcp.command("inspect")
@runs
async def inspect_mcp(
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
    from daybook.app.mcp import inspect

    try:
        about = {"token_from": token_from, "declared": declared, "write": write}
        is_as_declared = await inspect(url, **about)
    except InputRefused as refused:
        fail(str(refused), 2)
    if not is_as_declared:
        raise typer.Exit(1)
