"""Commands for building and serving an agent: a project, the demo, the set-up, servers, MCP."""

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
    name: Annotated[str, typer.Argument(help="Its name, and its folder's.")],
    parent: Annotated[
        Path, typer.Option("--in", metavar="FOLDER", help="Where its folder is made; else here.")
    ] = Path(),
) -> None:
    """Write a project of your own: a domain, a fake service, and tests that kill it."""
    try:
        write_project(Terminal(), name, parent)
    except InputRefused as refused:
        fail(str(refused), 2)


@commands.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
def shop(
    options: Annotated[list[str] | None, typer.Argument(help="As --help lists them.")] = None,
) -> None:
    """Run the demo shop: HTTP API and mail server, a process of its own."""
    require_demo()
    if find_spec("aiosmtpd") is None:
        raise NotInstalled("The demo shop", "shop")
    # The shop is the outside world: it is started, never imported.
    os.execv(sys.executable, [sys.executable, "-m", "daybook.demo.shop", *(options or ())])


@commands.command()
def demo() -> None:
    """Kill a purchase after its charge, finish it, and see one charge; beside a naive loop: two."""
    # That of an editable install, wherever it is called; else the folder in which it is called.
    found = (Path(__file__).resolve().parents[2], Path.cwd())
    checkout = next((one for one in found if (one / "evals" / "demo").is_dir()), None)
    if checkout is None:
        raise ConfigurationError(
            "The demo is part of a checkout of Daybook and is not installed with the package. "
            "Nothing was started; run it in the folder of a checkout."
        )
    os.chdir(checkout)
    # It runs this command line and stands above it: it is started, never imported. Not as `-m`
    # does it by itself: with PYTHONSAFEPATH that does not look here.
    paths = os.pathsep.join(filter(None, (str(checkout), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "evals.demo"]
    os.execve(sys.executable, command, {**os.environ, "PYTHONPATH": paths})


@commands.command()
def recovery() -> None:
    """Print the table that recovery runs by, as Markdown."""
    recovery_table.print_tables()


@commands.command()
async def doctor(as_json: Json = False) -> None:
    """Say what is set up, reachable and migrated, and what to do where not. Changes nothing."""
    show = checks.print_json if as_json else checks.print_tables
    if not await checks.doctor(os.environ, show):
        raise typer.Exit(1)


@commands.command("probe-check")
async def probe_check(
    tool: Annotated[str, typer.Argument(help="The effect's name, as `daybook tools` lists it.")],
    arguments: Annotated[str, typer.Argument(metavar="JSON", help="Its arguments.")],
    user: User = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Really do an effect at a SANDBOX, and say which of its declared guarantees hold.

    It is sent twice under one key and once under another, looked up at once and
    later, and undone. Exit 1 where something that is declared does not hold, 2
    where nothing could be seen.
    """
    try:
        trials = await _tried(tool, arguments, user, is_sure=yes, as_json=as_json)
    except InputRefused as refused:
        fail(str(refused), 2)
    if any(one.verdict is Verdict.NOT_HELD for one in findings(trials)):
        raise typer.Exit(1)
    if not trials.first.may_be_done:
        seen = trials.first.sent.get("first", "it was not sent")
        fail(f"{tool} was not done, so nothing was seen: {seen}.", 2)


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
        raise InputRefused(f"{tool} is no effect. Nothing was done; the effects are: {names}.")
    try:
        args = fitting(tool, effect.args, dict(json.loads(arguments)))
    except (ValueError, TypeError, *UNABLE) as error:
        raise InputRefused(
            f"Nothing was done: {tool} takes a JSON object, by argument. {error}"
        ) from error
    async with served.open() as opened:
        resources = opened.resources
        who = {"thread_id": "probe-check", **({"user_id": user} if user else {})}
        session = session_of({"configurable": who}, resources.postgres.tenant_id, resources.user)
        rehearsal = Rehearsal(Work(opened.domain, resources, session), effect, args)
        where = " and ".join(sorted({client.base_url for client in _clients(resources.services)}))
        where = where or f"the services of {opened.domain.name}"
        undo = f"undone by {effect.undo.tool}" if effect.undo else "which nothing undoes"
        (tell_aside if as_json else tell)(
            f"{tool} will really be done at {where}, for {session.user_id}: several times, {undo}."
            f" It mostly takes at most {2 * rehearsal.max_lag + 10:.0f} s. Use a sandbox."
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
    return f"Left at the service: {'; '.join(trials.left) or 'nothing that was seen'}."


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


mcp = Commands(no_args_is_help=True)
commands.add_typer(mcp, name="mcp", help="Look at an MCP server's tools.")


@mcp.command("inspect")
async def inspect_mcp(
    at: Annotated[
        str,
        typer.Argument(
            metavar="URL|FILE",
            help="Its streamable HTTP, https://.../mcp, or a JSON file of mcpServers.",
        ),
    ],
    server: Annotated[
        str, typer.Option(metavar="NAME", help="Which one of the file's servers.")
    ] = "",
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
            "--write", metavar="FILE", help="Write its tools down, for mcp(...) to hold it to."
        ),
    ] = None,
) -> None:
    """List a server's tools, and what each is held to be.

    Nothing is called. What a server says of its tools is no promise: with
    --declared, exit 1 where one of them is no longer what was looked at.
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
