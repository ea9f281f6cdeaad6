"""The command line."""

from __future__ import annotations

import errno
import gc
import logging
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NoReturn

import psycopg
import typer
from typer.core import TyperGroup

from daybook.app import picture as pictures
from daybook.app.commands import Found
from daybook.app.conversations import chat as chats
from daybook.app.conversations import event as events
from daybook.app.conversations import memory as memories
from daybook.app.conversations import progress as progressing
from daybook.app.conversations import stop as stopping
from daybook.app.conversations import threads as threading
from daybook.app.conversations.terminal import Terminal
from daybook.app.conversations.typed import typed
from daybook.app.doctor import report as doctors
from daybook.app.ledger import printed as ledger_view
from daybook.app.ledger import reconcile as reconciling
from daybook.app.ledger import recovery_table
from daybook.app.ledger import steps as step_lists
from daybook.app.ledger import trace as tracing
from daybook.app.new.writing import write_project
from daybook.app.operating import forget as forgetting
from daybook.app.operating import lessons as learning
from daybook.app.operating import policy as policies
from daybook.app.operating import rekeying, tokens, tool_rules
from daybook.app.operating import retention as retaining
from daybook.app.operating import worker as workers
from daybook.app.probing import probe_check as probing
from daybook.app.running import run
from daybook.app.served import named, served_by
from daybook.app.server import serving
from daybook.app.server.production import serving as production
from daybook.app.streams import FULL, flushed, opened
from daybook.app.telling import tell_aside
from daybook.checkpoints.reach import unavailable
from daybook.graph.settings.environment import MERCHANTS, settings_from
from daybook.state.errors import ConfigurationError, DaybookError, InputRefused, NotInstalled
from daybook.state.extras import not_installed
from daybook.state.people.facts import KINDS
from daybook.state.people.named import user_named
from daybook.state.session import ROLES, Person

MCP_PORT = 2025
"""Beside the API's."""

cli = typer.Typer(
    cls=Found,
    help="Daybook: an agent whose effects happen exactly once.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@cli.callback()
def choose_domain(
    domain: Annotated[
        str | None,
        typer.Option(
            "--domain",
            metavar="MODULE:NAME",
            help="The domain to serve, else DAYBOOK_DOMAIN, langgraph.json's or the demo shop.",
        ),
    ] = None,
) -> None:
    """Daybook: an agent whose effects happen exactly once."""
    if domain is not None:
        # Read from there by every command, and by the server that `serve` becomes.
        os.environ["DAYBOOK_DOMAIN"] = domain
        named(domain)


Thread = Annotated[str | None, typer.Option("--thread", help="Continue this thread, or name it.")]


def _named(user: str | None) -> str | None:
    """Bring the name of a person to its one form, before any command compares it."""
    return user if user is None else user_named(user)


User = Annotated[
    str | None,
    typer.Option("--user", help="Who is at work; else who the domain says.", callback=_named),
]
Role = Annotated[
    str,
    typer.Option("--role", help=f"{', '.join(ROLES)}: staff may answer in a customer's --thread."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Approve every plan without asking.")]


@cli.command()
def chat(
    ctx: typer.Context,
    thread: Thread = None,
    user: User = None,
    yes: Yes = False,
    role: Role = "customer",
    fresh_from: Annotated[
        str | None,
        typer.Option("--fresh-from", help="Begin anew with this thread's progress and state."),
    ] = None,
    merchant: Annotated[
        list[str] | None,
        typer.Option(
            "--merchant",
            metavar="URL",
            help="Buy from this merchant (Universal Commerce Protocol); may be given more often.",
        ),
    ] = None,
) -> None:
    """Talk in the terminal. Continues what was cut off; reads lines where there is no terminal."""
    if merchant:
        os.environ[MERCHANTS] = " ".join(merchant)
    run(
        chats.chat(
            settings_from(),
            Terminal(),
            thread=thread,
            user=user,
            role=role,
            approves_all=yes,
            fresh_from=fresh_from,
            merchants=merchant or (),
            program=typed(sys.argv, ctx.parent.params["domain"] if ctx.parent else None),
        )
    )


@cli.command()
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
        _fail(str(refused), 2)


@cli.command()
def threads(
    user: Annotated[
        str | None, typer.Option("--user", help="Of this person alone.", callback=_named)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON lines.")] = False,
) -> None:
    """List conversations: where each stands, for whom it waits, what is kept until when."""
    run(threading.threads(settings_from(), Terminal(), user=user, as_json=as_json))


@cli.command()
def progress(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    version: Annotated[
        int | None, typer.Option("--version", min=1, help="A stored one instead of what is so now.")
    ] = None,
    lists: Annotated[bool, typer.Option("--list", help="List the stored versions.")] = False,
) -> None:
    """Print what a thread has come to, as a markdown document."""
    if lists:
        run(progressing.listed(settings_from(), thread))
    else:
        run(progressing.show(settings_from(), thread, version))


@cli.command()
def trace(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    turn: Annotated[
        str | None,
        typer.Option("--turn", metavar="ID", help="This turn alone: its id, or its trace's."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array of trees.")] = False,
) -> None:
    """Print the traces of a thread: what each turn did, how long it took and what came of it.

    In brackets stand numbers of `daybook ledger THREAD`, or r7, the result of
    a read. Tokens are those of the prompt's zones: instructions and tools,
    digest, transcript, what is so now. Last stands the id of the span, which
    the ledger names. All of it whole: --json.
    """
    run(tracing.show(settings_from(), thread, turn, as_json=as_json))


@cli.command()
def event(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    given: Annotated[
        str, typer.Argument(metavar="EVENT", help='{"type": ...}, as the domain takes it.')
    ],
    user: User = None,
) -> None:
    """Change the state outside the chat, as a page of one's own would. No model is asked."""
    run(events.happen(settings_from(), Terminal(), thread=thread, user=user, event=given))


@cli.command()
def stop(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    user: User = None,
    role: Role = "customer",
) -> None:
    """Stop what is under way in a thread, whoever runs it. What is done is undone, if it can be."""
    run(stopping.stop(settings_from(), Terminal(), thread=thread, user=user, role=role))


@cli.command()
def shop(
    port: Annotated[int, typer.Option(min=0, max=65535, help="HTTP port; 0 picks a free one.")],
    smtp_port: Annotated[
        int, typer.Option(min=0, max=65535, help="SMTP port; 0 picks a free one.")
    ],
    db: Annotated[Path, typer.Option(help="Its SQLite file, created if new.")],
    ignore_keys: Annotated[bool, typer.Option(help="Ignore Idempotency-Key.")] = False,
) -> None:
    """Run the demo shop: HTTP API and mail server, a process of its own."""
    if find_spec("aiosmtpd") is None:
        raise NotInstalled("The demo shop", "shop")
    # The shop is the outside world: it is started, never imported.
    command = [sys.executable, "-m", "daybook.demo.shop"]
    ports = ["--port", str(port), "--smtp-port", str(smtp_port)]
    flags = ["--ignore-keys"] if ignore_keys else []
    os.execv(sys.executable, [*command, *ports, "--db", str(db), *flags])


@cli.command()
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


@cli.command()
def again(thread: Annotated[str | None, typer.Argument(help="This thread alone.")] = None) -> None:
    """Let workers try threads again that they have given up."""
    run(workers.again(settings_from(), Terminal(), thread))


@cli.command()
def demo() -> None:
    """Kill a purchase after its charge, finish it, and see one charge; beside a naive loop: two."""
    if find_spec("evals") is None:
        raise ConfigurationError(
            "The demo stands in a checkout of Daybook, and is not installed with it. Nothing was "
            "started; run this in the folder of a checkout."
        )
    # It runs this command line and stands above it: it is started, never imported.
    os.execv(sys.executable, [sys.executable, "-m", "evals.demo"])


class _PrintsAThread(TyperGroup):
    """Take `ledger THREAD` for `ledger print THREAD`, and `ledger --open` for `ledger open`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        asked = [flag for flag in ("--open", "--failed") if flag in args]
        if len(asked) > 1:
            raise typer.BadParameter("--open and --failed exclude each other.")
        if asked:
            args = [asked[0].removeprefix("--"), *(arg for arg in args if arg != asked[0])]
        elif args and args[0] not in (*self.commands, "--help"):
            args = ["print", *args]
        return super().parse_args(ctx, args)


ledger = typer.Typer(cls=_PrintsAThread, no_args_is_help=True)
cli.add_typer(
    ledger,
    name="ledger",
    help="Print the ledger of a thread, list what is open or failed, or check all.",
)


@ledger.command("print")
def print_ledger(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False,
    step: Annotated[
        str | None,
        typer.Option("--step", metavar="ID", help="This step alone: its name, or as spans say it."),
    ] = None,
) -> None:
    """Print the ledger of a thread: its entries, and its reads with hit or miss."""
    show = ledger_view.print_json if as_json else ledger_view.print_lines
    run(ledger_view.ledger(settings_from(), thread, show, step))


OfThread = Annotated[str | None, typer.Argument(help="Of this thread alone.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=100_000, help="How many at most.")]


@ledger.command("open")
def list_open(
    thread: OfThread = None,
    limit: Limit = 100,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False,
) -> None:
    """List steps that somebody still has to look after, the oldest first. Also: ledger --open."""
    show = step_lists.print_json if as_json else step_lists.print_unsettled
    run(step_lists.unsettled(settings_from(), thread, limit, show))


@ledger.command("failed")
def list_failed(
    thread: OfThread = None,
    limit: Limit = 100,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False,
) -> None:
    """List what was declined, undone, in doubt or expired, newest first. Also: ledger --failed."""
    show = step_lists.print_json if as_json else step_lists.print_failed
    run(step_lists.failed(settings_from(), thread, limit, show))


@ledger.command("verify")
def verify_ledger(
    thread: Annotated[str | None, typer.Argument(help="This thread alone.")] = None,
) -> None:
    """Check the hash chains of all threads, and what is kept beside them."""
    if not run(ledger_view.verify(settings_from(), thread)):
        sys.exit(1)


@ledger.command("rebuild")
def rebuild_work_list(
    thread: Annotated[str | None, typer.Argument(help="This thread alone.")] = None,
) -> None:
    """Write the work list anew from the entries, where `verify` says that it does not agree."""
    run(ledger_view.rebuild(settings_from(), thread))


@cli.command()
def graph() -> None:
    """Print the graph as a picture, in Mermaid: the main path, and every way that leaves it."""
    pictures.print_picture(settings_from())


@cli.command()
def recovery() -> None:
    """Print the table that recovery runs by, as Markdown."""
    recovery_table.print_tables()


@cli.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON object.")] = False,
) -> None:
    """Say what is set up, reachable and migrated, and what to do where not. Changes nothing."""
    show = doctors.print_json if as_json else doctors.Tables(Terminal())
    if not run(doctors.doctor(os.environ, show)):
        sys.exit(1)


@cli.command("probe-check")
def probe_check(
    tool: Annotated[str, typer.Argument(help="The effect's name, as `daybook tools` lists it.")],
    arguments: Annotated[str, typer.Argument(metavar="JSON", help="Its arguments.")],
    other: Annotated[
        str | None, typer.Option("--other", metavar="JSON", help="Arguments that differ.")
    ] = None,
    declined: Annotated[
        str | None,
        typer.Option("--declined", metavar="JSON", help="Arguments that the sandbox declines."),
    ] = None,
    user: Annotated[
        str | None, typer.Option("--user", help="For whom it is done.", callback=_named)
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON object.")] = False,
) -> None:
    """Really do an effect at a SANDBOX, and say which of its declared guarantees hold.

    It is sent twice under one key, looked up at once and later, sent with
    other arguments and after an error, and undone. Exit 1 where something
    that is declared does not hold, 2 where nothing could be seen.
    """
    given = {"args": arguments, "other": other, "declined": declined}
    try:
        holds = run(
            probing.probe_check(
                *(settings_from(), Terminal(), tool, given), user=user, is_sure=yes, as_json=as_json
            )
        )
    except InputRefused as refused:
        _fail(str(refused), 2)
    if not holds:
        sys.exit(1)


@cli.command()
def forget(
    user: Annotated[str, typer.Argument(help="Whose threads.", callback=_named)],
    yes: Annotated[bool, typer.Option("--yes", help="Erase without asking.")] = False,
) -> None:
    """Erase what a person said and what was called for them; the ledger's chain still verifies."""
    run(forgetting.forget(settings_from(), Terminal(), user, is_sure=yes))


memory = typer.Typer(invoke_without_command=True)
cli.add_typer(memory, name="memory", help="List, change and forget what is known of a person.")

Whose = Annotated[
    str | None,
    typer.Option("--user", help="Of whom; else of who the domain says.", callback=_named),
]


@memory.callback()
def list_memory(context: typer.Context, user: Whose = None) -> None:
    """List what is known of a person; it stands in the prompt of all their conversations."""
    is_named, user = user is not None, user or user_named(served_by(settings_from()).domain.user)
    if context.invoked_subcommand is None:
        run(memories.show(settings_from(), Terminal(), user, is_named=is_named))
    else:
        context.obj = user


@memory.command("set")
def set_fact(
    context: typer.Context,
    subject: Annotated[str, typer.Argument(help="About what, such as 'shoe size'.")],
    value: Annotated[str, typer.Argument(help="What is so.")],
    kind: Annotated[str, typer.Option("--kind", help=f"{', '.join(KINDS)}.")] = "fact",
    user: Annotated[str | None, typer.Option("--user", help="Of whom.", callback=_named)] = None,
) -> None:
    """Remember a fact in the place of an earlier one on its subject."""
    of = user or context.obj
    run(memories.remember(settings_from(), Terminal(), of, subject, value, kind))


@memory.command("forget")
def forget_fact(
    context: typer.Context,
    subject: Annotated[str | None, typer.Argument(help="About what.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All that is known.")] = False,
    user: Annotated[str | None, typer.Option("--user", help="Of whom.", callback=_named)] = None,
) -> None:
    """Forget what is known on a subject, or with --all everything."""
    if everything is (subject is not None):
        raise typer.BadParameter("Give a SUBJECT or --all, one of the two.")
    run(memories.forget(settings_from(), Terminal(), user or context.obj, subject))


lessons = typer.Typer(invoke_without_command=True)
cli.add_typer(lessons, name="lessons", help="List what was learnt from failures, or retire it.")


@lessons.callback()
def list_lessons(context: typer.Context) -> None:
    """List what was learnt from failures, with counts and evidence."""
    if context.invoked_subcommand is None:
        run(learning.show(settings_from(), Terminal()))


@lessons.command("drop")
def drop_lesson(
    tool: Annotated[str, typer.Argument(help="The tool's name.")],
    error: Annotated[str | None, typer.Option("--error", help="Of this error alone.")] = None,
) -> None:
    """Retire the lessons of a tool: they are kept, and not shown any more."""
    run(learning.drop(settings_from(), Terminal(), tool, error))


@cli.command()
def rekey() -> None:
    """Encrypt with LANGGRAPH_AES_KEY what DAYBOOK_OLDER_AES_KEYS wrote; then these can go."""
    run(rekeying.encrypt_anew(settings_from()))


@cli.command()
def retention(
    apply: Annotated[bool, typer.Option("--apply", help="Erase what is due.")] = False,
) -> None:
    """Print how long what threads hold is kept, and what is due."""
    run(retaining.retention(settings_from(), Terminal(), applies=apply))


@cli.command()
def policy() -> None:
    """Print who must approve what: the rules in the order in which they are tried."""
    policies.print_policy(settings_from(), Terminal())


@cli.command()
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


@cli.command()
def token(
    user: Annotated[
        str | None, typer.Argument(help="Who signs in with it.", callback=_named)
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


mcp = typer.Typer(no_args_is_help=True)
cli.add_typer(mcp, name="mcp", help="Look at an MCP server's tools, or be an MCP server.")


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
        _fail(str(refused), 2)
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
    program = typed(sys.argv, domain)

    def where(person: Person, thread: str) -> str:
        return chats.continuing(thread, chats.Given(user=person.user_id, program=tuple(program)))

    place = mcp_serving.Place(host if http else None, port)
    work = mcp_serving.serve(
        settings_from(), Terminal(), place, user=user, console=console, where=where
    )
    run(work)


@cli.command()
def reconcile(
    thread: Annotated[str | None, typer.Argument(help="This thread alone.")] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Record what was found.")] = False,
) -> None:
    """Compare the ledger with the world, after a backup was restored and before anything runs."""
    if not run(reconciling.reconcile(settings_from(), Terminal(), thread, applies=apply)):
        sys.exit(1)


@cli.command()
def metrics() -> None:
    """Print metrics in the form of Prometheus, once; every chain is checked for them."""
    # Imported for this command alone: with it come the server's parts.
    from daybook.app.operating import metrics as measuring

    run(measuring.print_metrics(settings_from()))


@cli.command()
def tools() -> None:
    """List every tool: its kind, whether it is switched off and why, its limit."""
    run(tool_rules.show(settings_from()))


@cli.command()
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


def main() -> None:
    """Run the command line; what goes wrong is said in a sentence, not in a traceback."""
    # What was imported stays: the collector need not look at it again, which takes half a second.
    gc.freeze()
    was_closed = opened()
    try:
        logging.basicConfig(level=os.environ.get("LOGLEVEL", "ERROR").upper())
    except ValueError:
        _fail("LOGLEVEL is no level: DEBUG, INFO, WARNING, ERROR or CRITICAL. Nothing was done.")
    # It gives itself a level when it is imported; a pool that reconnects would write into the chat.
    logging.getLogger("psycopg").setLevel(logging.NOTSET)
    try:
        cli()
    except SystemExit as end:
        status = end.code
    except DaybookError as error:
        status = _told(str(error))
    except ModuleNotFoundError as error:
        if (missing := not_installed(error)) is None:
            raise
        status = _told(str(missing))
    except (psycopg.OperationalError, psycopg.InternalError) as error:
        status = _told(str(unavailable(error)))
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        status = _told(FULL)
    else:
        status = 0
    lost = flushed()
    if lost and not status:
        status = _told(lost)
    sys.exit(status or int(lost is not None or was_closed))


def _told(message: str) -> int:
    tell_aside(message)
    return 1


def _fail(message: str, status: int = 1) -> NoReturn:
    tell_aside(message)
    sys.exit(status)
