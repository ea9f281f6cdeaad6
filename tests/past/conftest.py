"""One database for all tests of a user's history: nothing that they do changes it."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator

import psycopg
import pytest_asyncio

from daybook.checkpoints.migrate import ROLE
from tests.databases import database
from tests.past.shopped import Past, shopped
from tests.shop_process import ShopProcess


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def past(server_url: str, template: str, shop_process: ShopProcess) -> AsyncIterator[Past]:
    """Yield the database in which they have shopped."""
    with database(server_url, template) as url:
        async with shopped(url, shop_process) as past:
            yield past


@pytest_asyncio.fixture(loop_scope="session")
async def unchanged(past: Past) -> AsyncIterator[None]:
    """Hold that a test leaves the database as it was, and the connections too."""
    before = everything_in(past.url)
    yield
    assert everything_in(past.url) == before
    async with past.postgres.pool.connection() as conn:
        cursor = await conn.execute(
            "select current_user::text as who, current_setting('daybook.tenant') as tenant, "
            "current_setting('transaction_read_only') as read_only, "
            "current_setting('statement_timeout') as patience, "
            "current_setting('search_path') as path"
        )
        assert await cursor.fetchone() == {
            "who": ROLE,
            "tenant": "default",
            "read_only": "off",
            "patience": "0",
            "path": '"daybook", pg_temp',
        }


def everything_in(url: str) -> str:
    """Hash all rows of all tables of ours and the libraries'."""
    whole = hashlib.sha256()
    with psycopg.connect(url) as conn:
        tables = conn.execute(
            "select oid::regclass::text from pg_class where relkind = 'r' "
            "and relnamespace = 'daybook'::regnamespace "
            "union all select 'pg_largeobject_metadata' order by 1"
        ).fetchall()
        assert len(tables) > 15
        for (table,) in tables:
            rows = conn.execute(f"select t::text from {table} t order by 1").fetchall()
            whole.update(f"{table} {rows}".encode())
    return whole.hexdigest()
