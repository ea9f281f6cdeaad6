"""What several commands take, how one runs, and how it refuses."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Annotated, Any, NoReturn, TypeVar

import typer

from daybook.app.output import tell_aside
from daybook.state.people.named import user_named
from daybook.state.session import ROLES

T = TypeVar("T")


def named_user(user: str | None) -> str | None:
    """Bring the name of a person to its one form, before any command compares it."""
    return user if user is None else user_named(user)


User = Annotated[
    str | None,
    typer.Option("--user", help="Who is at work; else who the domain says.", callback=named_user),
]

Role = Annotated[
    str,
    typer.Option("--role", help=f"{', '.join(ROLES)}: staff may answer in a customer's --thread."),
]

Yes = Annotated[bool, typer.Option("--yes", help="Approve every plan without asking.")]

Whose = Annotated[
    str | None,
    typer.Option("--user", help="Of whom; else of who the domain says.", callback=named_user),
]

Json = Annotated[bool, typer.Option("--json", help="As JSON.")]


def fail(message: str, status: int = 1) -> NoReturn:
    """End with a sentence on the error stream."""
    tell_aside(message)
    sys.exit(status)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run it; where a person interrupts it, say so and exit with status 130."""
    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        tell_aside(
            "\nInterrupted. Nothing is lost: what was under way goes on from where it stood."
        )
        sys.exit(130)
