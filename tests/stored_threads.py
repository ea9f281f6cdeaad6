"""Threads as a release stored them, kept in tests/fixtures/<release>, and how they are made.

`python -m tests.stored_threads` writes those of this release. Do so once, when it is released, and
never again: they are how a field that was renamed later is noticed.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.checkpoints.postgres import open_postgres
from daybook.nodes.running import identity
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation
from tests.purchases import asked_to_buy, bought, orders
from tests.scripted import last_result
from tests.shop_process import ShopProcess

FIXTURES = Path(__file__).parent / "fixtures"

TABLES = (
    "thread",
    "thread_head",
    "ledger_event",
    "ledger_payload",
    "open_step",
    "read_call",
    "checkpoints",
    "checkpoint_blobs",
    "checkpoint_writes",
)
"""In an order in which their rows can be written."""

Stored = dict[str, Any]


async def stored(url: str, thread_id: str) -> Stored:
    """Read all rows of a thread, as Postgres writes them in JSON (bytes as hex)."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
        await conn.execute("set timezone to 'UTC'")
        rows: dict[str, list[Any]] = {}
        for table in TABLES:
            query = sql.SQL("select to_jsonb(t) from {} t where thread_id = %s order by t")
            cursor = await conn.execute(query.format(sql.Identifier(table)), (thread_id,))
            rows[table] = [row for (row,) in await cursor.fetchall()]
        applied = await (await conn.execute("select name from migration order by 1")).fetchall()
    return {
        "thread_id": thread_id,
        "migrations": [name for (name,) in applied],
        "tables": rows,
    }


async def restore(url: str, thread: Mapping[str, Any]) -> None:
    """Write the rows of a thread; columns that they do not name get their default."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
        for table in TABLES:
            for row in thread["tables"][table]:
                columns = sql.SQL(", ").join(map(sql.Identifier, row))
                statement = sql.SQL(
                    "insert into {table} ({columns}) "
                    "select {columns} from jsonb_populate_record(null::{table}, %s)"
                ).format(table=sql.Identifier(table), columns=columns)
                await conn.execute(statement, (Jsonb(row),))


async def a_finished_thread(agent: Agent, shop: Shop) -> Conversation:
    """Look something up, buy it, and cancel the order."""
    talk = await bought(agent)
    agent.model.then([("search_products", {"query": "wool socks"})], "There are wool socks.")
    await talk.say("are there wool socks?")
    order = orders(shop)[-1]["order_id"]
    agent.model.then([("cancel_order", {"order_id": order})], last_result)
    await talk.say("cancel my order")
    await talk.approve()
    return talk


async def a_waiting_thread(agent: Agent, shop: Shop) -> Conversation:
    """Bring a purchase to the question for approval."""
    return await asked_to_buy(agent)


def _lines(thread: Stored) -> str:
    """Write JSON with a row a line."""
    tables = []
    for table, rows in thread["tables"].items():
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        tables.append(f"{json.dumps(table)}: [\n{lines}\n]")
    about = {name: value for name, value in thread.items() if name != "tables"}
    head, rows = json.dumps(about).removesuffix("}"), ",\n".join(tables)
    return f'{head}, "tables": {{\n{rows}\n}}}}\n'


async def _write(folder: Path) -> None:
    identity.WORKER = "worker"  # the name of this machine is nobody's business
    with (
        tempfile.TemporaryDirectory() as home,
        embedded_postgres(Path(home) / "postgres") as server,
        tempfile.TemporaryDirectory() as of_the_shop,
    ):
        process = ShopProcess(Path(of_the_shop))
        try:
            with httpx.Client(base_url=process.url) as http:
                shop = Shop(process.url, process.smtp_url, http)
                async with (
                    open_postgres(
                        server.url, tenant_id="default", stored_types=SHOP.restored_types
                    ) as postgres,
                    shop_agent(postgres, shop) as agent,
                ):
                    for make in (a_finished_thread, a_waiting_thread):
                        talk = await make(agent, shop)
                        thread = await stored(server.url, talk.thread_id)
                        (folder / f"{make.__name__}.json").write_text(_lines(thread))
        finally:
            process.end()


if __name__ == "__main__":
    if (FIXTURES / version("daybook")).exists():
        sys.exit(f"The threads of release {version('daybook')} are there already.")
    (FIXTURES / version("daybook")).mkdir(parents=True)
    asyncio.run(_write(FIXTURES / version("daybook")))
