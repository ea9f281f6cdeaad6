"""What tests open beside the agent: a model provider on sockets, and processes that run threads."""

from collections.abc import AsyncIterator, Iterator

import pytest
from langchain_core.language_models import BaseChatModel

from daybook.graph.model.choice import chosen_model
from daybook.graph.settings.environment import settings_from
from daybook.testing.processes import PRELOADED, Processes, open_processes
from daybook.tools.shop.domain import SHOP
from tests.conftest import Shop
from tests.integration.runners import Runners
from tests.integration.wire import Wire
from tests.provider import Provider, providing

# Else each process imports it anew.
PRELOADED += [f"tests.integration.{name}" for name in ("runners", "desk", "till")]


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    """Yield a provider whose script the test writes."""
    async with providing() as provider:
        yield provider


@pytest.fixture
async def standing_in(stand_in: str) -> AsyncIterator[BaseChatModel]:
    """Yield what asks the stand-in, as an agent without a provider does."""
    async with chosen_model(settings_from({"DAYBOOK_HOME": stand_in}), SHOP) as model:
        yield model


@pytest.fixture
def wire(provider: Provider, postgres_url: str, shop: Shop) -> Wire:
    """Yield what opens agents on the provider and the test's database and shop."""
    return Wire(provider, postgres_url, shop)


@pytest.fixture(scope="session")
def runners_processes() -> Iterator[Processes]:
    """Yield what starts all runners of the session."""
    with open_processes("tests.integration.runners:run") as processes:
        yield processes


@pytest.fixture
def runners(runners_processes: Processes, postgres_url: str, shop: Shop) -> Iterator[Runners]:
    """Yield what starts processes on the test's database and shop; none outlives the test."""
    runners = Runners(runners_processes)
    runners.use(postgres_url, shop)
    yield runners
    runners_processes.kill()
