"""Commands of operators: workers, keys, metrics, and the rules of tools."""

from __future__ import annotations

import getpass
import os
import re
from collections.abc import Sequence
from typing import Annotated

import typer
from psycopg import Error, OperationalError

from daybook.app.cli.options import Commands, OneThread
from daybook.app.conversations.terminal import Terminal
from daybook.app.ledger.listing import number_of
from daybook.app.output import minute, tell
from daybook.checkpoints.encryption import Cipher
from daybook.checkpoints.migrate import migrate as migrate_tables
from daybook.checkpoints.migrate import script
from daybook.checkpoints.reach import bounded, not_allowed, unavailable
from daybook.checkpoints.rekeying import rekey as encrypt_anew
from daybook.graph.database import open_database, server_of
from daybook.graph.settings.environment import Settings, settings_from
from daybook.state.clock import SYSTEM
from daybook.state.errors import ConfigurationError, DaybookError
from daybook.state.people.rules import DeclaredTool, Limit, Rules, ToolRule

commands = Commands()


@commands.command()
async def worker(
    concurrency: Annotated[int, typer.Option(min=1, help="Threads to work on at a time.")] = 20,
    every: Annotated[float, typer.Option(min=0.05, max=3600, help="Seconds between polls.")] = 0.5,
    idle: Annotated[
        float,
        typer.Option(min=0, max=86_400, help="Seconds to leave an interrupted turn to its user."),
    ] = 30,
) -> None:
    """Finish unfinished work of all threads. Any number of workers may run, on any machines."""
    # Imported for this command alone: with it come all domains' graphs.
    from daybook.app.operating.worker import work

    await work(settings_from(), Terminal(), concurrency=concurrency, every=every, idle=idle)


@commands.command()
async def again(thread: OneThread = None) -> None:
    """Let workers retry threads that they have given up."""
    async with open_database(settings_from()) as postgres:
        count = await postgres.stalled.again(thread)
    if thread is not None and not count:
        raise DaybookError(
            f"No worker has given up the thread {thread}, so there is nothing to retry. `daybook "
            "ledger --open` lists open steps."
        )
    whose = f"the thread {thread}" if thread is not None else f"{count} threads"
    tell(f"The next worker will retry {whose}.")


@commands.command()
async def migrate(
    sql: Annotated[
        bool, typer.Option("--sql", help="Print the statements without running them.")
    ] = False,
) -> None:
    """Create or migrate the tables. Every start does this too."""
    await migration(settings_from(), prints=sql)


async def migration(settings: Settings, *, prints: bool) -> None:
    """Migrate the database of the settings, or print the SQL that it takes."""
    async with server_of(settings) as url:
        try:
            if prints:
                tell(await script(bounded(url), settings.schema))
                return
            done = await migrate_tables(bounded(url), schema=settings.schema)
        except OperationalError as error:
            raise unavailable(error) from error
        except Error as error:
            raise not_allowed(error, settings.schema) from error
    for name in done:
        tell(f"Applied: {name}")
    if not done:
        tell("Every migration was applied already.")


@commands.command()
async def rekey() -> None:
    """Re-encrypt with LANGGRAPH_AES_KEY what DAYBOOK_OLDER_AES_KEYS encrypted."""
    await rekey_database(settings_from())


async def rekey_database(settings: Settings) -> None:
    """Write with the newest key whatever older ones wrote; it can be stopped and run again.

    Raises:
        ConfigurationError: there is no key, or the user of the database does not own it.
        CannotDecrypt: something was written with a key that is not here.
    """
    if settings.aes_key is None:
        raise ConfigurationError(
            "There is no key to encrypt with. Set LANGGRAPH_AES_KEY, and the earlier keys in "
            "DAYBOOK_OLDER_AES_KEYS. Nothing was changed."
        )
    cipher = Cipher(settings.aes_key, settings.older_aes_keys)
    async with open_database(settings) as postgres:
        count = await encrypt_anew(postgres, cipher)
    tell(f"{count} values were re-encrypted. The older keys are no longer needed here.")


@commands.command()
async def metrics() -> None:
    """Print Prometheus metrics once, and verify every hash chain for them."""
    # Imported for this command alone: with it come the server's parts.
    from daybook.app.operating.metrics import print_metrics

    await print_metrics(settings_from())


@commands.command()
async def notifications(
    retry: Annotated[
        bool, typer.Option("--retry", help="Retry notifications that were given up.")
    ] = False,
) -> None:
    """List notifications by route and state, with delivery errors."""
    async with open_database(settings_from()) as postgres:
        if retry:
            revived = number_of(await postgres.notifications.revive(), "notification")
            tell(f"A worker will send {revived} again.")
        rows = await postgres.notifications.counted()
    shown = [(one["route"], one["state"], str(one["deliveries"]), one["error"]) for one in rows]
    Terminal().rows(("route", "state", "deliveries", "error"), shown)


# -- rules of tools --------------------------------------------------------------------------------

_MOST = 1_000_000

_NONE_DECLARED = "No program has run on this database yet, so no tools are declared."


@commands.command()
async def tools(
    forget: Annotated[
        str | None,
        typer.Option(
            "--forget", metavar="PROGRAM", help="Forget the tools that this program declared."
        ),
    ] = None,
) -> None:
    """List the tools of every program that ran on the database: kind, switch, limit."""
    async with open_database(settings_from()) as postgres:
        if forget is not None and not await postgres.rules.forget(forget):
            raise DaybookError(f"No program {forget} has declared tools. Nothing was changed.")
        _print_tools(await postgres.rules.declared(), await postgres.rules.all())


@commands.command()
async def tool(
    name: Annotated[str, typer.Argument(help="The tool's name, as `daybook tools` lists it.")],
    is_off: Annotated[
        bool | None, typer.Option("--off/--on", help="Switch the tool off (needs --why) or on.")
    ] = None,
    why: Annotated[str, typer.Option("--why", help="The reason shown for refused calls.")] = "",
    limit: Annotated[
        str | None, typer.Option("--limit", metavar="N/S", help="At most N calls in S seconds.")
    ] = None,
    no_limit: Annotated[bool, typer.Option("--no-limit", help="Remove the limit.")] = False,
) -> None:
    """Switch a tool off or on, or limit its calls. Takes effect in every process at once."""
    if limit is not None and no_limit:
        raise typer.BadParameter("--limit and --no-limit exclude each other.")
    wanted = limit_of(limit) if limit is not None else None
    why = " ".join(why.split())
    if bool(why) != bool(is_off):
        raise DaybookError(
            "Nothing was changed: --off needs --why, which is shown for refused calls: daybook "
            f'tool {name} --off --why "..."'
        )
    by = _who()
    async with open_database(settings_from()) as postgres:
        declared = await postgres.rules.declared()
        named = [one for one in declared if one.tool == name]
        if not named:
            known = sorted({one.tool for one in declared})
            raise DaybookError(
                f"No program has declared a tool {name} on this database, and nothing was changed. "
                + (f"The tools are: {', '.join(known)}." if known else _NONE_DECLARED)
            )
        if is_off is not None:
            await postgres.rules.switch(name, is_off=is_off, why=why, by=by)
        if wanted is not None or no_limit:
            await postgres.rules.limit(name, wanted, by=by)
        _print_tools(named, await postgres.rules.all())


def limit_of(text: str) -> Limit:
    """Read a limit that is written as calls per seconds: `10/60`.

    Raises:
        DaybookError: it is invalid.
    """
    found = re.fullmatch(r"(\d{1,7})/(\d{1,7})", text.strip())
    numbers = [int(number) for number in found.groups()] if found else []
    if not numbers or not all(1 <= number <= _MOST for number in numbers):
        raise DaybookError(
            f"{text!r} is not a valid limit; nothing was changed. Write CALLS/SECONDS: 10/60 is "
            f"10 calls in 60 s; both are 1 to {_MOST}."
        )
    return Limit(*numbers)


def _who() -> str:
    """Name who is at the command line."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid {os.getuid()}"


def _print_tools(declared: Sequence[DeclaredTool], rules: Rules) -> None:
    if not declared:
        tell(_NONE_DECLARED)
        return
    rows = [
        (
            *(one.tool, one.program, str(one.about["kind"])),
            *(_switch(rule), _limit(rule)),
            f"{one.digest[:12]}, {minute(one.declared_at)}",
        )
        for one in declared
        for rule in [rules.get(one.tool, ToolRule(one.tool))]
    ]
    Terminal().rows(("tool", "program", "kind", "switch", "limit", "declared (UTC)"), rows)


def _switch(rule: ToolRule) -> str:
    if rule.switched_at is None:
        return "on"
    why = f": {rule.why}" if rule.why else ""
    since = f"since {minute(rule.switched_at)} by {rule.switched_by}"
    return f"{'OFF' if rule.is_off else 'on'} {since}{why}"


def _limit(rule: ToolRule) -> str:
    if rule.bucket is None:
        return ""
    left = rule.bucket.refilled(SYSTEM.now()).tokens
    return f"at most {rule.bucket.limit} ({left} left), by {rule.limited_by}"
