"""What several commands take, and how one refuses it."""

from __future__ import annotations

import sys
from typing import Annotated, NoReturn

import typer

from daybook.app.telling import tell_aside
from daybook.state.people.named import user_named
from daybook.state.session import ROLES


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


def fail(message: str, status: int = 1) -> NoReturn:
    """End with a sentence on the error stream."""
    tell_aside(message)
    sys.exit(status)
