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

from daybook.app.output import tell_aside
from daybook.state.session import ROLES, user_named

P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def named_user(user: str | None) -> str | None:
    """Bring the name of a person to its one form, before any command compares it."""
    return user if user is None else user_named(user)


User = Annotated[
    str | None, typer.Option("--user", help="The user; default the domain's.", callback=named_user)
]

Role = Annotated[
    str,
    typer.Option("--role", help=f"{', '.join(ROLES)}; staff may answer in a customer's --thread."),
]

Thread = Annotated[str, typer.Argument(help="The thread's id.")]
OneThread = Annotated[str | None, typer.Argument(help="Only this thread.")]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]

PublicKey = Annotated[
    str | None,
    typer.Option("--public-key", metavar="KEY", help="The signer's public key: hex or file."),
]

Key = Annotated[
    Path | None,
    typer.Option("--key", dir_okay=False, help="The private key file; default DAYBOOK_HEADS_KEY."),
]


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
                "\nInterrupted. Nothing is lost: unfinished work continues from where it stopped."
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
