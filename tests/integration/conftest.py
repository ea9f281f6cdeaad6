"""A model provider on real sockets, for the tests of models."""

from collections.abc import AsyncIterator

import pytest

from tests.conftest import Shop
from tests.integration.wire import Wire
from tests.provider import Provider, providing


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    """Yield a provider whose script the test writes."""
    async with providing() as provider:
        yield provider


@pytest.fixture
def wire(provider: Provider, postgres_url: str, shop: Shop) -> Wire:
    """Yield what opens agents on the provider and the test's database and shop."""
    return Wire(provider, postgres_url, shop)
