"""Run a crash matrix from the command line; exit 1 where a cell was not as promised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from daybook.testing.matrix import Options, crash_matrix
from daybook.testing.provider_process import load


def main(
    subject: Annotated[str, typer.Argument(help="module:name of an effect.")],
    given: Annotated[str, typer.Argument(help="Its arguments, as JSON.")],
    environment: Annotated[
        str, typer.Option(help="Holds the provider's address.")
    ] = "PROVIDER_URL",
    behaviour: Annotated[list[str] | None, typer.Option(help="These providers alone.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Write a JUnit file.")] = None,
) -> None:
    """Kill an effect at every moment there is, before providers that misbehave."""
    options: Options = {"environment": environment}
    if behaviour:
        options["behaviours"] = behaviour
    report = crash_matrix(load(subject), json.loads(given), **options)
    report.show()
    if junit:
        report.junit(junit)
    raise typer.Exit(int(not report.ok))


if __name__ == "__main__":
    command = typer.Typer(pretty_exceptions_enable=False)
    command.command()(main)
    command()
