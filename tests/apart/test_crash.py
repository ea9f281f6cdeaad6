"""The short form of the crash matrix (`make crash`): processes killed at named moments, and judged."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from evals.crash import cells
from evals.crash.cells import Cell
from evals.crash.judge import Verdict
from evals.crash.matrix import Matrix, World, open_world

pytestmark = pytest.mark.asyncio(loop_scope="session")

SEED, LANES = 1, 4


@dataclass
class Crashes:
    """Hold the world of the matrix, after its undisturbed runs."""

    matrix: Matrix
    world: World

    async def of(self, wanted: list[Cell]) -> list[Verdict]:
        """Run cells; each of them must be as promised."""
        before = len(self.matrix.verdicts)
        await self.matrix.go_through(wanted, self.world)
        verdicts = self.matrix.verdicts[before:]
        assert {v.cell.name: v.wrong for v in verdicts if v.wrong} == {}
        assert len(verdicts) == len(wanted)
        return verdicts


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def crashes(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Crashes]:
    folder: Path = tmp_path_factory.mktemp("crash")
    matrix = Matrix(SEED, LANES, lambda verdict: None)
    async with open_world(folder) as world:
        await matrix.go_through(cells.undisturbed(), world)
        assert {v.cell.name: v.wrong for v in matrix.verdicts if v.wrong} == {}
        yield Crashes(matrix, world)


@pytest.mark.long
async def test_the_crashes_of_the_peers_table(crashes: Crashes):
    verdicts = await crashes.of(cells.peers_crashes())
    assert len(verdicts) == 26
    assert sum(v.duplicates + v.lost + v.holds_left for v in verdicts) == 0
    # The one answer of the model that died before its record, in either mode.
    assert sum(v.extra_calls for v in verdicts) == 2
    assert all(v.by_itself for v in verdicts)
    # A mail alone honours no key and cannot be looked up: three kills of it, in either mode.
    assert sum(v.in_doubt for v in verdicts) == 6


@pytest.mark.long
async def test_effects_that_are_never_answered(crashes: Crashes):
    verdicts = await crashes.of(cells.of_endpoints("time-out"))
    assert [v.cell.name for v in verdicts if v.in_doubt] == [
        v.cell.name for v in verdicts if "mail" in v.cell.name
    ]


@pytest.mark.long
async def test_effects_that_come_after_the_look(crashes: Crashes):
    verdicts = await crashes.of(cells.of_endpoints("late"))
    assert any(v.looked_in_vain for v in verdicts)


@pytest.mark.long
async def test_kills_at_some_other_moments_and_instants(crashes: Crashes):
    verdicts = await crashes.of(crashes.matrix.some(SEED))
    assert all(v.by_itself for v in verdicts if v.cell.kind == "waiting")
