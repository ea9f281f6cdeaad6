"""Options that several commands share, and how a command runs and fails."""

from __future__ import annotations

import asyncio
import os
import signal
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
    str | None, typer.Option("--user", help="The user; default the domain's.", callback=named_user)
]

Role = Annotated[
    str,
    typer.Option("--role", help=f"{', '.join(ROLES)}; staff may answer in a customer's --thread."),
]

Thread = Annotated[str, typer.Argument(help="The thread's id.")]
OneThread = Annotated[str | None, typer.Argument(help="Only this thread.")]
Yes = Annotated[bool, typer.Option("--yes", help="Run without confirmation.")]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]

PublicKey = Annotated[
    str | None,
    typer.Option("--public-key", metavar="KEY", help="The signer's public key: hex or file."),
]

Key = Annotated[
    Path | None,
    typer.Option("--key", dir_okay=False, help="The private key file; default DAYBOOK_HEADS_KEY."),
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
    """Make an async function a command that Ctrl-C or a closed terminal ends in an orderly way."""

    @wraps(command)
    def run(*args: P.args, **options: P.kwargs) -> T:
        try:
            return asyncio.run(_interruptible(command(*args, **options)))
        except KeyboardInterrupt:
            tell_aside("\nInterrupted. Nothing is lost; the next start continues from here.")
            sys.exit(130)
        except _HungUp:
            sys.exit(128 + signal.SIGHUP)

    return run


class _HungUp(Exception):
    """The terminal was closed."""


async def _interruptible(command: Coroutine[Any, Any, T]) -> T:
    """Run a command; the first signal lets the call that is being sent finish, a second ends it."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    received: list[int] = []

    def end(signum: int, _: object) -> None:
        received.append(signum)
        if signum == signal.SIGHUP:
            # Nobody reads or types there any more, and each write would fail.
            for stream in (0, 1, 2):
                os.dup2(os.open(os.devnull, os.O_RDWR), stream)
        elif received.count(signum) > 1:
            raise KeyboardInterrupt
        else:
            loop.call_soon_threadsafe(tell_aside, _FINISHING)
        loop.call_soon_threadsafe(task.cancel)

    handled = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGHUP)}
    # `nohup` ignores it, and so do we.
    handled = {one: was for one, was in handled.items() if was != signal.SIG_IGN}
    for one in handled:
        signal.signal(one, end)
    try:
        return await command
    except asyncio.CancelledError as cancelled:
        if signal.SIGHUP in received:
            raise _HungUp from cancelled
        if received:
            raise KeyboardInterrupt from cancelled
        raise
    finally:
        for one, was in handled.items():
            signal.signal(one, was)


_FINISHING = "\nFinishing the call that is being sent. Press Ctrl-C again to end at once."


class Commands(typer.Typer):
    """Commands on one subject; asynchronous ones run in an event loop."""

    def command(self, *about: Any, **options: Any) -> Callable[[F], F]:
        """Make a function a command."""
        add = super().command(*about, **options)

        def adding(function: F) -> F:
            add(runs(function) if iscoroutinefunction(function) else function)
            return function

        return adding
