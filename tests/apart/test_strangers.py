"""A part of `make strangers`: agents on strangers' services, killed, and judged by what was done."""

from collections.abc import AsyncIterator, Mapping

import pytest
import pytest_asyncio

from daybook.testing import cells
from daybook.testing.matrix import Matrix
from daybook.testing.world import open_world
from tests.strangers.matrix import matrix_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

SEED = 1

SERVICES = ("stripe_v1", "stripe_v2", "eventual", "slack")
"""One of each class of guarantee; `make strangers` takes them all."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def matrices() -> AsyncIterator[Mapping[str, Matrix]]:
    async with open_world() as world:
        matrices = {service: matrix_of(service, world, lanes=4) for service in SERVICES}
        for matrix in matrices.values():
            await matrix.look()
        yield matrices


def not_as_promised(matrix: Matrix) -> list[str]:
    return [
        f"python -m tests.strangers --only '{verdict.cell.name}': {why}"
        for verdict in matrix.verdicts.values()
        for why in verdict.wrong
    ]


@pytest.mark.parametrize("service", SERVICES)
async def test_each_service_is_bought_from_and_gives_back(matrices, service):
    matrix = matrices[service]
    assert not_as_promised(matrix) == []
    assert {cell.script for cell in matrix.verdicts} == {"bought", "undone"}


@pytest.mark.parametrize("service", SERVICES)
async def test_kills_and_faults_of_each_service(matrices, service):
    matrix = matrices[service]
    await matrix.run(
        [
            *matrix.performed()[:1],
            *cells.sample(matrix.killed(), 1, SEED),
            *cells.sample(matrix.faults(), 1, SEED),
        ]
    )
    assert not_as_promised(matrix) == []
    assert any(verdict.kills for verdict in matrix.verdicts.values())
