"""Tests of one process, with everything real but time."""

from collections.abc import AsyncIterator

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import Settings, settings_from
from tests.cases.test_cases import Bank
from tests.conftest import Shop
from tests.in_virtual_time import no_news, pytest_asyncio_loop_factories  # noqa: F401
from tests.integration.desk import Desk, open_desk
from tests.opened import provider, standing_in, wire  # noqa: F401


@pytest.fixture
def settings(postgres_url: str) -> Settings:
    """Name the test's database."""
    return settings_from({"DATABASE_URL": postgres_url})


@pytest.fixture
async def desk(postgres: Postgres, shop: Shop) -> AsyncIterator[Desk]:
    """Yield an agent of `create_agent` at the shop."""
    async with open_desk(postgres, shop.url) as desk:
        yield desk


@pytest.fixture
async def asking(postgres_url: str) -> AsyncIterator[Bank]:
    """Yield an effect that is asked about."""
    bank = Bank(postgres_url)
    async with bank.ledger:
        yield bank


@pytest.fixture
async def paying(postgres_url: str) -> AsyncIterator[Bank]:
    """Yield an effect that nobody is asked about."""
    bank = Bank(postgres_url, approval="never")
    async with bank.ledger:
        yield bank
