"""One database for all tests of the ledger: each of them has threads of its own."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import psycopg
import pytest
import pytest_asyncio

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.postgres import Postgres, open_postgres
from tests.databases import database


@pytest.fixture(scope="package")
def postgres_url(server_url: str, template: str) -> Iterator[str]:
    with database(server_url, template) as url:
        yield url


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def postgres(postgres_url: str) -> AsyncIterator[Postgres]:
    async with open_postgres(postgres_url, tenant_id="default", stored_types=()) as postgres:
        yield postgres


@pytest.fixture
def ledger(postgres: Postgres) -> Ledger:
    return postgres.ledger


@pytest_asyncio.fixture(loop_scope="session")
async def owner(postgres_url: str) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
    """Yield a connection as the owner of the database, who is superuser here."""
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as conn:
        yield conn


@pytest_asyncio.fixture(loop_scope="session")
async def application(postgres: Postgres) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
    """Yield a connection as the application has it."""
    async with postgres.pool.connection() as conn:
        yield conn


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def stranger(postgres_url: str, postgres: Postgres) -> AsyncIterator[Postgres]:
    """Yield the same database, opened for another tenant."""
    async with open_postgres(postgres_url, tenant_id="other", stored_types=()) as other:
        yield other
