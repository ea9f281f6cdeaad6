"""Threads that an earlier release stored are taken up by this one.

A field that was renamed without an upgrade step, or a migration that forgets rows, is noticed here.
"""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from daybook.checkpoints import migrate as migrating
from daybook.checkpoints.migrate import migrate
from daybook.checkpoints.postgres import open_postgres
from daybook.state.ledger.recovery import StepState
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation, answer_of
from tests.databases import database
from tests.purchases import PURCHASE, bought, entries
from tests.scripted import last_result
from tests.stored_threads import FIXTURES, Stored, restore, stored

RELEASES = sorted(
    folder.name for folder in FIXTURES.iterdir() if (folder / "a_waiting_thread.json").exists()
)


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest) -> Path:
    """Return the folder of a release's threads."""
    return FIXTURES / str(request.param)


@pytest.fixture
def empty_url(server_url: str) -> Iterator[str]:
    """Yield an empty database of this test's own."""
    with database(server_url) as url:
        yield url


async def left_as_then(url: str, thread: Stored, monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore a thread into an empty database, as it was when the thread was stored."""
    everything = migrating._scripts()
    of_then = [(name, script) for name, script in everything if name in thread["migrations"]]
    with monkeypatch.context() as then:
        then.setattr(migrating, "_scripts", lambda: of_then)
        await migrate(url)
    await restore(url, thread)


@asynccontextmanager
async def taken_up(
    url: str, thread: Stored, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Agent, Conversation]]:
    """Restore a thread into a database as its release left it, and open that with this release."""
    await left_as_then(url, thread, monkeypatch)
    async with (
        open_postgres(url, tenant_id="default", stored_types=SHOP.restored_types) as postgres,
        shop_agent(postgres, shop) as agent,
    ):
        yield agent, Conversation(agent.graph, "ada", thread["thread_id"])


def read(release: Path, name: str) -> Stored:
    thread: dict[str, Any] = json.loads((release / f"{name}.json").read_text())
    return thread


async def test_a_waiting_plan_is_approved_and_carried_out(empty_url, release, shop, monkeypatch):
    thread = read(release, "a_waiting_thread")
    async with taken_up(empty_url, thread, shop, monkeypatch) as (agent, talk):
        (question,) = (await talk.state()).interrupts
        assert question.value["plan"][0]["title"] == "Check out for 98.90 USD"
        agent.model.then(last_result)
        done = await talk.approve()
        assert done.values["flow"] == "ordered"
        assert shop.happened() == PURCHASE
        assert len(await entries(agent, talk)) > len(thread["tables"]["ledger_event"])


async def test_a_waiting_plan_is_rejected(empty_url, release, shop, monkeypatch):
    thread = read(release, "a_waiting_thread")
    async with taken_up(empty_url, thread, shop, monkeypatch) as (agent, talk):
        agent.model.then(last_result)
        done = await talk.answer({"type": "reject", "message": "too dear"})
        assert "too dear" in answer_of(done)
        assert shop.happened() == []
        assert await entries(agent, talk)


async def test_a_finished_thread_is_read_as_it_ended_and_goes_on(
    empty_url, release, shop, monkeypatch
):
    thread = read(release, "a_finished_thread")
    async with taken_up(empty_url, thread, shop, monkeypatch) as (agent, talk):
        before = (await talk.state()).values
        assert [order.status for order in before["checkout"].orders] == ["cancelled"]
        assert before["cart"].lines == ()
        plans = await agent.resources.postgres.ledger.ended_plans(talk.thread_id, after=0)
        assert [[action.tool for action in plan.actions] for plan in plans] == [
            ["checkout"],
            ["cancel_order"],
        ]
        assert all(plan.succeeded and plan.is_bound for plan in plans)
        assert {step.state for plan in plans for step in plan.steps} == {StepState.DONE}
        assert all(step.result for plan in plans for step in plan.steps if step.name != "mail")
        agent.model.then([("add_to_cart", {"sku": "BOOT-002"})], [("checkout", {})], last_result)
        await talk.say("buy BOOT-002 then")
        done = await talk.approve()
        assert len(done.values["checkout"].orders) == 2
        assert shop.happened() == PURCHASE
        # What was said and found before is still before the model's eyes.
        seen = "\n".join(message.text for message in agent.model.prompts[-1])
        assert "are there wool socks?" in seen
        assert "SOCK-" in seen
        assert await entries(agent, talk)


async def test_what_is_restored_is_what_was_stored(agent, postgres_url, server_url, template):
    talk = await bought(agent)
    thread = await stored(postgres_url, talk.thread_id)
    with database(server_url, template) as other:
        await restore(other, json.loads(json.dumps(thread)))
        assert await stored(other, talk.thread_id) == thread
