"""A ledger that went back in time sends nothing until somebody has compared it with the world."""

import asyncio
import importlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

import psycopg
import pytest
from langgraph.graph import START, StateGraph

from daybook.checkpoints.embedded.postgres import _find_install, embedded_postgres
from daybook.checkpoints.postgres import open_postgres
from daybook.errors import EffectNotDone, EffectUnsettled, LedgerRestored
from daybook.graph.settings.environment import settings_from
from tests.cases.test_cases import APPROVED, Bank, fresh
from tests.databases import database

TABLES = """
select string_agg(format('%I.%I', schemaname, tablename), ', ') from pg_tables
where schemaname = 'daybook'
"""
OPTIONS = {
    "another database": [],
    "the same database": ["--clean"],
    "the same tables": ["--data-only", "--disable-triggers"],
}


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
    marks = settings_from().marks
    async with open_postgres(url, tenant_id="default", stored_types=(), marks=marks) as postgres:
        assert await postgres.cluster.is_elsewhere()
        await postgres.cluster.accept("an operator")
        assert not await postgres.cluster.is_elsewhere()


@pytest.mark.parametrize("where", ["another database", "the same database", "the same tables"])
async def test_a_restored_ledger_refuses_to_send_until_it_is_accepted(
    server_url: str, url: str, tmp_path: Path, where: str
):
    before = Bank(url, approval="never")
    async with before.ledger:
        assert await pay(before, fresh()) == "paid bob"
    backup = backed_up(url, tmp_path)
    with database(server_url) as another:
        restored = another if where == "another database" else url
        options = [*OPTIONS[where]]
        if where == "the same tables":
            with psycopg.connect(url) as conn:
                [[tables]] = conn.execute(TABLES).fetchall()
                conn.execute("set session_replication_role = replica")
                conn.execute(f"truncate {tables}")
        run("pg_restore", "--exit-on-error", *options, "--dbname", restored, backup)
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


async def test_a_server_whose_files_were_put_back_is_not_sent_by(tmp_path: Path, monkeypatch):
    home, copy = tmp_path / "server", tmp_path / "copy"
    monkeypatch.setenv("DAYBOOK_HOME", str(tmp_path / "host"))

    async def paid(bank: Bank) -> Any:
        async with bank.ledger:
            return await pay(bank, fresh())

    with embedded_postgres(home) as server:
        assert await paid(Bank(server.url, approval="never")) == "paid bob"
    shutil.copytree(home, copy, symlinks=True, ignore=shutil.ignore_patterns("*.lock", "*.sock"))
    with embedded_postgres(home) as server:
        assert await paid(Bank(server.url, approval="never")) == "paid bob"
    shutil.rmtree(home)
    copy.rename(home)
    with embedded_postgres(home) as server:
        after = Bank(server.url, approval="never")
        with pytest.raises(LedgerRestored):
            await paid(after)
        await accept(server.url)
        assert await paid(after) == "paid bob"


PROGRAM = """
import json
from datetime import timedelta
from pathlib import Path
from typing import TypedDict

from langgraph.graph import START, StateGraph

from daybook import Ledger

BANK = Path(__file__).with_name("bank.json")
ledger = Ledger(user="ada")


def find(call):
    paid = json.loads(BANK.read_text()) if BANK.exists() else []
    return [one for one in paid if one["key"] == call.key]


@ledger.effect(id="id", find=find, visible_within=timedelta(seconds=1))
async def pay(to: str, *, call) -> dict:
    paid = json.loads(BANK.read_text()) if BANK.exists() else []
    BANK.write_text(json.dumps([*paid, {"id": f"p-{len(paid)}", "key": call.key, "to": to}]))
    return {"id": f"p-{len(paid)}"}


class State(TypedDict, total=False):
    receipt: dict


async def node(state: State) -> State:
    return {"receipt": await pay("bob")}


graph = StateGraph(State).add_node(node).add_edge(START, "node").compile(ledger.saver)
"""


async def test_the_ledger_of_a_graph_of_ones_own_is_compared_with_the_world(
    server_url: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "paying.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("DATABASE_URL", url)
    paying, config = importlib.import_module("paying"), fresh()
    async with paying.ledger:
        await paying.graph.ainvoke({}, config)
        backup = backed_up(url, tmp_path)
        await paying.graph.ainvoke(APPROVED, config)
    with database(server_url) as restored:
        run("pg_restore", "--exit-on-error", "--dbname", restored, backup)
        monkeypatch.setenv("DATABASE_URL", restored)
        with pytest.raises(LedgerRestored):
            await paying.graph.ainvoke(APPROVED, config)
        command = [sys.executable, "-m", "daybook", "--domain", "paying:ledger", "reconcile"]
        compared = await asyncio.create_subprocess_exec(*command, "--apply", cwd=tmp_path)
        # The answer was lost, and what it bought is there: a person has to look at it.
        assert await compared.wait() == 1
        async with paying.ledger:
            with pytest.raises(EffectNotDone):
                await paying.graph.ainvoke(APPROVED, config)
    assert len(json.loads((tmp_path / "bank.json").read_text())) == 1


async def test_a_promoted_replica_is_another_ledger_but_where_it_lacks_nothing(url: str):
    options: Any = {"tenant_id": "default", "stored_types": ()}
    async with open_postgres(url, **options) as postgres:
        await postgres.cluster.check()
    with psycopg.connect(url, autocommit=True) as conn:
        # As after a promotion: the log goes on under another timeline.
        conn.execute("update cluster set timeline = '00000000', written_in = pg_current_xact_id()")
    async with open_postgres(url, **options) as postgres:
        with pytest.raises(LedgerRestored):
            await postgres.cluster.check()
    async with open_postgres(url, ignores_timeline=True, **options) as postgres:
        await postgres.cluster.check()
