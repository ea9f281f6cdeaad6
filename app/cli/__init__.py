"""The command line, by what its commands are for."""

from daybook.app.cli.root import cli, main

__all__ = ["cli", "main"]
