"""No command takes an unknown id for one about which there is nothing to say.

The commands are those of the command line: a new one that takes an id must be named here.
"""

from typing import Any

import typer

from daybook.app.cli import cli

NOSUCH = "nosuch-1"

UNKNOWN: dict[str, list[list[str]]] = {
    "again": [[NOSUCH]],
    "chat": [["--fresh-from", NOSUCH]],
    "event": [[NOSUCH, '{"type": "remove", "sku": "SOCK-002"}']],
    "forget": [[NOSUCH, "--yes"]],
    "ledger print": [[NOSUCH], [NOSUCH, "--json"]],
    "ledger open": [[NOSUCH], [NOSUCH, "--json"]],
    "ledger failed": [[NOSUCH]],
    "ledger verify": [[NOSUCH]],
    "ledger rebuild": [[NOSUCH]],
    "lessons drop": [[NOSUCH], ["checkout", "--error", NOSUCH]],
    "memory": [["--user", NOSUCH]],
    "memory forget": [[NOSUCH], ["--all", "--user", NOSUCH]],
    "probe-check": [[NOSUCH, "{}", "--yes"], [NOSUCH, "{}", "--yes", "--json"]],
    "progress": [[NOSUCH], [NOSUCH, "--version", "1"]],
    "reconcile": [[NOSUCH], [NOSUCH, "--apply"]],
    "stop": [[NOSUCH], [NOSUCH, "--role", "clerk"]],
    "threads": [["--user", NOSUCH]],
    "token": [["--revoke", NOSUCH]],
    "tool": [[NOSUCH], [NOSUCH, "--off", "--why", "x"]],
    "grade": [[NOSUCH], [NOSUCH, "--json"]],
    "variants": [[NOSUCH, "1/0"]],
}
"""Command to arguments that name something that is not there."""
"""Exit codes that are not 1: there 1 says that something which is declared does not hold."""

NAMES_NOTHING = {
    "demo": "starts a purchase of its own",
    "doctor": "looks at everything",
    "lessons": "lists all",
    "memory set": "whoever is named is known from then on",
    "mcp inspect": "takes the address of a server",
    "metrics": "of everything",
    "migrate": "of everything",
    "new": "takes the name of what is not there yet",
    "policy": "of everything",
    "recovery": "a table",
    "rekey": "of everything",
    "retention": "of everything",
    "serve": "takes a place to listen at",
    "shop": "takes a place to listen at",
    "tools": "of everything",
    "worker": "looks for threads itself",
}
"""Command to why it takes no id of what must be there."""


def commands() -> set[str]:
    """Name the commands of the command line, those of a group with its name before them."""
    found = set()
    group: Any = typer.main.get_command(cli)
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        within = getattr(command, "commands", {})
        found |= {f"{name} {one}" for one in within}
        if not within or command.invoke_without_command:
            found.add(name)
    return found


def test_every_command_is_looked_at():
    assert commands() == {*UNKNOWN, *NAMES_NOTHING}
