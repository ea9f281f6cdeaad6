"""What several commands take, how one runs, and how it refuses."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from functools import wraps
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Annotated, Any, NoReturn, ParamSpec, TypeVar

import typer

from daybook.app.conversations.terminal import Terminal
from daybook.app.output import tell_aside
from daybook.state.errors import InputRefused
from daybook.state.session import ROLES, user_named

P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def named_user(user: str | None) -> str | None:
    """Bring the name of a person to its one form, before any command compares it."""
    return user if user is None else user_named(user)


User = Annotated[
    str | None,
    typer.Option("--user", help="Who it is; else who the domain says.", callback=named_user),
]

Role = Annotated[
    str,
    typer.Option("--role", help=f"{', '.join(ROLES)}: staff may answer in a customer's --thread."),
]

Thread = Annotated[str, typer.Argument(help="The thread's id.")]
OneThread = Annotated[str | None, typer.Argument(help="This thread alone.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do it without asking.")]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]

PublicKey = Annotated[
    str | None,
    typer.Option("--public-key", metavar="KEY", help="Who must have signed: hex, or its file."),
]

Key = Annotated[
    Path | None,
    typer.Option("--key", dir_okay=False, help="The private key; else DAYBOOK_HEADS_KEY's."),
]


def agree(terminal: Terminal, question: str, nothing: str, *, is_sure: bool) -> None:
    """Ask before a command does what cannot be undone.

    Args:
        nothing: that nothing was done.
        is_sure: --yes was given.

    Raises:
        InputRefused: the user does not agree, or there is no terminal to ask at.
    """
    if is_sure:
        return
    if not terminal.interactive:
        raise InputRefused(
            f"{nothing} This cannot be undone, and there is no terminal to ask at; add --yes."
        )
    if terminal.read(f"{question} (y/n) ") not in ("y", "yes"):
        raise InputRefused(nothing)


def fail(message: str, status: int = 1) -> NoReturn:
    """End with a sentence on the error stream."""
    tell_aside(message)
    raise typer.Exit(status)


def runs(command: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Make an async function a command; where a person interrupts it, say so and exit with 130."""

    @wraps(command)
    def run(*args: P.args, **options: P.kwargs) -> T:
        try:
            return asyncio.run(command(*args, **options))
        except KeyboardInterrupt:
            tell_aside(
                "\nInterrupted. Nothing is lost: what was under way goes on from where it stood."
            )
            sys.exit(130)

    return run


class Commands(typer.Typer):
    """Commands on one subject; asynchronous ones run in an event loop."""

    def command(self, *about: Any, **options: Any) -> Callable[[F], F]:
        """Make a function a command."""
        add = super().command(*about, **options)

        def adding(function: F) -> F:
            add(runs(function) if iscoroutinefunction(function) else function)
            return function

        return adding
