"""Tools that are switched off or limited while a plan is under way: each claim obeys."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from langgraph.types import StateSnapshot
from psycopg import OperationalError

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.page import Page
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.state.clock import SYSTEM
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.people.rules import Limit
from daybook.state.session import Session
from daybook.testing.model import last_result
from tests.answers import MAIL
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, outcomes_of, receipt_of
from tests.cuts import Cut, cut_at
from tests.integration.test_tool_rules import HOURLY, limited, off, on
from tests.purchases import (
    LONG,
    PATIENCE,
    PURCHASE,
    SHORT,
    agent_of,
    all_is_settled,
    asked_to_buy,
    bought,
    events,
    rebuilt,
    still_held,
    successor,
)

NOTHING_NEW = {"events": []}
"""Take up what was parked, as a chat does when it is opened again."""


@pytest.fixture
async def agent(postgres: Postgres, shop: Shop) -> AsyncIterator[Agent]:
    """Yield an agent that parks what it would have to wait for."""
    async with agent_of(postgres, shop, LONG) as agent:
        yield rebuilt(agent, node_seconds=0.5)


# ---- off before anything of the step was sent -------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "op", "happened", "undone"),
    [
        ("charge_payment", "/charge", ["reserve", "release"], "Undone: reserve BOOT-001."),
        (
            "place_order",
            "/place_order",
            ["reserve", "charge", "refund", "release"],
            "Undone: reserve BOOT-001, charge.",
        ),
    ],
)
async def test_a_tool_that_is_off_when_its_step_is_due_gives_back_what_was_done_before(
    agent: Agent, shop: Shop, tool: str, op: str, happened: list[str], undone: str
):
    talk = await asked_to_buy(agent)
    await off(agent, tool)
    done = await talk.approve()
    assert shop.happened() == happened
    assert answer_of(done) == (
        f"checkout failed: The tool {tool} is switched off by the operator: fraud wave. {undone}"
    )
    assert await events(agent, talk, op) == [Event.INTENDED, Event.SUPERSEDED]
    assert done.values["flow"] == "shopping"
    await all_is_settled(agent, talk, shop)


async def test_a_mail_that_is_off_is_not_sent_and_leaves_an_order_standing(agent, shop):
    alone = Conversation(agent.graph)
    agent.model.then([MAIL], last_result)
    await alone.say("mail me")
    await off(agent, "send_email")
    done = await alone.approve()
    assert "send_email is switched off by the operator: fraud wave" in answer_of(done)
    assert shop.happened() == []
    await on(agent, "send_email")
    talk = await asked_to_buy(agent)
    await off(agent, "send_email")
    done = await talk.approve()
    assert shop.happened() == PURCHASE[:3]
    assert "but no confirmation mail was sent" in answer_of(done)
    assert done.values["flow"] == "ordered"
    await all_is_settled(agent, talk, shop)


async def test_an_order_that_was_cancelled_is_not_left_without_its_refund(agent: Agent, shop: Shop):
    talk = await bought(agent)
    (order,) = shop.http.get("/orders", params={"user_id": "ada"}).json()["orders"]
    agent.model.then([("cancel_order", {"order_id": order["order_id"]})], last_result)
    await talk.say("cancel it")
    await off(agent, "refund_payment")
    left = await talk.approve()
    assert shop.happened() == [*PURCHASE, "cancel"]
    assert "refund_payment is switched off by the operator: fraud wave." in receipt_of(left)
    await on(agent, "refund_payment")
    done = await talk.run(NOTHING_NEW)
    assert shop.happened() == [*PURCHASE, "cancel", "refund"]
    assert "98.90 USD refunded" in answer_of(done)
    await all_is_settled(agent, talk, shop)


# ---- off when something may have been sent ----------------------------------------------------


async def test_an_unknown_step_is_not_sent_again_while_its_tool_is_off_and_settles_once_on(
    postgres: Postgres, shop: Shop
):
    shop.keys(honour=False)
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await asked_to_buy(agent)
        with cut_at("before_request:charge_payment"):
            await talk.approve()
        await off(agent, "charge_payment")
        quick = rebuilt(agent, node_seconds=3)
        later = Conversation(quick.graph, thread=talk.thread_id)
        left = await later.run(None)
        assert "charge_payment is switched off by the operator: fraud wave." in receipt_of(left)
        charge = await events(agent, talk, "/charge")
        assert charge.count(Event.ATTEMPTED) == 1
        assert charge.count(Event.ABSENT) > 1, "it is looked for, again and again"
        await on(agent, "charge_payment")
        done = await later.run(NOTHING_NEW)
        assert shop.happened() == PURCHASE
        assert "order DB-" in answer_of(done)
        await all_is_settled(agent, talk, shop)


# ---- off when something is to be given back ---------------------------------------------------


async def test_an_undo_that_is_off_waits_until_it_is_on_and_then_gives_back_once(agent, shop):
    talk = await asked_to_buy(agent)
    await off(agent, "release_inventory", "the books are closed")
    await off(agent, "place_order")
    left = await talk.approve()
    assert shop.happened() == ["reserve", "charge", "refund"]
    assert len(still_held(shop)) == 1
    told = "release_inventory is switched off by the operator: the books are closed."
    assert told in receipt_of(left)
    await on(agent, "release_inventory")
    done = await talk.run(NOTHING_NEW)
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    assert "Undone: reserve BOOT-001, charge." in answer_of(done)
    await all_is_settled(agent, talk, shop)


# ---- limits ----------------------------------------------------------------------------------


async def both_asked(one: Agent, other: Agent) -> list[Conversation]:
    """Bring a purchase in each of two threads to the question for approval."""
    talks = []
    for agent, user in ((one, "ada"), (other, "esme")):
        one.model.script.clear()
        talks.append(await asked_to_buy(agent, user))
    one.model.then(last_result)
    return talks


async def approved_at_once(*talks: Conversation) -> list[StateSnapshot]:
    """Approve in several threads at the same time; return where each stands."""
    return await asyncio.gather(*(talk.approve() for talk in talks))


def is_ordered(done: StateSnapshot) -> bool:
    """Tell whether a receipt of the thread states an order."""
    return ("place_order", "done") in outcomes_of(done)


async def test_of_two_threads_that_race_for_the_last_token_one_claims_and_one_parks(
    agent: Agent, shop: Shop, postgres_url: str
):
    async with successor(agent, postgres_url) as other:
        talks = await both_asked(agent, other)
        await limited(agent, "charge_payment", HOURLY)
        ended = await approved_at_once(*talks)
        assert shop.happened().count("charge") == 1
        (parked,) = [done for done in ended if not is_ordered(done)]
        assert "charge_payment was called too often (1 in 3600 s at most)" in receipt_of(parked)
        claims = [await events(agent, talk, "/charge") for talk in talks]
        assert sorted(events.count(Event.ATTEMPTED) for events in claims) == [0, 1]
        await limited(agent, "charge_payment", None)
        for talk in talks:
            await talk.run(NOTHING_NEW)
        for talk in talks:
            await all_is_settled(agent, talk, shop)
    assert shop.happened().count("order") == 2


class DyingLedger(Ledger):
    """A ledger whose process dies in the claim of a tool, just before it is committed."""

    def __init__(self, postgres: Postgres, tool: str) -> None:
        super().__init__(postgres.pool, cluster=postgres.cluster, unstored=postgres.unstored)
        self._tool = tool

    @asynccontextmanager
    async def page(
        self,
        session: Session,
        plan_id: str | None = None,
        tool: str | None = None,
        known: Plan | None = None,
        *,
        is_step: bool = False,
    ) -> AsyncIterator[Page]:
        async with super().page(session, plan_id, tool, known, is_step=is_step) as page:
            yield page
            if tool == self._tool:
                raise Cut


async def test_a_claim_that_is_rolled_back_gives_its_token_back(agent, postgres, shop):
    talk = await asked_to_buy(agent)
    await limited(agent, "charge_payment", HOURLY)
    living, postgres.ledger = postgres.ledger, DyingLedger(postgres, "charge_payment")
    with pytest.raises(Cut):
        await talk.approve()
    postgres.ledger = living
    bucket = (await postgres.rules.all())["charge_payment"].bucket
    assert bucket is not None
    assert bucket.tokens == 1
    await talk.run(None)
    assert shop.happened() == PURCHASE


# ---- a process that is suspended within a claim -----------------------------------------------


async def test_a_claim_that_is_never_finished_gives_its_rule_back(postgres, postgres_url):
    """The page was begun in a pipeline, after which Postgres keeps no limit on idle sessions."""
    mia, tom = (
        Session("default", name, name, name, "customer", "worker") for name in ("mia", "tom")
    )
    await postgres.rules.limit("charge_payment", Limit(5, 5), by="an operator")
    async with open_postgres(
        postgres_url, tenant_id="default", stored_types=(), size=1
    ) as suspended:
        async with suspended.pool.connection() as conn:
            shown = await (await conn.execute("show transaction_timeout")).fetchone()
            assert shown == {"transaction_timeout": "30s"}
            # The pool's one connection: the page gets it, and the test need not wait for so long.
            await conn.execute("set transaction_timeout = '300ms'")
        async with suspended.ledger.page(mia) as page:
            page.write(Entry(Event.RECEIVED, turn_id="t"))
        with pytest.raises(OperationalError):
            async with suspended.ledger.page(mia, None, "charge_payment") as page:
                page.write(Entry(Event.TURN_DONE, turn_id="t"))
                async with (
                    SYSTEM.timeout(PATIENCE),
                    postgres.ledger.page(tom, None, "charge_payment") as other,
                ):
                    assert other.barred is None
    entries = await postgres.ledger.entries("mia")
    assert [entry.event for entry in entries] == [Event.RECEIVED], "what was claimed is not kept"
