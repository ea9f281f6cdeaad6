"""Commands that hold a conversation, or show, change or stop one."""

from __future__ import annotations

import json
import os
import sys
import uuid
from typing import Annotated, Any

import typer
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig

from daybook.app.cli.options import Commands, Role, Thread, User
from daybook.app.conversations import chat as chats
from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.output import tell
from daybook.graph.database import open_database_of
from daybook.graph.settings.environment import MERCHANTS, settings_from
from daybook.graph.stop import stop_thread
from daybook.nodes.past.fresh import document_of, stored_state
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Resources, Work
from daybook.state.errors import DaybookError, InputRefused, ThreadBusy
from daybook.state.prompt.progress import render
from daybook.state.session import Person

commands = Commands()


@commands.command()
async def chat(
    thread: Annotated[
        str | None, typer.Option("--thread", help="The thread to continue or start.")
    ] = None,
    user: User = None,
    yes: Annotated[bool, typer.Option("--yes", help="Approve every plan.")] = False,
    role: Role = "customer",
    fresh_from: Annotated[
        str | None, typer.Option("--fresh-from", help="Copy this thread's progress and state.")
    ] = None,
    merchant: Annotated[
        list[str] | None,
        typer.Option(
            "--merchant",
            metavar="URL",
            help="Buy from this merchant (Universal Commerce Protocol); can be repeated.",
        ),
    ] = None,
) -> None:
    """Chat in the terminal. Continues an interrupted turn; without a terminal it reads lines."""
    if merchant:
        os.environ[MERCHANTS] = " ".join(merchant)
    options = chats.Options(thread, user, role, yes, fresh_from, tuple(sys.argv))
    await chats.chat(settings_from(), Terminal(), options)


@commands.command()
async def progress(
    thread: Thread,
    version: Annotated[
        int | None,
        typer.Option("--version", min=1, help="A stored version; default the current one."),
    ] = None,
) -> None:
    """Print the progress of a thread as a Markdown document."""
    settings = settings_from()
    domain = served_by(settings).domain
    async with open_database_of(domain, settings) as postgres:
        if version is not None:
            stored = {
                one.version: one.document for one in await postgres.documents.versions(thread)
            }
            if version not in stored:
                kept = ", ".join(map(str, stored)) or "none"
                raise DaybookError(
                    f"The thread {thread} has no version {version} of its progress; stored "
                    f"versions: {kept}."
                )
            tell(stored[version])
            return
        owner = await postgres.threads.owner_of(thread)
        resources = Resources(
            postgres=postgres,
            model=FakeListChatModel(responses=[]),  # nobody asks it
            budget=settings.prompt_tokens,
        )
        about: RunnableConfig = {"configurable": {"thread_id": thread, "user_id": owner}}
        work = Work(domain, resources, session_of(about, postgres.tenant_id))
        state = await stored_state(thread, work) if owner is not None else None
        if state is None:
            raise DaybookError(f"Thread {thread} not found, empty or closed.")
        tell(render(await document_of(state, work)))


@commands.command()
async def event(
    thread: Thread,
    given: Annotated[
        str, typer.Argument(metavar="EVENT", help='The event as JSON: {"type": ...}.')
    ],
    user: User = None,
) -> None:
    """Send an event to a thread, as your own page would. No model is called."""
    # Without an id of its own it counts as new each time.
    events = {"events": [{"id": str(uuid.uuid4()), **_read(given)}]}
    served, terminal = served_by(settings_from()), Terminal()
    who = {"thread_id": thread, "user_id": user or served.domain.user}
    config: RunnableConfig = {"configurable": who}
    async with served.open() as opened:
        postgres = opened.resources.postgres
        if not await postgres.threads.admits(
            session_of(config, postgres.tenant_id), opened.graph.domain, opened.resources.world
        ):
            raise InputRefused(
                f"Thread {thread} not found. Nothing was changed; `daybook chat` prints the id of "
                "its thread."
            )
        await opened.graph.ainvoke(events, config)
        snapshot = await opened.graph.aget_state(config)
    for panel in served.domain.panels(snapshot.values):
        if panel.told:
            terminal.panel(panel)


def _read(event: str) -> dict[str, Any]:
    try:
        read = json.loads(event)
    except ValueError as error:
        raise InputRefused(f"The event is not JSON ({error}). Nothing was changed.") from error
    if not isinstance(read, dict):
        raise InputRefused('An event must be a JSON object with a "type". Nothing was changed.')
    return read


@commands.command()
async def stop(thread: Thread, user: User = None, role: Role = "customer") -> None:
    """Stop the plan of a thread in any process. Completed steps are rolled back where possible."""
    served, terminal = served_by(settings_from()), Terminal()
    person = Person(user or served.domain.user, role)
    who = {"thread_id": thread, "user_id": person.user_id, "role": person.role}
    config: RunnableConfig = {"configurable": who}
    async with served.open() as opened:
        domain, resources = opened.graph.domain, opened.resources
        terminal.note(await stop_thread(resources, domain, thread, person, str(uuid.uuid4())))
        known = _said(await opened.graph.aget_state(config))
        try:
            with terminal.working():
                await opened.graph.ainvoke({"events": []}, config)
        except ThreadBusy:
            terminal.note("Another process is working on the thread and will continue it.")
            return
        told = _said(await opened.graph.aget_state(config))
    for message_id, text in told.items():
        if message_id not in known:
            terminal.say(text)


def _said(snapshot: Any) -> dict[str, str]:
    """Return what was answered so far, by message id."""
    messages = snapshot.values.get("messages", ())
    return {str(one.id): one.text for one in messages if isinstance(one, AIMessage)}
