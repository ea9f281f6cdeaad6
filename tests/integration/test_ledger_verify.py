"""`daybook ledger verify`: what was changed behind the ledger's back is told, thread by thread."""

import io

import psycopg
import pytest

from daybook.app.ledger.listing import rebuild, verify
from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import Settings
from daybook.state.errors import DaybookError
from tests.ledger.book import claims, opened, someone
from tests.purchases import shop_database
from tests.unit.paper import ORDER, RESERVE


async def tampered(url: str, statement: str) -> None:
    """Change something as the owner, behind the triggers and the foreign keys."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as owner:
        await owner.execute("set session_replication_role = replica")
        await owner.execute(statement)


async def two_threads(postgres: Postgres) -> None:
    await opened(postgres.ledger, someone("ada", "t-ada"), RESERVE, ORDER)
    await opened(postgres.ledger, someone("bea", "t-bea"), ORDER)


async def test_what_verifies_is_said_in_one_line(
    postgres: Postgres, settings: Settings, postgres_url: str, capsys
):
    assert await verify(settings, None)
    assert capsys.readouterr().out == "0 threads, 0 entries: every chain verifies.\n"
    await two_threads(postgres)
    assert await verify(settings, None)
    assert capsys.readouterr().out == "2 threads, 7 entries: every chain verifies.\n"
    await tampered(postgres_url, "delete from ledger_payload")
    assert await verify(settings, None), "what was erased for a person is no fault"


@pytest.mark.parametrize(
    ("tampering", "told"),
    [
        ("update ledger_event set author = 'eve' where seq = 4", "entry 4: the entry was changed"),
        ("delete from ledger_event where seq = 4", "entries are missing at the end"),
        ("delete from ledger_event", "entries are missing at the end"),
        ("update ledger_payload set body = '{}' where seq = 2", "entry 2: the payload was changed"),
        ("update thread_head set open_plan = null", "its head names the open plan None"),
        ("delete from thread", "its row in the table thread is missing"),
        ("delete from open_step", "the work list must have op/"),
        ("update open_step set state = 'unknown'", "the work list must have op/"),
        ("update open_step set due_at = now()", "the work list must have op/"),
        ("update open_step set plan_id = 'nobodys'", "the work list has op/"),
    ],
)
async def test_what_was_changed_is_told_of_its_thread(
    postgres: Postgres, settings: Settings, postgres_url: str, capsys, tampering: str, told: str
):
    await two_threads(postgres)
    begin, where, condition = tampering.partition(" where ")
    mine = " where thread_id = 't-ada'" + (f" and {condition}" if where else "")
    await tampered(postgres_url, begin + mine)
    assert not await verify(settings, None)
    line, summary = capsys.readouterr().out.splitlines()
    assert line.startswith("thread t-ada: ")
    assert told in line
    assert summary == "1 of 2 threads does not verify."


async def test_a_thread_without_a_head_is_told(
    postgres: Postgres, settings: Settings, postgres_url: str, capsys
):
    await tampered(
        postgres_url,
        "insert into thread (thread_id, tenant_id, user_id) values ('t-new', 'default', 'ada')",
    )
    assert not await verify(settings, None)
    assert "thread t-new: its row in the table thread_head is missing" in capsys.readouterr().out


async def test_entries_whose_thread_and_head_are_gone_are_found(
    postgres: Postgres, settings: Settings, postgres_url: str, capsys
):
    await two_threads(postgres)
    await tampered(postgres_url, "delete from thread")
    await tampered(postgres_url, "delete from thread_head")
    assert not await verify(settings, None)
    assert "2 of 2 threads do not verify." in capsys.readouterr().out


async def test_another_tenants_broken_chain_is_not_ours_to_tell(
    postgres: Postgres, settings: Settings, postgres_url: str, capsys
):
    await two_threads(postgres)
    async with shop_database(postgres_url, "other") as other:
        await opened(other.ledger, someone("eve", "t-eve", tenant="other"), ORDER)
    await tampered(postgres_url, "update ledger_event set author = 'x' where thread_id = 't-eve'")
    assert await verify(settings, None)
    assert "2 threads" in capsys.readouterr().out
    with pytest.raises(DaybookError, match="no ledger of a thread t-eve"):
        await verify(settings, "t-eve")


async def test_one_thread_is_checked_alone(
    postgres: Postgres, settings: Settings, postgres_url: str, capsys
):
    await two_threads(postgres)
    await tampered(postgres_url, "update ledger_event set author = 'x' where thread_id = 't-ada'")
    assert await verify(settings, "t-bea")
    assert capsys.readouterr().out == "1 thread, 3 entries: every chain verifies.\n"
    assert not await verify(settings, "t-ada")
    with pytest.raises(DaybookError, match="no ledger of a thread nobodys"):
        await verify(settings, "nobodys")


async def test_the_work_list_can_be_written_anew_from_the_entries(
    postgres: Postgres, settings: Settings, postgres_url: str, capsys
):
    await two_threads(postgres)
    for tampering in (
        "delete from open_step",
        "update open_step set state = 'unknown', due_at = now()",
        "update open_step set plan_id = 'nobodys' where op like '%order%'",
    ):
        await tampered(postgres_url, tampering)
        assert not await verify(settings, None)
        await rebuild(settings, None)
        assert "2 threads had another work list" in capsys.readouterr().out
        assert await verify(settings, None)
    await rebuild(settings, None)
    assert "0 threads had another work list" in capsys.readouterr().out


async def heads_of(settings: Settings) -> str:
    """Return what an operator keeps of the ledger."""
    kept = io.StringIO()
    assert await verify(settings, None, heads=kept)
    return kept.getvalue()


ALL_TABLES = ("ledger_event", "ledger_payload", "open_step", "thread_head", "thread")


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        (ALL_TABLES, "1 thread began a ledger here and left no row in any table"),
        (ALL_TABLES[:4], "thread t-ada: "),
        (("thread_head",), "thread t-ada: "),
    ],
)
async def test_a_thread_whose_rows_are_gone_is_missed(
    postgres: Postgres, settings: Settings, postgres_url: str, capsys, spoilt, told: str
):
    await two_threads(postgres)
    kept = await heads_of(settings)
    for table in spoilt:
        await tampered(postgres_url, f"delete from {table} where thread_id = 't-ada'")
    capsys.readouterr()
    assert not await verify(settings, None)
    assert told in capsys.readouterr().out
    assert await verify(settings, "t-bea")
    assert not await verify(settings, None, against=kept.splitlines())
    out = capsys.readouterr().out
    assert ("thread t-ada: entry 4 is gone" in out) is ("ledger_event" in spoilt)
    assert "t-bea" not in out


async def test_a_chain_that_was_written_anew_is_seen_by_heads_that_were_kept_alone(
    postgres: Postgres, settings: Settings, postgres_url: str, capsys
):
    bea = someone("bea", "t-bea")
    plan_id = await opened(postgres.ledger, bea, ORDER)
    await opened(postgres.ledger, someone("ada", "t-ada"), RESERVE, ORDER)
    kept = await heads_of(settings)
    assert len(kept.splitlines()) == 2
    await claims(postgres.ledger, bea, plan_id, "order")
    assert await verify(settings, None, against=kept.splitlines()), "a ledger grows"
    for table in ALL_TABLES:
        await tampered(postgres_url, f"delete from {table} where thread_id = 't-ada'")
    await tampered(postgres_url, "update ledger_total set threads = threads - 1")
    await opened(postgres.ledger, someone("ada", "t-ada"), RESERVE)
    assert await verify(settings, None), "who owns the database can write all of it anew"
    capsys.readouterr()
    newest = io.StringIO()
    assert not await verify(settings, None, against=kept.splitlines(), heads=newest)
    assert capsys.readouterr().out.startswith("thread t-ada: entry 4 ")
    assert newest.getvalue() == "", "what does not hold is not kept"


async def test_a_count_of_threads_that_was_changed_is_told(
    postgres: Postgres, settings: Settings, postgres_url: str
):
    await two_threads(postgres)
    for tampering in ("update ledger_total set threads = 7", "delete from ledger_total"):
        await tampered(postgres_url, tampering)
        assert not await verify(settings, None)


@pytest.mark.parametrize("line", ["no json", "[]", '{"thread_id": "t-ada"}'])
async def test_what_is_no_head_is_refused_before_anything_is_checked(
    settings: Settings, capsys, line: str
):
    with pytest.raises(DaybookError, match="nothing was checked"):
        await verify(settings, None, against=[line])
    assert capsys.readouterr().out == ""
