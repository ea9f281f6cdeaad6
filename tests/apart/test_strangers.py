"""A part of `make strangers`: agents on strangers' services, killed, and judged by what was done."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.strangers import cells
from tests.strangers.cells import Cell
from tests.strangers.matrix import Matrix
from tests.strangers.world import open_world

pytestmark = pytest.mark.asyncio(loop_scope="session")

SEED = 1

SERVICES = ("stripe_v1", "stripe_v2", "eventual", "slack")
"""One of each class of guarantee; `make strangers` takes them all."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def matrix(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Matrix]:
    folder: Path = tmp_path_factory.mktemp("strangers")
    async with open_world(folder, SERVICES) as world:
        matrix = Matrix(world, lanes=4)
        await matrix.look(SERVICES)
        yield matrix


def not_as_promised(matrix: Matrix, some: list[Cell]) -> list[str]:
    return [
        f"python -m tests.strangers --only '{verdict.cell.name}': {why}"
        for verdict in matrix.verdicts
        if verdict.cell in some
        for why in verdict.wrong
    ]


async def test_each_service_is_bought_from_and_gives_back(matrix: Matrix):
    assert not_as_promised(matrix, cells.undisturbed(SERVICES)) == []


async def test_kills_when_it_was_done_and_not_answered(matrix: Matrix):
    some = [cell for service in SERVICES for cell in cells.performed(service)[:1]]
    await matrix.go_through(some)
    assert not_as_promised(matrix, some) == []


async def test_kills_at_some_moments(matrix: Matrix):
    some = [
        cell
        for service in SERVICES
        for cell in cells.sample(matrix.at_the_moments(service), 1, SEED)
    ]
    await matrix.go_through(some)
    assert not_as_promised(matrix, some) == []


async def test_some_faults_of_the_services(matrix: Matrix):
    some = [cell for service in SERVICES for cell in cells.sample(cells.faults(service), 1, SEED)]
    await matrix.go_through(some)
    assert not_as_promised(matrix, some) == []
