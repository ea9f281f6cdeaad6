"""Tests of what fails and is taken up again, in one process, with everything real but time."""

from collections.abc import AsyncIterator

import pytest

from daybook.checkpoints.postgres import Postgres
from tests.conftest import Agent, Shop
from tests.in_virtual_time import no_news, pytest_asyncio_loop_factories  # noqa: F401
from tests.opened import provider, standing_in, wire  # noqa: F401
from tests.purchases import agent_of


@pytest.fixture
async def agent(
    request: pytest.FixtureRequest, postgres: Postgres, shop: Shop
) -> AsyncIterator[Agent]:
    """Yield the shop's agent; a module says as `BUDGET` what one attempt may take."""
    async with agent_of(postgres, shop, getattr(request.module, "BUDGET", 1.0)) as agent:
        yield agent
