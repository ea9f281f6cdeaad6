"""Play purchases: begin one, see it killed, start it again, count what became of it, and tell."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from daybook.state.clock import SYSTEM
from evals.rivals.cells import Cell, Contender, Counts, Service, judge
from evals.rivals.town import Town
from evals.servers import PATIENCE, JsonProgram, new_database, open_json_program


@dataclass(frozen=True)
class Verdict:
    """What a cell came to.

    Attributes:
        wrong: why it says nothing, or "": it was not killed, or its program failed.
    """

    cell: Cell
    counts: Counts
    wrong: str = ""


@dataclass(frozen=True)
class Stage:
    """Where one contender's purchases are played, one after the other: some go on with all.

    Attributes:
        program: forks a process for each order.
        database: a URL; of this contender alone.
        home: a folder for what else it keeps.
    """

    program: JsonProgram
    town: Town
    database: str
    home: Path

    async def play(self, cell: Cell) -> Verdict:
        """Play one purchase."""
        name = f"run-{len(self.town.worlds) + 1}"
        world = self.town.add(name, cell.service, cell.instant)
        home = self.home / name
        home.mkdir()
        order = {
            **dict(cell.contender.options),
            "run": name,
            "world": f"{self.town.url}/{name}",
            "service": cell.service.value,
            "bound": self.town.bound,
            "database": self.database,
            "home": str(home),
        }
        wrong, ended = "", {"killed": True, "answer": ""}
        try:
            async with SYSTEM.timeout(2 * PATIENCE):
                for is_restart in (False, True):
                    if ended["killed"]:
                        await self.program.tell({**order, "is_restart": is_restart})
                        world.runs_as((await self.program.hear())["pid"])
                        ended = await self.program.hear()
        except TimeoutError:
            world.kill()
            await self.program.hear()
            wrong = "it never came to an end"
        if not (ended["answer"] or wrong or cell.instant is None):
            wrong = (self.home / "log").read_text()[-2_000:] if not ended["killed"] else ""
        if cell.instant is not None and not world.was_killed:
            wrong = wrong or "it did not come to where it was to be killed"
        is_named = cell.instant is not None and not cell.contender.finds
        record = world.record(is_finished=bool(ended["answer"]), is_named=is_named)
        return Verdict(cell, judge(record), wrong)


@asynccontextmanager
async def open_stage(
    contender: Contender, python: str, town: Town, server: str, folder: Path
) -> AsyncIterator[Stage]:
    """Make a contender's database and start its program.

    Args:
        python: of its environment.
        server: a URL of a database on which others can be made.
        folder: for what it keeps.
    """
    home = Path(tempfile.mkdtemp(dir=folder))
    database = await new_database(server, home.name)
    command = (python, "-m", f"evals.rivals.contenders.{contender.module}")
    with (home / "log").open("wb") as log:
        async with open_json_program(*command, log=log) as program:
            yield Stage(program, town, database, home)


_COLUMNS = {
    "done twice": "duplicates",
    "lost": "lost",
    "holds left": "holds_left",
    "approvals asked again": "approvals_again",
    "model asked again": "model_again",
    "doubts put to a person": "doubts",
    "finishes by itself": "by_itself",
}


def rows_of(verdicts: Sequence[Verdict], versions: Mapping[str, str]) -> list[list[str]]:
    """Make the lines of the table, its heading first, for all that were played.

    Args:
        versions: of packages, by their names.
    """
    rows = [["", "of", *_COLUMNS]]
    for one in dict.fromkeys(verdict.cell.contender for verdict in verdicts):
        # What was not killed is not counted, and what failed says nothing.
        killed = [
            verdict
            for verdict in verdicts
            if verdict.cell.contender == one and verdict.cell.instant and not verdict.wrong
        ]
        sums = [
            sum((v.counts for v in killed if v.cell.service is service), Counts())
            for service in Service
        ]
        of = ", ".join(f"{package} {versions[package]}" for package in one.packages)
        counted = [[getattr(s, n) if s.runs else "-" for s in sums] for n in _COLUMNS.values()]
        rows.append([one.name, of, *(" / ".join(map(str, cells)) for cells in counted)])
    return rows


def as_markdown(rows: Sequence[Sequence[str]]) -> str:
    """Write the table as the documentation has it."""
    heading, *rest = rows
    lines = [heading, ["---"] * len(heading), *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
