"""A schema of its own for every test, and a pool and a saver on it."""

import os
import uuid
from collections.abc import AsyncIterator, Iterator

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from .database import Pool, fresh_schema, open_pool


@pytest.fixture(scope="session")
def postgres_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a database in which every test here makes a schema of its own.

    It is the one that DAYBOOK_TEST_DATABASE_URL names, else the embedded server's.
    """
    named = os.environ.get("DAYBOOK_TEST_DATABASE_URL")
    return named or str(request.getfixturevalue("server_url"))


@pytest.fixture
def url(postgres_url: str) -> Iterator[str]:
    """Yield a URL of an empty schema of this test's own."""
    with fresh_schema(postgres_url) as url:
        yield url


@pytest.fixture
async def pool(url: str) -> AsyncIterator[Pool]:
    """Yield an open pool on this test's schema."""
    async with open_pool(url) as pool:
        yield pool


@pytest.fixture
async def saver(pool: Pool) -> AsyncPostgresSaver:
    """Return the stock saver, its tables made."""
    saver = AsyncPostgresSaver(pool)
    await saver.setup()
    return saver


@pytest.fixture
def thread() -> RunnableConfig:
    """Return the config of a thread that does not exist yet."""
    return {"configurable": {"thread_id": str(uuid.uuid4())}}


@pytest.fixture
def other_thread() -> RunnableConfig:
    """Return the config of another thread that does not exist yet."""
    return {"configurable": {"thread_id": str(uuid.uuid4())}}
