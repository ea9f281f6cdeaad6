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

_ASKED = """\
import json, sys
from importlib.metadata import PackageNotFoundError, version
def of(name):
    try: return version(name)
    except PackageNotFoundError: return None
python = ".".join(map(str, sys.version_info[:2]))
print(json.dumps([python, {name: of(name) for name in sys.argv[1:]}]))
"""


def main(
    python: Annotated[Path, typer.Argument(help="Of the environment with the rivals.")],
    only: Annotated[list[str] | None, typer.Option(help="Play these contenders alone.")] = None,
    lanes: Annotated[int, typer.Option(min=1, help="Contenders at a time.")] = 2,
) -> None:
    """Kill a purchase of each contender at each instant before each service, and count."""
    contenders = [one for one in CONTENDERS if one.name in (only or (one.name,))]
    if not contenders:
        known = "; ".join(one.name for one in CONTENDERS)
        raise typer.BadParameter(f"nobody is called so. There are: {known}")
    versions: dict[str, str] = {}
    missing: dict[str, str] = {}
    for one in contenders:
        _look_up(one, _python(one, python), versions, missing)
    verdicts: list[Verdict] = []
    there = [one for one in contenders if one.name not in missing]
    screen = Screen("purchases", len(there) * len(Service) * (len(INSTANTS) + 1))

    def tell(verdict: Verdict) -> None:
        verdicts.append(verdict)
        screen.advance(*(verdict.wrong and [f"{verdict.cell}: {verdict.wrong}"]))

    if not screen.follow(_play(there, python, lanes, tell)):
        raise typer.Exit(130)
    print(
        f"{SYSTEM.now():%Y-%m-%d}: {len(INSTANTS)} kills each; {' / '.join(Service)}: a service "
        "that honours keys, one that does not, and one that performs late."
    )
    print(as_markdown(rows_of(verdicts, versions, missing)))
    ours = [one for one in verdicts if not one.cell.contender.is_apart]
    raise typer.Exit(int(any(one.wrong or one.counts.is_broken for one in ours)))


def _python(contender: Contender, rivals: Path) -> str:
    return str(rivals.absolute()) if contender.is_apart else sys.executable


def _look_up(
    contender: Contender, python: str, versions: dict[str, str], missing: dict[str, str]
) -> None:
    """Note the versions of a contender's packages, or why it cannot be played."""
    command = [python, "-c", _ASKED, *contender.packages]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    which, known = json.loads(found.stdout)
    if absent := [name for name, version in known.items() if version is None]:
        missing[contender.name] = (
            f"{', '.join(absent)} is not there with Python {which}: see requirements.in"
        )
    versions.update(known)


async def _play(
    contenders: Sequence[Contender], python: Path, lanes: int, tell: Callable[[Verdict], None]
) -> None:
    """Play all cells of some contenders, so many contenders at a time."""
    free = asyncio.Semaphore(lanes)
    async with AsyncExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="daybook-rivals-")))
        postgres = stack.enter_context(embedded_postgres(home))
        town = stack.enter_context(open_town())

        async def played(one: Contender) -> None:
            cells = [
                Cell(one, service, instant) for service in Service for instant in (None, *INSTANTS)
            ]
            async with (
                free,
                open_stage(one, _python(one, python), town, postgres.url, home) as stage,
            ):
                for cell in cells:
                    tell(await stage.play(cell))

        async with asyncio.TaskGroup() as playing:
            for one in contenders:
                playing.create_task(played(one))


if __name__ == "__main__":
    run_command(main)
