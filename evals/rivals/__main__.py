"""Play the same purchase by Daybook and by others: `make rivals`."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated

import typer

from daybook.domain import embedded_postgres
from daybook.state.clock import SYSTEM
from evals.report import Screen, run_command
from evals.rivals.cells import CONTENDERS, INSTANTS, Cell, Contender, Service
from evals.rivals.play import Verdict, as_markdown, open_stage, rows_of
from evals.rivals.town import open_town

_AT_ONCE = 2
"""Contenders at a time."""

_ASKED = """\
import json, sys
from importlib.metadata import version
print(json.dumps({name: version(name) for name in sys.argv[1:]}))
"""


def main(
    python: Annotated[Path, typer.Argument(help="Of the environment with the rivals.")],
    only: Annotated[list[str] | None, typer.Option(help="Play these contenders alone.")] = None,
) -> None:
    """Kill a purchase of each contender at each instant before each service, and count."""
    contenders = [one for one in CONTENDERS if one.name in (only or (one.name,))]
    if not contenders:
        known = "; ".join(one.name for one in CONTENDERS)
        raise typer.BadParameter(f"nobody is called so. There are: {known}")
    versions: dict[str, str] = {}
    for one in contenders:
        asked = [_python(one, python), "-c", _ASKED, *one.packages]
        versions |= json.loads(subprocess.check_output(asked))
    verdicts: list[Verdict] = []
    screen = Screen("purchases", len(contenders) * len(Service) * (len(INSTANTS) + 1))

    def tell(verdict: Verdict) -> None:
        verdicts.append(verdict)
        screen.advance(*(verdict.wrong and [f"{verdict.cell}: {verdict.wrong}"]))

    if not screen.follow(_play(contenders, python, tell)):
        raise typer.Exit(130)
    print(
        f"{SYSTEM.now():%Y-%m-%d}: {len(INSTANTS)} kills each; {' / '.join(Service)}: a service "
        "that honours keys, one that does not, and one that performs late."
    )
    print(as_markdown(rows_of(verdicts, versions)))
    ours = [one for one in verdicts if not one.cell.contender.is_apart]
    raise typer.Exit(int(any(one.wrong or one.counts.is_broken for one in ours)))


def _python(contender: Contender, rivals: Path) -> str:
    return str(rivals.absolute()) if contender.is_apart else sys.executable


async def _play(
    contenders: Sequence[Contender], python: Path, tell: Callable[[Verdict], None]
) -> None:
    """Play all cells of some contenders."""
    free = asyncio.Semaphore(_AT_ONCE)
    async with AsyncExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="daybook-rivals-")))
        postgres = stack.enter_context(embedded_postgres(home))
        town = stack.enter_context(open_town())

        async def played(one: Contender) -> None:
            where = (_python(one, python), town, postgres.url, home)
            async with free, open_stage(one, *where) as stage:
                for service in Service:
                    for instant in (None, *INSTANTS):
                        tell(await stage.play(Cell(one, service, instant)))

        async with asyncio.TaskGroup() as playing:
            for one in contenders:
                playing.create_task(played(one))


if __name__ == "__main__":
    run_command(main)
