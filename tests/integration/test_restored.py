"""A ledger that went back in time sends nothing until somebody has compared it with the world."""

import asyncio
import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import timedelta
from glob import glob
from pathlib import Path
from typing import Any, TypedDict

import psycopg
import pytest
from langgraph.graph import START, StateGraph

from daybook import Call, NotSent
from daybook.app.conversations.terminal import Terminal
from daybook.app.ledger.reconcile import reconcile
from daybook.checkpoints.embedded.postgres import _find_install, embedded_postgres
from daybook.checkpoints.postgres import open_postgres
from daybook.errors import EffectNotDone, EffectUnsettled, LedgerRestored
from daybook.graph.settings.environment import settings_from
from tests.cases import test_cases
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


async def state_of(bank: Bank, config: Any, *, goes_on: bool = True, given: Any = None) -> Any:
    async def node(state: Told) -> Any:
        return {"told": await bank.pay("bob")}

    graph: Any = StateGraph(Told).add_node(node).add_edge(START, "node")
    compiled = graph.compile(checkpointer=bank.ledger.saver)
    return await compiled.ainvoke(given if goes_on else {}, config)


async def pay(bank: Bank, config: Any, *, goes_on: bool = False) -> Any:
    return (await state_of(bank, config, goes_on=goes_on))["told"]


async def settled(bank: Bank, config: Any, *, begins: bool = False) -> Any:
    """Go on until it is not to be tried again later."""
    while True:
        with suppress(EffectUnsettled):
            return await pay(bank, config, goes_on=not begins)
        begins = False


async def accept(url: str) -> None:
    marks = settings_from().marks
    async with open_postgres(url, tenant_id="default", stored_types=(), marks=marks) as postgres:
        assert await postgres.cluster.is_elsewhere("agent")
        await postgres.cluster.accept("an operator")
        assert not await postgres.cluster.is_elsewhere("agent")


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


async def test_tables_emptied_by_hand_are_accepted_like_a_restored_ledger(url: str):
    bank = Bank(url, approval="never")
    async with bank.ledger:
        assert await pay(bank, fresh()) == "paid bob"
    with psycopg.connect(url) as conn:
        [[tables]] = conn.execute(TABLES + " and tablename not like '%migration%'").fetchall()
        conn.execute("set session_replication_role = replica")
        conn.execute(f"truncate {tables}")
    with pytest.raises(LedgerRestored, match="daybook reconcile"):
        async with bank.ledger:
            await pay(bank, fresh())
    await accept(url)
    async with bank.ledger:
        assert await pay(bank, fresh()) == "paid bob"
    assert bank.paid == ["bob", "bob"]


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


async def compared(bank: Bank, url: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Run `daybook --domain ...:compared reconcile --apply` for the ledger of a bank."""
    monkeypatch.setattr(test_cases, "compared", bank.ledger, raising=False)
    domain = "tests.cases.test_cases:compared"
    settings = settings_from(os.environ | {"DATABASE_URL": url, "DAYBOOK_DOMAIN": domain})
    return await reconcile(settings, Terminal(), None, applies=True)


def restored(server_url: str, backup: Path) -> AbstractContextManager[str]:
    @contextmanager
    def into() -> Iterator[str]:
        with database(server_url) as url:
            run("pg_restore", "--exit-on-error", "--dbname", url, backup)
            yield url

    return into()


async def test_a_program_that_was_not_compared_sends_nothing(
    server_url: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    threads = {name: fresh() for name in ("billing", "shipping")}
    banks = {name: Bank(url, approval="never", name=name) for name in threads}
    for name, bank in banks.items():
        async with bank.ledger:
            await pay(bank, threads[name])
    with restored(server_url, backed_up(url, tmp_path)) as after:
        billing, shipping = (Bank(after, approval="never", name=name) for name in threads)
        assert await compared(billing, after, monkeypatch)
        billing = Bank(after, approval="never", name="billing")
        async with billing.ledger:
            assert await pay(billing, fresh()) == "paid bob"
        with pytest.raises(LedgerRestored):
            async with shipping.ledger:
                await pay(shipping, fresh())
        assert shipping.paid == []
        await compared(Bank(after, approval="never", name="shipping"), after, monkeypatch)
        async with shipping.ledger:
            assert await pay(shipping, fresh()) == "paid bob"


class Shown(Bank):
    """A bank that knows no keys, and shows what was paid under each."""

    def __init__(self, url: str, paid: list[str], **declared: Any) -> None:
        super().__init__(url)
        self.paid = paid
        declared = {"approval": "never", **declared}

        def find(call: Call) -> list[dict[str, str]]:
            return [{"id": f"{key}-1"} for key in self.paid if key == call.key]

        @self.ledger.effect(key="invoice/{to}", id="id", find=find, **declared)
        def settle(to: str, *, call: Call) -> dict[str, str]:
            self.paid.append(call.key)
            return {"id": f"{call.key}-{self.paid.count(call.key)}"}

        self.pay = settle


@pytest.mark.parametrize("keeps_keys", [timedelta(0), timedelta(milliseconds=1)])
async def test_what_the_backup_had_not_at_all_is_looked_for_before_it_is_sent(
    server_url: str,
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    keeps_keys: timedelta,
):
    paid, config = list[str](), fresh()
    declared: Any = {"idempotent_for": keeps_keys} if keeps_keys else {}
    before = Shown(url, paid, **declared)
    async with before.ledger:
        backup = backed_up(url, tmp_path)
        first = await pay(before, config)
    with restored(server_url, backup) as restored_url:
        await compared(Shown(restored_url, paid, **declared), restored_url, monkeypatch)
        after = Shown(restored_url, paid, **declared)
        async with after.ledger:
            assert await pay(after, fresh()) == first
    assert len(paid) == 1


async def test_a_process_that_was_idle_through_restore_and_comparison_looks_first_too(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    paid: list[str] = []
    idle, other = Shown(url, paid), Shown(url, paid)
    async with idle.ledger:
        backup = backed_up(url, tmp_path)
        async with other.ledger:
            first = await pay(other, fresh())
        run("pg_restore", "--exit-on-error", "--clean", "--dbname", url, backup)
        await compared(Shown(url, paid), url, monkeypatch)
        assert await settled(idle, fresh(), begins=True) == first
    assert len(paid) == 1


async def test_an_answer_that_was_lost_lets_nobody_pay_the_same_under_another_name(
    server_url: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    paid, config = list[str](), fresh()
    before = Shown(url, paid, approval="always")
    async with before.ledger:
        await state_of(before, config, goes_on=False)
        backup = backed_up(url, tmp_path)
        await state_of(before, config, given=APPROVED)
    with restored(server_url, backup) as restored_url:
        # For a person, and the question is withdrawn.
        asks = Shown(restored_url, paid, approval="always")
        assert not await compared(asks, restored_url, monkeypatch)
        after, again = Shown(restored_url, paid, approval="always"), fresh()
        async with after.ledger:
            await state_of(after, again, goes_on=False)
            assert (await state_of(after, again, given=APPROVED))["told"] == {"id": f"{paid[0]}-1"}
    assert len(paid) == 1


async def test_each_tenant_of_a_superuser_is_compared_by_itself(
    server_url: str, url: str, tmp_path: Path
):
    tenants: Any = [{"tenant_id": name, "stored_types": ()} for name in ("one", "two")]
    for options in tenants:
        async with open_postgres(url, **options) as postgres:
            await postgres.cluster.check("agent")
    with restored(server_url, backed_up(url, tmp_path)) as restored_url:
        async with (
            open_postgres(restored_url, **tenants[0]) as first,
            open_postgres(restored_url, **tenants[1]) as second,
        ):
            await first.cluster.accept("an operator")
            await first.cluster.check("agent")
            with pytest.raises(LedgerRestored):
                await second.cluster.check("agent")


async def test_accepting_helps_where_the_servers_clock_went_back(url: str, tmp_path: Path):
    options: Any = {"tenant_id": "default", "stored_types": (), "marks": tmp_path}
    about = "t", 1, b"hash", "agent"
    async with open_postgres(url, **options) as postgres:
        with psycopg.connect(url, autocommit=True) as conn:
            conn.execute(
                "update cluster set accepted_at = accepted_at + interval '1 day', "
                "written_in = pg_current_xact_id()"
            )
            [[ahead]] = conn.execute("select accepted_at::text from cluster").fetchall()
        await postgres.cluster.committed(*about, ahead)
    async with open_postgres(url, **options) as postgres:
        assert await postgres.cluster.is_elsewhere("agent"), "no such entry is there"
        await postgres.cluster.accept("an operator")
        await postgres.cluster.committed(*about, ahead)
        assert not await postgres.cluster.is_elsewhere("agent")


class Away(Bank):
    """A bank that cannot be reached at first, and knows no key for longer than a second."""

    def __init__(self, url: str, is_away: bool, **declared: Any) -> None:
        super().__init__(url, approval="never")
        self.is_away = is_away

        @self.ledger.effect(approval="never", **declared)
        def charge(to: str) -> str:
            if self.is_away:
                raise NotSent("the line is down")
            self.paid.append(to)
            return f"paid {to}"

        self.pay = charge


@pytest.mark.parametrize("keeps_keys", [timedelta(0), timedelta(milliseconds=1), timedelta(days=1)])
async def test_what_was_not_sent_at_the_backup_may_have_been_sent_since(
    server_url: str,
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    keeps_keys: timedelta,
):
    declared: Any = {"key": "invoice/{to}", "idempotent_for": keeps_keys} if keeps_keys else {}
    before, config = Away(url, True, **declared), fresh()
    async with before.ledger:
        with pytest.raises(EffectUnsettled):
            await pay(before, config)
        backup = backed_up(url, tmp_path)
        before.is_away = False
        assert await settled(before, config) == "paid bob"
    with restored(server_url, backup) as restored_url:
        after = Away(restored_url, False, **declared)
        await compared(after, restored_url, monkeypatch)
        after = Away(restored_url, False, **declared)
        async with after.ledger:
            if keeps_keys > timedelta(hours=1):
                # Sent again under its key it is recognised.
                assert await settled(after, config) == "paid bob"
                return
            assert "__interrupt__" in await state_of(after, config)
        assert after.paid == [], "a person is asked first"


async def test_a_server_whose_files_were_put_back_is_not_sent_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    home, copy = tmp_path / "server", tmp_path / "copy"
    monkeypatch.setenv("DAYBOOK_HOME", str(tmp_path / "host"))

    async def paid(url: str, name: str = "billing") -> Any:
        bank = Bank(url, approval="never", name=name)
        async with bank.ledger:
            return await pay(bank, fresh())

    with embedded_postgres(home) as server:
        assert await paid(server.url) == await paid(server.url, "shipping") == "paid bob"
    shutil.copytree(home, copy, symlinks=True, ignore=shutil.ignore_patterns("*.lock", "*.sock"))
    with embedded_postgres(home) as server:
        assert await paid(server.url) == await paid(server.url, "shipping") == "paid bob"
    shutil.rmtree(home)
    copy.rename(home)
    with embedded_postgres(home) as server:
        with pytest.raises(LedgerRestored):
            await paid(server.url)
        await compared(Bank(server.url, name="billing"), server.url, monkeypatch)
        assert await paid(server.url) == "paid bob"
        with pytest.raises(LedgerRestored):
            await paid(server.url, "shipping")
        await compared(Bank(server.url, name="shipping"), server.url, monkeypatch)
        assert await paid(server.url, "shipping") == "paid bob"


PROGRAM = """
import json
from datetime import timedelta
from glob import glob
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
        await postgres.cluster.check("agent")
    with psycopg.connect(url, autocommit=True) as conn:
        # As after a promotion: the log goes on under another timeline.
        conn.execute("update cluster set timeline = '00000000', written_in = pg_current_xact_id()")
    async with open_postgres(url, **options) as postgres:
        with pytest.raises(LedgerRestored):
            await postgres.cluster.check("agent")
    async with open_postgres(url, ignores_timeline=True, **options) as postgres:
        await postgres.cluster.check("agent")


async def test_a_process_sees_what_another_one_of_its_host_has_kept(url: str, tmp_path: Path):
    options: Any = {"tenant_id": "default", "stored_types": (), "marks": tmp_path}
    async with open_postgres(url, **options) as idle, open_postgres(url, **options) as other:
        with psycopg.connect(url, autocommit=True) as conn:
            [[accepted_at]] = conn.execute("select accepted_at::text from cluster").fetchall()
        # It is committed, and then the files of the server are put back.
        await other.cluster.committed("t", 1, b"hash", "agent", accepted_at)
        idle.cluster._read_at = None
        await idle.cluster.read_marks()
        assert await idle.cluster.is_elsewhere("agent")
        # Whatever else is in the folder.
        [kept] = map(Path, glob(f"{tmp_path}/*"))
        for wrong in ("", "[]", '{"program": "agent", "seq": "x"}'):
            kept.write_text(wrong)
            idle.cluster._read_at = None
            await idle.cluster.read_marks()
            assert not await idle.cluster.is_elsewhere("agent")
