"""The command line, by what its commands are for."""

from daybook.app.cli.root import COMMANDS, cli, command, main

__all__ = ["COMMANDS", "cli", "command", "main"]
