"""A ledger that went back in time sends nothing until somebody has compared it with the world."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

import psycopg
import pytest
from langgraph.graph import START, StateGraph

from daybook.checkpoints.embedded.postgres import _find_install
from daybook.checkpoints.postgres import open_postgres
from daybook.errors import EffectUnsettled, LedgerRestored
from tests.cases.test_cases import Bank, fresh
from tests.databases import database
from tests.purchases import shop_database


class Told(TypedDict, total=False):
    told: str


@pytest.fixture
def url(server_url: str, template: str) -> Iterator[str]:
    with database(server_url, template) as url:
        yield url


def run(program: str, *options: str | Path) -> None:
    subprocess.run([_find_install() / "bin" / program, *options], check=True, capture_output=True)


def backed_up(url: str, folder: Path) -> Path:
    run("pg_dump", "--format=custom", "--file", folder / "backup", "--dbname", url)
    return folder / "backup"


async def pay(bank: Bank, config: Any, *, goes_on: bool = False) -> Any:
    async def node(state: Told) -> Any:
        return {"told": await bank.pay("bob")}

    graph: Any = StateGraph(Told).add_node(node).add_edge(START, "node")
    compiled = graph.compile(checkpointer=bank.ledger.saver)
    return (await compiled.ainvoke(None if goes_on else {}, config))["told"]


async def accept(url: str) -> None:
    async with shop_database(url) as postgres:
        assert await postgres.cluster.is_elsewhere()
        await postgres.cluster.accept("an operator")
        assert not await postgres.cluster.is_elsewhere()


@pytest.mark.parametrize("where", ["another database", "the same database"])
async def test_a_restored_ledger_refuses_to_send_until_it_is_accepted(
    server_url: str, url: str, tmp_path: Path, where: str
):
    before = Bank(url, approval="never")
    async with before.ledger:
        assert await pay(before, fresh()) == "paid bob"
    backup = backed_up(url, tmp_path)
    with database(server_url) as another:
        restored = url if where == "the same database" else another
        clean = ["--clean"] if restored == url else []
        run("pg_restore", "--exit-on-error", *clean, "--dbname", restored, backup)
        after, config = Bank(restored, approval="never"), fresh()
        with pytest.raises(LedgerRestored, match="daybook reconcile"):
            async with after.ledger:
                await pay(after, config)
        assert after.paid == []
        await accept(restored)
        async with after.ledger:
            assert await pay(after, config) == "paid bob"


async def test_a_process_that_runs_on_sends_nothing_by_a_ledger_that_was_restored_under_it(
    url: str, tmp_path: Path
):
    bank, config = Bank(url, approval="never"), fresh()
    async with bank.ledger:
        assert await pay(bank, fresh()) == "paid bob"
        run("pg_restore", "--exit-on-error", "--clean", "--dbname", url, backed_up(url, tmp_path))
        with pytest.raises(EffectUnsettled):
            await pay(bank, config)
        assert bank.paid == ["bob"]
        await accept(url)
        assert await pay(bank, config, goes_on=True) == "paid bob"
    assert bank.paid == ["bob", "bob"]


async def test_a_promoted_replica_is_another_ledger_but_where_it_lacks_nothing(url: str):
    options: Any = {"tenant_id": "default", "stored_types": ()}
    async with open_postgres(url, **options) as postgres:
        await postgres.cluster.check()
    with psycopg.connect(url, autocommit=True) as conn:
        # As after a promotion: the log goes on under another timeline.
        conn.execute("update cluster set timeline = '00000000'")
    async with open_postgres(url, **options) as postgres:
        with pytest.raises(LedgerRestored):
            await postgres.cluster.check()
    async with open_postgres(url, ignores_timeline=True, **options) as postgres:
        await postgres.cluster.check()
