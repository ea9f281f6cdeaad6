"""A depot and an agent that sends parcels through it, for tests that name them in `__all__`."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.beside import serving
from tests.parcels.agent import ParcelsAgent, parcels_agent
from tests.parcels.depot import Depot


@pytest.fixture
def depot() -> Iterator[Depot]:
    with serving(Depot()) as depot:
        yield depot


@pytest.fixture
async def agent(postgres_url: str, depot: Depot) -> AsyncIterator[ParcelsAgent]:
    async with parcels_agent(postgres_url, depot.url) as agent:
        yield agent
