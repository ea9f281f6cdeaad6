"""Commands for building and serving an agent: projects, the demo, checks, servers, MCP."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from daybook.app import doctor as checks
from daybook.app.cli.options import Commands, Json, User, Yes, agree, fail, runs
from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.ledger import recovery_table
from daybook.app.new.files import write_project
from daybook.app.output import tell, tell_aside, tell_json
from daybook.app.probe_check.findings import Trials, Verdict, findings
from daybook.app.probe_check.rehearsal import Rehearsal
from daybook.app.server import dev_server
from daybook.app.server.production import launch as production
from daybook.graph.settings.environment import settings_from
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Work
from daybook.state.errors import ConfigurationError, DaybookError, InputRefused, NotInstalled
from daybook.state.extras import require_demo
from daybook.tools.boundary import UNABLE
from daybook.tools.calling import fitting
from daybook.tools.services.http import HttpService

commands = Commands()


@commands.command()
def new(
    name: Annotated[str, typer.Argument(help="The name of the project and its folder.")],
    parent: Annotated[
        Path, typer.Option("--in", metavar="FOLDER", help="The parent folder; default this one.")
    ] = Path(),
) -> None:
    """Create a project: a domain, a fake service, and tests that kill it."""
    try:
        write_project(Terminal(), name, parent)
    except InputRefused as refused:
        fail(str(refused), 2)


@commands.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
def shop(
    options: Annotated[list[str] | None, typer.Argument(help="See `daybook shop --help`.")] = None,
) -> None:
    """Run the demo shop: an HTTP API and a mail server."""
    require_demo()
    if find_spec("aiosmtpd") is None:
        raise NotInstalled("The demo shop", "shop")
    # The shop is the outside world: it is started, never imported.
    os.execv(sys.executable, [sys.executable, "-m", "daybook.demo.shop", *(options or ())])


@commands.command()
def demo() -> None:
    """Kill a purchase after its charge and recover it: one charge. A naive loop makes two."""
    # That of an editable install, wherever it is called; else the folder in which it is called.
    found = (Path(__file__).resolve().parents[2], Path.cwd())
    checkout = next((one for one in found if (one / "evals" / "demo").is_dir()), None)
    if checkout is None:
        raise ConfigurationError(
            "The demo is not part of the installed package. Nothing was started; run this command "
            "in a checkout of Daybook."
        )
    os.chdir(checkout)
    # It runs this command line and stands above it: it is started, never imported. Not as `-m`
    # does it by itself: with PYTHONSAFEPATH that does not look here.
    paths = os.pathsep.join(filter(None, (str(checkout), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "evals.demo"]
    os.execve(sys.executable, command, {**os.environ, "PYTHONPATH": paths})


@commands.command()
def recovery() -> None:
    """Print the recovery table as Markdown."""
    recovery_table.print_tables()


@commands.command()
async def doctor(as_json: Json = False) -> None:
    """Check settings, services and database, and say how to fix problems. Changes nothing."""
    show = checks.print_json if as_json else checks.print_tables
    if not await checks.doctor(os.environ, show):
        raise typer.Exit(1)


@commands.command("probe-check")
async def probe_check(
    tool: Annotated[str, typer.Argument(help="The effect's name, as `daybook tools` lists it.")],
    arguments: Annotated[str, typer.Argument(metavar="JSON", help="The arguments.")],
    user: User = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Run an effect at a SANDBOX and check which of its declared guarantees hold.

    The effect is sent twice under one key and once under another, looked up
    immediately and later, and undone. Exits with 1 if a declared guarantee does
    not hold, and with 2 if nothing could be checked.
    """
    try:
        trials = await _tried(tool, arguments, user, is_sure=yes, as_json=as_json)
    except InputRefused as refused:
        fail(str(refused), 2)
    if any(one.verdict is Verdict.NOT_HELD for one in findings(trials)):
        raise typer.Exit(1)
    if not trials.first.may_be_done:
        seen = trials.first.sent.get("first", "it was not sent")
        fail(f"{tool} was not carried out, so nothing could be checked: {seen}.", 2)


async def _tried(
    tool: str, arguments: str, user: str | None, *, is_sure: bool, as_json: bool
) -> Trials:
    """Try an effect at the configured service, and print the findings; no ledger is used.

    Raises:
        InputRefused: no such effect, wrong arguments, or nobody agreed.
        DaybookError: something cannot be started or reached.
    """
    served, terminal = served_by(settings_from()), Terminal()
    effects = served.domain.registry.effects
    if (effect := effects.get(tool)) is None:
        names = ", ".join(sorted(effects)) or "none"
        raise InputRefused(f"{tool} is not an effect. Nothing was done; the effects are: {names}.")
    try:
        args = fitting(tool, effect.args, dict(json.loads(arguments)))
    except (ValueError, TypeError, *UNABLE) as error:
        raise InputRefused(
            f"Nothing was done: {tool} takes its arguments as a JSON object. {error}"
        ) from error
    async with served.open() as opened:
        resources = opened.resources
        who = {"thread_id": "probe-check", **({"user_id": user} if user else {})}
        session = session_of({"configurable": who}, resources.postgres.tenant_id, resources.user)
        rehearsal = Rehearsal(Work(opened.domain, resources, session), effect, args)
        where = " and ".join(sorted({client.base_url for client in _clients(resources.services)}))
        where = where or f"the services of {opened.domain.name}"
        undo = f"undone by {effect.undo.tool}" if effect.undo else "with no undo"
        (tell_aside if as_json else tell)(
            f"{tool} will be executed at {where} for {session.user_id}, several times, {undo}. "
            f"This takes about {2 * rehearsal.max_lag + 10:.0f} s at most. Use a sandbox."
        )
        agree(terminal, "Run it?", "Nothing was done.", is_sure=is_sure)
        try:
            trials = await rehearsal.run()
        except (*UNABLE, asyncio.CancelledError) as error:
            left = _left(rehearsal.trials)
            raise DaybookError(f"Interrupted. {error} {left}".strip()) from error
    found = findings(trials)
    if as_json:
        facts = {"tool": tool, "at": where, "user": session.user_id, "left": trials.left}
        told = [one._asdict() for one in found]
        tell_json(json.dumps({**facts, "findings": told}, indent=2))
        return trials
    for what, declared, verdict, seen in found:
        tell(f"{verdict.value:<12}  {what:<15}  declared: {declared}; seen: {seen}.")
    tell(_left(trials))
    return trials


def _left(trials: Trials) -> str:
    return f"Left at the service: {'; '.join(trials.left) or 'nothing found'}."


def _clients(services: Any, depth: int = 3) -> Iterator[HttpService]:
    """Find the HTTP clients among what a domain gives to its tools."""
    if isinstance(services, HttpService):
        yield services
    elif depth:
        inner = services if isinstance(services, Mapping) else getattr(services, "__dict__", {})
        for one in services if isinstance(services, list | tuple) else inner.values():
            yield from _clients(one, depth - 1)


@commands.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to bind.")] = dev_server.HOST,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to bind.")] = dev_server.PORT,
    in_production: Annotated[
        bool, typer.Option("--production", help="Serve with Aegra, which stores runs in Postgres.")
    ] = False,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Number of processes; more than one needs REDIS_URL.")
    ] = 1,
    with_worker: Annotated[
        bool, typer.Option("--worker/--no-worker", help="With --production: also run a worker.")
    ] = True,
) -> None:
    """Serve API and console with `langgraph dev`, or with Aegra in several processes."""
    if in_production:
        told = runs(production.prepare)(settings_from(), Terminal(), host, port, processes)
        production.serve(told, host, port, processes, has_worker=with_worker)
        return
    config = runs(dev_server.prepare)(settings_from(), Terminal(), host, port)
    # The server takes this process's place: what ends this one, ends it.
    dev_server.start(config, host, port)


mcp = Commands(no_args_is_help=True)
commands.add_typer(mcp, name="mcp", help="Inspect the tools of an MCP server.")


@mcp.command("inspect")
async def inspect_mcp(
    at: Annotated[
        str,
        typer.Argument(
            metavar="URL|FILE",
            help="The server's URL (streamable HTTP), or a JSON file with mcpServers.",
        ),
    ],
    server: Annotated[str, typer.Option(metavar="NAME", help="The server in the file.")] = "",
    token_from: Annotated[
        str | None,
        typer.Option("--token-from", metavar="VARIABLE", help="Variable that holds the token."),
    ] = None,
    declared: Annotated[
        str | None,
        typer.Option(
            "--declared", metavar="MODULE:NAME", help="Compare with a declaration made by mcp(...)."
        ),
    ] = None,
    write: Annotated[
        str | None,
        typer.Option(
            "--write", metavar="FILE", help="Write the list of tools to a file for mcp(...)."
        ),
    ] = None,
) -> None:
    """List the tools of a server, with the kind that Daybook assigns to each.

    No tool is called. With --declared, exits with 1 if a tool is no longer the
    one that was inspected.
    """
    # Imported for these commands alone: with it comes the extra `mcp`.
    from daybook.app.mcp import inspect

    try:
        about = {"token_from": token_from, "declared": declared, "write": write}
        is_as_declared = await inspect(at, server=server, **about)
    except InputRefused as refused:
        fail(str(refused), 2)
    if not is_as_declared:
        raise typer.Exit(1)
