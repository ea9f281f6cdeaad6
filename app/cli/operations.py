"""Commands for whoever operates: workers, keys, terms, rules, tokens, tools."""

from __future__ import annotations

from typing import Annotated

import typer

from daybook.app.cli.options import named_user, run
from daybook.app.conversations.terminal import Terminal
from daybook.app.operating import keys, tokens, tool_rules
from daybook.app.operating import migration as migrating
from daybook.app.operating import policy as policies
from daybook.app.operating import retention as retaining
from daybook.app.operating import worker as workers
from daybook.graph.settings.environment import settings_from
from daybook.state.session import Person

commands = typer.Typer()


@commands.command()
def worker(
    concurrency: Annotated[int, typer.Option(min=1, help="Threads at a time.")] = 20,
    every: Annotated[
        float, typer.Option(min=0.05, max=3600, help="Seconds between two looks.")
    ] = 0.5,
    idle: Annotated[
        float,
        typer.Option(
            min=0, max=86_400, help="Seconds for which a cut-off turn is left to its person."
        ),
    ] = 30,
) -> None:
    """Finish what nobody is finishing. Any number of workers may run, on any machines."""
    terminal = Terminal()
    run(workers.work(settings_from(), terminal, concurrency=concurrency, every=every, idle=idle))


@commands.command()
def migrate(
    sql: Annotated[
        bool, typer.Option("--sql", help="Print what would run; change nothing.")
    ] = False,
) -> None:
    """Make or bring up the tables, as each start does by itself."""
    run(migrating.migration(settings_from(), Terminal(), prints=sql))


@commands.command()
def again(thread: Annotated[str | None, typer.Argument(help="This thread alone.")] = None) -> None:
    """Let workers try threads again that they have given up."""
    run(workers.again(settings_from(), Terminal(), thread))


@commands.command()
def rekey() -> None:
    """Encrypt with LANGGRAPH_AES_KEY what DAYBOOK_OLDER_AES_KEYS wrote; then these can go."""
    run(keys.encrypt_anew(settings_from()))


@commands.command()
def retention(
    apply: Annotated[bool, typer.Option("--apply", help="Erase what is due.")] = False,
) -> None:
    """Print how long what threads hold is kept, and what is due."""
    run(retaining.retention(settings_from(), Terminal(), applies=apply))


@commands.command()
def policy() -> None:
    """Print who must approve what: the rules in the order in which they are tried."""
    policies.print_policy(settings_from(), Terminal())


@commands.command()
def token(
    user: Annotated[
        str | None, typer.Argument(help="Who signs in with it.", callback=named_user)
    ] = None,
    role: Annotated[str, typer.Option(help="customer, clerk or operator.")] = "customer",
    days: Annotated[int, typer.Option(min=1, max=3650, help="For how long it is good.")] = 90,
    note: Annotated[str, typer.Option(help="What it is for; shown in the list.")] = "",
    lists: Annotated[bool, typer.Option("--list", help="List all, without secrets.")] = False,
    revoke: Annotated[
        str | None, typer.Option("--revoke", metavar="ID", help="Take one back.")
    ] = None,
) -> None:
    """Make a token by which USER signs in at the server, list all, or take one back."""
    if sum((user is not None, lists, revoke is not None)) != 1:
        raise typer.BadParameter("Give a USER, --list or --revoke ID, one of the three.")
    if revoke is not None:
        run(tokens.revoke(settings_from(), revoke))
    elif user is not None:
        run(tokens.make(settings_from(), Person(user, role), days=days, note=note))
    else:
        run(tokens.show(settings_from()))


@commands.command()
def metrics() -> None:
    """Print metrics in the form of Prometheus, once; every chain is checked for them."""
    # Imported for this command alone: with it come the server's parts.
    from daybook.app.operating import metrics as measuring

    run(measuring.print_metrics(settings_from()))


@commands.command()
def tools() -> None:
    """List every tool: its kind, whether it is switched off and why, its limit."""
    run(tool_rules.show(settings_from()))


@commands.command()
def tool(
    name: Annotated[str, typer.Argument(help="The tool's name, as `daybook tools` lists it.")],
    is_off: Annotated[
        bool | None, typer.Option("--off/--on", help="Switch it off, with --why, or on again.")
    ] = None,
    why: Annotated[str, typer.Option("--why", help="Said to people whose calls are refused.")] = "",
    limit: Annotated[
        str | None, typer.Option("--limit", metavar="N/S", help="At most N calls in S seconds.")
    ] = None,
    no_limit: Annotated[bool, typer.Option("--no-limit", help="As often as wanted.")] = False,
) -> None:
    """Switch a tool off or on, or limit how often it is called. Every process obeys at once."""
    if limit is not None and no_limit:
        raise typer.BadParameter("--limit and --no-limit exclude each other.")
    unlimited = None if no_limit else tool_rules.Same()
    wanted = tool_rules.limit_of(limit) if limit is not None else unlimited
    run(tool_rules.change(settings_from(), name, is_off=is_off, why=why, limit=wanted))
