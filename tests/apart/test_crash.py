"""The short form of the crash matrix (`make crash`): processes killed at named moments, and judged."""

import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio

from evals.crash import cells
from evals.crash.cells import Cell
from evals.crash.run import Verdict
from evals.crash.shop import Matrix, World, open_world

pytestmark = pytest.mark.asyncio(loop_scope="session")

AROUND = [
    ("purchase", "before_look:charge_payment#1"),
    ("purchase", "after_commit:decision#1"),
    ("undone", "after_commit:undo_attempted/charge_payment#1"),
    ("undone", "after_reply:refund_payment#1"),
    ("undone", "before_look:refund_payment#1"),
    ("undone", "after_reply:release_inventory#1"),
]


@dataclass
class Crashes:
    """Hold the world of the matrix, after its undisturbed runs."""

    world: World
    verdicts: list[Verdict[Cell]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.matrix = Matrix(self.verdicts.append)

    async def of(self, wanted: list[Cell]) -> list[Verdict[Cell]]:
        """Run cells; each of them must be as promised."""
        self.verdicts.clear()
        await self.matrix.go_through(wanted, self.world)
        assert {v.cell.name: v.wrong for v in self.verdicts if v.wrong} == {}
        assert len(self.verdicts) == len({*wanted})
        return [*self.verdicts]


def counted(verdicts: list[Verdict[Cell]], name: str) -> int:
    return sum(one.counts[name] for one in verdicts)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def crashes(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Crashes]:
    folder: Path = tmp_path_factory.mktemp("crash")
    async with open_world(folder) as world:
        crashes = Crashes(world)
        await crashes.of(cells.undisturbed())
        yield crashes


@pytest.mark.long
async def test_the_crashes_of_the_peers_table(crashes: Crashes):
    verdicts = await crashes.of(cells.peers_crashes())
    assert len(verdicts) == 26
    assert not any(counted(verdicts, one) for one in ("duplicates", "lost", "holds left"))
    # The one answer of the model that died before its record, in either mode.
    assert counted(verdicts, "model calls extra") == 2
    assert counted(verdicts, "by itself") == 26
    # A mail alone honours no key and cannot be looked up: three kills of it, in either mode.
    assert counted(verdicts, "in doubt") == 6


@pytest.mark.long
async def test_effects_that_are_never_answered(crashes: Crashes):
    verdicts = await crashes.of(cells.of_endpoints("time-out"))
    assert {v.cell.name for v in verdicts if v.counts["in doubt"]} == {
        v.cell.name for v in verdicts if v.cell.about == "mail"
    }


@pytest.mark.long
async def test_effects_that_come_after_the_look(crashes: Crashes):
    assert counted(await crashes.of(cells.of_endpoints("late")), "looked in vain") > 0


@pytest.mark.long
async def test_kills_at_some_other_moments_and_instants(crashes: Crashes):
    around = [Cell(script, mode, "killed", at) for mode in cells.MODES for script, at in AROUND]
    others = random.Random(1).sample(crashes.matrix.of_the_moments(), 6)
    wanted = [*cells.waiting(), *around, *others, *cells.at_instants(8)]
    verdicts = await crashes.of(wanted)
    assert all(v.counts["by itself"] for v in verdicts if v.cell.kind == "waiting")
