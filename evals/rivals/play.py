"""Play purchases: begin one, see it killed, start it again, and count what became of it."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from psycopg import AsyncConnection, sql
from psycopg.conninfo import conninfo_to_dict

from evals.forking import Forks, open_forks
from evals.rivals.cells import Cell, Contender, Counts, judge
from evals.rivals.town import Town


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
        database: a URL; of this contender alone.
        home: a folder for what else it keeps.
    """

    forks: Forks
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
        wrong, answer = "", None
        try:
            for is_restart in (False, True):
                [forked] = await self.forks.start({**order, "is_restart": is_restart})
                world.runs_as(forked.pid)
                ended = await forked.ended()
                if not ended.killed:
                    answer = ended.found
                    break
        except AssertionError as error:
            forked.kill()
            wrong = str(error)
        if cell.instant is not None and not world.was_killed:
            wrong = wrong or "it did not come to where it was to be killed"
        is_named = cell.instant is not None and not cell.contender.finds
        return Verdict(
            cell, judge(world.record(is_finished=bool(answer), is_named=is_named)), wrong
        )


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
    name = sql.Identifier(home.name)
    about = conninfo_to_dict(server)
    # As a URL: not all of them take libpq's other form.
    url = f"postgresql://{about['user']}@/{home.name}?host={about['host']}&port={about['port']}"
    async with (
        await AsyncConnection.connect(server, autocommit=True) as conn,
        open_forks(f"evals.rivals.contenders.{contender.module}", python) as forks,
    ):
        await conn.execute(sql.SQL("create database {}").format(name))
        try:
            yield Stage(forks, town, url, home)
        finally:
            await conn.execute(sql.SQL("drop database {} with (force)").format(name))
