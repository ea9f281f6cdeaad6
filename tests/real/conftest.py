"""Tests on real time: processes that are killed or suspended, and deadlines that the kernel keeps.

Budgets are generous here, and what is asserted is an order or a count.
"""

from collections.abc import AsyncIterator

import pytest

from daybook.checkpoints.postgres import Postgres
from tests.conftest import Agent, Shop
from tests.opened import provider, runners, runners_processes, standing_in, wire  # noqa: F401
from tests.purchases import LONG, agent_of


@pytest.fixture
async def agent(postgres: Postgres, shop: Shop) -> AsyncIterator[Agent]:
    """Yield the shop's agent; one attempt may take as long as a busy machine needs."""
    async with agent_of(postgres, shop, LONG) as agent:
        yield agent
