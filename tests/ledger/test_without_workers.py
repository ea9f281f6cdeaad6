"""A database that no worker's process has opened has no tables of procrastinate's."""

from datetime import timedelta

import pytest

from daybook.checkpoints import migrate as migrating
from daybook.checkpoints.postgres import Postgres, open_postgres
from tests.databases import database
from tests.ledger.book import someone


async def test_what_stands_still_is_found_before_and_after_the_first_worker(
    server_url: str, monkeypatch: pytest.MonkeyPatch
):
    with database(server_url) as url:
        monkeypatch.setattr(migrating, "find_spec", lambda module: None)
        async with open_postgres(url, tenant_id="default", stored_types=()) as postgres:
            thread_id = await cut_off(postgres)
            assert thread_id in await found_by(postgres)
            monkeypatch.undo()
            (queue,) = await migrating.migrate(url)
            assert queue.startswith("procrastinate ")
            thread_id = await cut_off(postgres)
            assert thread_id in await found_by(postgres)


async def cut_off(postgres: Postgres) -> str:
    """Leave a turn of a new thread, and name the thread."""
    ada = someone()
    await postgres.threads.begin(ada, "shop", None)
    async with postgres.pool.connection() as conn:
        await conn.execute(
            "update thread set status = 'active' where thread_id = %s", (ada.thread_id,)
        )
    return ada.thread_id


async def found_by(postgres: Postgres) -> list[str]:
    async with postgres.stalled.claimed("shop", timedelta(0)) as (found, _):
        return [one.thread_id for one in found if one.why == "cut off"]
