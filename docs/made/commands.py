"""The commands of the command line, as they say of themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from daybook.app.cli import COMMANDS, cli, command
from docs.made.tables import table


def commands() -> str:
    """Write all commands: a table of them, and each with its arguments and options."""
    found: list[tuple[str, Any]] = [("daybook", typer.main.get_command(cli))]
    for name in COMMANDS:
        found += _walk(f"daybook {name}", command(name))
    rows = ((f"[`{name}`](#{_anchor(name)})", _sentence(one)) for name, one in found[1:])
    listed = table(("command", "what it does"), rows)
    return "\n\n".join([listed, *(_described(name, one) for name, one in found)])


def _walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Return a command and those below it."""
    yield name, command
    for below, one in getattr(command, "commands", {}).items():
        yield from _walk(f"{name} {below}", one)


def _described(name: str, command: Any) -> str:
    given = [one for one in command.params if one.name != "help"]
    rows = [(_spelled(one), one.help or "") for one in given]
    parts = [f"## `{name}`", _words(command)]
    return "\n\n".join([*parts, table(("argument or option", "meaning"), rows)] if rows else parts)


def _spelled(given: Any) -> str:
    """Write an argument or option as it is typed."""
    metavar = (given.metavar or given.name.upper()).replace("|", "\\|")
    if given.param_type_name == "argument":
        return f"`{metavar}`" if given.required else f"`[{metavar}]`"
    spelled = ", ".join(given.opts)
    return f"`{spelled}`" if getattr(given, "is_flag", False) else f"`{spelled} {metavar}`"


def _words(command: Any) -> str:
    paragraphs = (command.help or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _sentence(command: Any) -> str:
    return _words(command).partition("\n")[0]


def _anchor(name: str) -> str:
    return re.sub(r"[^a-z-]", "", name.replace(" ", "-"))
