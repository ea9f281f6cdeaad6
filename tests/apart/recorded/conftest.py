"""The recorded runs, the retailer that has its state of them, and what replays them."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from evals.tau_retail.chaos import Arena, open_arena
from evals.tau_retail.data import TauRetail, find
from evals.tau_retail.outside import Retailer, open_retailer
from tests.databases import database


@pytest.fixture(scope="module")
def data() -> TauRetail:
    """Find the runs; where they are not on this machine it says what names their folder."""
    return find()


@pytest.fixture(scope="module")
def retailer(data: TauRetail) -> Iterator[Retailer]:
    """Yield the retailer."""
    with open_retailer(data) as retailer:
        yield retailer


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def arena(retailer: Retailer, server_url: str, template: str) -> AsyncIterator[Arena]:
    """Yield what replays runs."""
    with database(server_url, template) as ours, open_arena(ours, retailer) as arena:
        yield arena
