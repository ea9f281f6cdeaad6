"""`daybook ledger`: what was changed behind its back, what is not settled, and what went wrong."""

import io
import json
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from daybook.app.ledger.listing import (
    listed,
    print_failed,
    print_steps,
    print_unsettled,
    rebuild,
    verify,
)
from daybook.checkpoints.ledger.steps import Failed
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import Settings
from daybook.state.errors import DaybookError
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.work_list import Awaited
from daybook.testing.model import last_result
from evals.protocol.parts import CHARGE, ORDER, RESERVE
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.ledger.book import an_operation, claims, happens, opened, someone
from tests.purchases import (
    SHORT,
    agent_of,
    asked_to_buy,
    bought,
    entries,
    rebuilt,
    shop_database,
    with_boots,
)


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
        ("delete from ledger_event where seq = 4", "the last entries are missing"),
        ("delete from ledger_event", "the last entries are missing"),
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
    with pytest.raises(DaybookError, match="No ledger of thread t-eve"):
        await verify(settings, "t-eve")


async def test_one_thread_is_checked_alone(
    postgres: Postgres, settings: Settings, postgres_url: str, capsys
):
    await two_threads(postgres)
    await tampered(postgres_url, "update ledger_event set author = 'x' where thread_id = 't-ada'")
    assert await verify(settings, "t-bea")
    assert capsys.readouterr().out == "1 thread, 3 entries: every chain verifies.\n"
    assert not await verify(settings, "t-ada")
    with pytest.raises(DaybookError, match="No ledger of thread nobodys"):
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
        assert "2 threads had a work list" in capsys.readouterr().out
        assert await verify(settings, None)
    await rebuild(settings, None)
    assert "0 threads had a work list" in capsys.readouterr().out


async def heads_of(settings: Settings) -> str:
    """Return what an operator keeps of the ledger."""
    kept = io.StringIO()
    assert await verify(settings, None, heads=kept)
    return kept.getvalue()


ALL_TABLES = ("ledger_event", "ledger_payload", "open_step", "thread_head", "thread")


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        (ALL_TABLES, "1 thread had a ledger here, but no table has a row of it"),
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
    assert ("thread t-ada: entry 4 is missing" in out) is ("ledger_event" in spoilt)
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


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        "[" * 100_000,
        '{"thread_id": "t-ada"}',
        '{"thread_id": 5, "seq": 1, "hash": "00"}',
        '{"thread_id": "t", "seq": "x", "hash": "00"}',
        '{"thread_id": "\\u0000", "seq": 1, "hash": "00"}',
        '{"thread_id": "\\ud800", "seq": 1, "hash": "00"}',
    ],
    ids=range(8),
)
async def test_what_is_no_head_is_refused_before_anything_is_checked(
    settings: Settings, capsys, line: str
):
    with pytest.raises(DaybookError, match="othing was checked"):
        await verify(settings, None, against=[line])
    assert capsys.readouterr().out == ""


MAIL = ("send_email", {"subject": "Hello", "body": "As you asked."})


async def failures(postgres: Postgres, talk: Conversation | None = None) -> list[Failed]:
    """Return what failed, the newest first."""
    found = await postgres.steps.failed(talk.thread_id if talk else None, 100)
    assert not found.has_more
    return found.steps


def told(found: list[Failed]) -> list[tuple[str, str, str | None]]:
    """Say what became of which tool and why, in the order of the ledger."""
    return [(one.cause or one.event, one.tool, one.reason) for one in reversed(found)]


async def a_decline(agent: Agent) -> Conversation:
    """Let a purchase fail at a card that is declined."""
    talk = await asked_to_buy(agent, "dan")
    await talk.approve()
    return talk


async def a_mail_in_doubt(agent: Agent, shop: Shop) -> Conversation:
    """Bring a mail to the question whether it happened."""
    talk = Conversation(agent.graph)
    agent.model.then([MAIL], last_result)
    await talk.say("mail me")
    shop.fault("mail", "drop")
    await talk.approve()
    return talk


async def test_a_decline_is_listed_with_what_it_undid_until_its_reason_is_erased(
    agent: Agent, postgres: Postgres, settings: Settings, capsys
):
    await bought(agent)
    talk = await a_decline(agent)
    found = await failures(postgres)
    declined = "The card was declined."
    assert told(found) == [
        ("declined", "charge_payment", declined),
        ("cancelled", "place_order", declined),
        ("cancelled", "send_email", declined),
        ("undone", "reserve_inventory", declined),
    ]
    assert {one.thread_id for one in found} == {talk.thread_id}
    assert {one.user_id for one in found} == {"dan"}
    at = {e.event: e.at for e in await entries(agent, talk)}
    assert (found[0].at, found[-1].at) == (at[Event.UNDONE], at[Event.FAILED])

    print_steps(await listed(settings, None, 3, failed=True), as_json=True)
    out, err = capsys.readouterr()
    assert len(json.loads(out)) == 3
    assert "Only 3 are listed" in err
    print_steps(await listed(settings, None, 4, failed=True), as_json=True)
    out, err = capsys.readouterr()
    assert (len(json.loads(out)), err) == (4, "")

    async with open_eraser(postgres) as eraser:
        await eraser.erase(talk.thread_id, everything)
    found = await failures(postgres, talk)
    assert {(one.reason, one.is_erased) for one in found} == {(None, True)}
    assert found[-1].cause == "declined"
    for one in found:
        print_failed(one)
    out = capsys.readouterr().out
    assert out.count("the reason was erased") == len(found)
    assert "card was" not in out


async def test_a_mail_in_doubt_is_open_until_a_person_says_what_happened(postgres, shop):
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await a_mail_in_doubt(agent, shop)
        (mail,) = (await postgres.steps.unsettled(None, 100)).steps
        doubted = next(e for e in await entries(agent, talk) if e.event is Event.IN_DOUBT)
        assert (mail.thread_id, mail.tool, mail.state) == (talk.thread_id, MAIL[0], "in_doubt")
        assert (mail.since, mail.waits_for) == (doubted.at, Awaited.WORD)
        assert mail.reason is not None
        assert mail.reason.startswith("no key and no conclusive lookup; the last attempt said: ")
        (before,) = await failures(postgres)
        assert (before.event, before.reason, before.then) == ("in_doubt", mail.reason, None)
        await talk.answer({"type": "respond", "message": "it happened"})
        assert (await postgres.steps.unsettled(None, 100)).steps == []
        (after,) = await failures(postgres)
        assert after.then is not None
        assert (after.then.event, after.then.author) == ("happened", "ada")
        assert replace(after, then=None) == before


async def test_a_question_waits_for_approval_until_it_is_overtaken_rejected_or_expires(
    agent: Agent, postgres: Postgres
):
    talk = await asked_to_buy(agent)
    found = (await postgres.steps.unsettled(None, 100)).steps
    assert {one.waits_for for one in found} == {Awaited.APPROVAL}
    assert {one.state for one in found} == {"intended"}
    at = {e.step_id: e.at for e in await entries(agent, talk) if e.event is Event.INTENDED}
    assert {one.step_id: one.since for one in found} == at
    agent.model.script.clear()
    await talk.happens("click-1", type="remove", sku="BOOT-001")
    found = await failures(postgres, talk)
    assert [(one.event, one.author) for one in found] == [("superseded", "ada")] * 4
    assert not any(one.is_erased for one in found)

    rejected = await asked_to_buy(agent)
    await rejected.answer({"type": "reject", "message": "too dear"})
    found = await failures(postgres, rejected)
    assert {(one.event, one.author, one.reason) for one in found} == {
        ("rejected", "ada", "too dear")
    }

    soon = replace(agent.resources.patience, question=timedelta(0))
    impatient = rebuilt(agent, patience=soon)
    late = await with_boots(impatient)
    agent.model.then([("checkout", {})], last_result)
    await late.say("check out")
    await late.run({"events": []})
    found = await failures(postgres, late)
    assert [one.event for one in found] == ["expired"] * 4
    assert (await postgres.steps.unsettled(None, 100)).steps == []


async def test_an_undo_that_is_stuck_is_open_with_its_reason(postgres: Postgres, capsys):
    ada = someone()
    plan = await opened(postgres.ledger, ada, RESERVE, CHARGE, ORDER, op=an_operation())
    async with postgres.ledger.page(ada, plan) as page:
        at = {"deadline_at": page.now, "settle_at": page.now}
    for event, more in (
        (Event.ATTEMPTED, {"attempt": 1, **at}),
        (Event.ACKNOWLEDGED, {"attempt": 1, "payload": {"result": {}}}),
        (Event.UNDO_ATTEMPTED, {"attempt": 1, **at}),
        (Event.UNDO_STUCK, {"payload": {"reason": "It was\u001b[2J sold."}}),
    ):
        await happens(postgres.ledger, ada, plan, "reserve", event, **more)
    stuck = next(
        s for s in (await postgres.steps.unsettled(None, 100)).steps if s.tool == "reserve"
    )
    assert (stuck.state, stuck.waits_for) == (StepState.STUCK, Awaited.WORD)
    assert stuck.reason == "It was\u001b[2J sold."
    assert [(f.event, f.reason) for f in await failures(postgres)] == [
        ("undo_stuck", "It was\u001b[2J sold.")
    ]
    print_unsettled(stuck)
    assert "\u001b" not in capsys.readouterr().out, "others' words move no cursor"
