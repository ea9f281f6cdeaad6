"""Commands that talk, and that show, change or stop what is talked about."""

from __future__ import annotations

import json
import os
import shutil
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig

from daybook.app.cli.options import Role, User, Yes, named_user, run
from daybook.app.conversations import chat as chats
from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.ledger.listing import no_ledger
from daybook.app.output import tell, tell_aside, tell_json
from daybook.checkpoints.people.threads import standing
from daybook.graph.database import open_database, open_database_of
from daybook.graph.settings.environment import MERCHANTS, Settings, settings_from
from daybook.graph.stop import stop_thread
from daybook.nodes.past.fresh import document_of, stored_state
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Resources, Work
from daybook.state.clock import SYSTEM
from daybook.state.errors import DaybookError, InputRefused, ThreadBusy, UnknownUser
from daybook.state.people.lifecycle import Lifecycle, lifecycle
from daybook.state.prompt.progress import render
from daybook.state.session import Person

commands = typer.Typer()

Thread = Annotated[str | None, typer.Option("--thread", help="Continue this thread, or name it.")]


@commands.command()
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
    domain = ctx.parent.params["domain"] if ctx.parent else None
    given = dict(os.environ)
    if merchant:
        # The option says it again.
        given.pop(MERCHANTS, None)
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
            program=command_line(sys.argv, domain, given),
        )
    )


_DOMAIN = "DAYBOOK_DOMAIN"
_WHERE = ("DAYBOOK_HOME", _DOMAIN, "DAYBOOK_MERCHANTS")
"""Variables without which the same words would open something else; others may hold secrets."""


def command_line(
    argv: Sequence[str], domain: str | None, environment: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the words that call the program again, in whatever shell.

    Args:
        argv: as the interpreter was given them.
        domain: that was named by an option; None where it was not.
        environment: as it was when the program was called: nobody can tell whether the shell has it
            too, or whether it stood before the command alone.
    """
    given = [
        f"{name}={environment[name]}"
        for name in _WHERE
        if environment.get(name) and not (domain and name == _DOMAIN)
    ]
    return (*(["env", *given] if given else []), *_program(argv, domain))


def _program(argv: Sequence[str], domain: str | None) -> tuple[str, ...]:
    called = Path(argv[0])
    options = () if domain is None else ("--domain", domain)
    if called.name == "__main__.py":
        return (sys.executable, "-m", "daybook.app", *options)
    found = shutil.which(called.name)
    is_found = found is not None and Path(found).resolve() == called.resolve()
    return (called.name if is_found else argv[0], *options)


@commands.command()
def threads(
    user: Annotated[
        str | None, typer.Option("--user", help="Of this person alone.", callback=named_user)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON lines.")] = False,
) -> None:
    """List conversations: where each stands, for whom it waits, what is kept until when."""
    run(print_threads(settings_from(), Terminal(), user=user, as_json=as_json))


_COLUMNS = ("thread", "user", "stands", "waits for", "until", "cache", "holds", "kept until")


async def print_threads(
    settings: Settings, terminal: Terminal, *, user: str | None, as_json: bool
) -> None:
    """Print the conversations of a person, or of all.

    Args:
        as_json: one JSON object a line instead of a table.

    Raises:
        UnknownUser: nobody of that name has begun one.
    """
    keep = {part.value: period for part, period in settings.keep.items()}
    now, domain = SYSTEM.now(), served_by(settings).domain
    async with open_database(settings) as postgres:
        found = await standing(postgres.pool, domain.name, user_id=user)
        if user is not None and not found and not await postgres.threads.knows(user):
            raise UnknownUser(user)
    shown = [lifecycle(one, keep, now) for one in found]
    if as_json:
        for one in shown:
            tell_json(json.dumps(asdict(one), default=lambda at: at.isoformat()))
    elif shown:
        terminal.rows(_COLUMNS, map(_row, shown))
    else:
        terminal.note("There is no conversation.")


def _row(one: Lifecycle) -> tuple[str, ...]:
    kept = min(one.kept.items(), key=lambda part: part[1], default=None)
    return (
        one.thread_id,
        one.user_id,
        one.status,
        one.waits_for,
        _at(one.until),
        _at(one.cache_until) or "cold",
        _at(one.holds_until) or "none",
        f"{_at(kept[1])} ({kept[0]})" if kept else "as long as it stands",
    )


def _at(at: datetime | None) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if at is not None else ""


@commands.command()
def progress(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    version: Annotated[
        int | None, typer.Option("--version", min=1, help="A stored one instead of what is so now.")
    ] = None,
    lists: Annotated[bool, typer.Option("--list", help="List the stored versions.")] = False,
) -> None:
    """Print what a thread has come to, as a markdown document."""
    if lists:
        run(_list_versions(settings_from(), thread))
    else:
        run(_show_progress(settings_from(), thread, version))


async def _show_progress(settings: Settings, thread_id: str, version: int | None) -> None:
    domain = served_by(settings).domain
    async with open_database_of(domain, settings) as postgres:
        if version is not None:
            stored = await postgres.documents.versions(thread_id)
            found = [one.document for one in stored if one.version == version]
            if not found:
                raise DaybookError(
                    f"The thread {thread_id} has no version {version} of its progress; "
                    f"`daybook progress {thread_id} --list` names those that are kept."
                )
            tell(found[0])
            return
        owner = await postgres.threads.owner_of(thread_id)
        resources = Resources(
            postgres=postgres,
            model=FakeListChatModel(responses=[]),  # nobody asks it
            budget=settings.prompt_tokens,
        )
        about: RunnableConfig = {"configurable": {"thread_id": thread_id, "user_id": owner}}
        work = Work(domain, resources, session_of(about, postgres.tenant_id))
        state = await stored_state(thread_id, work) if owner is not None else None
        if state is None:
            raise DaybookError(
                f"There is no thread {thread_id} with anything to tell, or it was closed."
            )
        tell(render(await document_of(state, work)))


async def _list_versions(settings: Settings, thread_id: str) -> None:
    async with open_database(settings) as postgres:
        versions = await postgres.documents.versions(thread_id)
        if not versions and not await postgres.ledger.stored(thread_id):
            raise no_ledger(thread_id)
    for one in versions:
        at = one.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
        tell(f"{one.version:>4}  {at}  epoch {one.epoch}  {one.why}")
    if not versions:
        tell_aside(
            f"No version is stored of {thread_id}: its prompt is in its first epoch. "
            f"`daybook progress {thread_id}` writes what is so now."
        )


@commands.command()
def event(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    given: Annotated[
        str, typer.Argument(metavar="EVENT", help='{"type": ...}, as the domain takes it.')
    ],
    user: User = None,
) -> None:
    """Change the state outside the chat, as a page of one's own would. No model is asked."""
    run(_happen(settings_from(), Terminal(), thread=thread, user=user, event=given))


async def _happen(
    settings: Settings, terminal: Terminal, *, thread: str, user: str | None, event: str
) -> None:
    # Without an id of its own it counts as new each time.
    given = {"events": [{"id": str(uuid.uuid4()), **_read(event)}]}
    served = served_by(settings)
    user = user or served.domain.user
    config: RunnableConfig = {"configurable": {"thread_id": thread, "user_id": user}}
    async with served.open() as opened:
        postgres = opened.resources.postgres
        if not await postgres.threads.admits(
            session_of(config, postgres.tenant_id), opened.graph.domain, opened.resources.world
        ):
            raise InputRefused(
                f"There is no thread {thread} here. Nothing was changed; `daybook chat` prints the "
                "id of its thread."
            )
        await opened.graph.ainvoke(given, config)
        snapshot = await opened.graph.aget_state(config)
    for panel in served.domain.panels(snapshot.values):
        if panel.told:
            terminal.panel(panel)


def _read(event: str) -> dict[str, Any]:
    try:
        read = json.loads(event)
    except ValueError as error:
        raise InputRefused(f"The event is no JSON ({error}). Nothing was changed.") from error
    if not isinstance(read, dict):
        raise InputRefused('An event is a JSON object with a "type". Nothing was changed.')
    return read


@commands.command()
def stop(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    user: User = None,
    role: Role = "customer",
) -> None:
    """Stop a thread's plan, whichever process runs it. What is done is undone, if it can be."""
    run(_stop(settings_from(), Terminal(), thread=thread, user=user, role=role))


async def _stop(
    settings: Settings, terminal: Terminal, *, thread: str, user: str | None, role: str
) -> None:
    served = served_by(settings)
    person = Person(user or served.domain.user, role)
    config: RunnableConfig = {
        "configurable": {"thread_id": thread, "user_id": person.user_id, "role": person.role}
    }
    async with served.open() as opened:
        domain, resources = opened.graph.domain, opened.resources
        terminal.note(await stop_thread(resources, domain, thread, person, str(uuid.uuid4())))
        known = _said(await opened.graph.aget_state(config))
        try:
            with terminal.working():
                await opened.graph.ainvoke({"events": []}, config)
        except ThreadBusy:
            terminal.note("Another process works on it right now, and goes on from there.")
            return
        told = _said(await opened.graph.aget_state(config))
    for message_id, text in told.items():
        if message_id not in known:
            terminal.say(text)


def _said(snapshot: Any) -> dict[str, str]:
    """Return what was answered so far, by message id."""
    messages = snapshot.values.get("messages", ())
    return {str(one.id): one.text for one in messages if isinstance(one, AIMessage)}
