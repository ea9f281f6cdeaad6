"""Commands that talk, and that show, change or stop what is talked about."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from daybook.app.cli.options import Role, User, Yes, named_user, run
from daybook.app.conversations import chat as chats
from daybook.app.conversations import event as events
from daybook.app.conversations import progress as progressing
from daybook.app.conversations import stop as stopping
from daybook.app.conversations import threads as threading
from daybook.app.conversations.command_line import typed
from daybook.app.conversations.terminal import Terminal
from daybook.graph.settings.environment import MERCHANTS, settings_from

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
            program=typed(sys.argv, domain, given),
        )
    )


@commands.command()
def threads(
    user: Annotated[
        str | None, typer.Option("--user", help="Of this person alone.", callback=named_user)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON lines.")] = False,
) -> None:
    """List conversations: where each stands, for whom it waits, what is kept until when."""
    run(threading.threads(settings_from(), Terminal(), user=user, as_json=as_json))


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
        run(progressing.listed(settings_from(), thread))
    else:
        run(progressing.show(settings_from(), thread, version))


@commands.command()
def event(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    given: Annotated[
        str, typer.Argument(metavar="EVENT", help='{"type": ...}, as the domain takes it.')
    ],
    user: User = None,
) -> None:
    """Change the state outside the chat, as a page of one's own would. No model is asked."""
    run(events.happen(settings_from(), Terminal(), thread=thread, user=user, event=given))


@commands.command()
def stop(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    user: User = None,
    role: Role = "customer",
) -> None:
    """Stop what is under way in a thread, whoever runs it. What is done is undone, if it can be."""
    run(stopping.stop(settings_from(), Terminal(), thread=thread, user=user, role=role))
