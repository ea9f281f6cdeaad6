"""A sender that is suspended past its deadline sends nothing when it wakes up, whatever is left."""

import asyncio
import os
import signal
import threading
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from langgraph.graph import START, MessagesState, StateGraph

from daybook import Ledger
from daybook.checkpoints.postgres import Postgres
from daybook.state.effects.guarantees import Guarantees, LateSender, Patience
from daybook.state.flow import FlowTable
from daybook.state.ledger.recovery import Event
from daybook.testing.model import last_result
from daybook.tools.domain import Domain, Prompt
from daybook.tools.kinds import write
from daybook.tools.registry import Registry
from tests.answers import APPROVE
from tests.beside import serving
from tests.cases.test_cases import fresh
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.integration.runners import Runners, answers
from tests.purchases import PURCHASE, agent_of, all_is_settled, asked_to_buy, entries, events
from tests.rooms.agent import rooms_agent
from tests.rooms.domain import order_coffee
from tests.rooms.office import Office

BUDGET = 1.0
"""Seconds that an attempt may take, the start of a sender included."""


def end_sessions_of_holders(url: str) -> None:
    """End the sessions that hold a thread, as the server does that no longer hears of them."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(
            "select pg_terminate_backend(pid) from pg_locks join pg_database on oid = database"
            " where locktype = 'advisory' and datname = current_database()"
        )


async def test_a_runner_that_is_suspended_between_claim_and_call_sends_nothing_when_it_wakes_up(
    postgres: Postgres, postgres_url: str, runners: Runners, shop: Shop
):
    shop.keys(honour=False)
    async with agent_of(postgres, shop, BUDGET) as agent:
        talk = await asked_to_buy(agent)
        errand = answers(talk.thread_id, APPROVE, budget=BUDGET)
        (sleeper,) = await runners.start(errand.stops("before_request:charge_payment"))
        await sleeper.stopped()
        assert shop.happened() == PURCHASE[:1]
        end_sessions_of_holders(postgres_url)
        done = await talk.taken_over()
        assert shop.happened() == PURCHASE
        sleeper.wake()
        await sleeper.outcome()
        await all_is_settled(agent, talk, shop)
        assert shop.happened() == PURCHASE
        assert "order DB-" in answer_of(done)
        charge = [e for e in await entries(agent, talk) if e.op and e.op.endswith("/charge")]
        assert [e.attempt for e in charge if e.event is Event.ATTEMPTED] == [1, 2]
        assert [e.attempt for e in charge if e.event is Event.ACKNOWLEDGED] == [2]


class Suspending:
    """Start processes as usual, and suspend one of them before it is told anything.

    Attributes:
        started: how many were started.
        returncode: how the suspended one ended.
    """

    def __init__(self, which: int | None = None) -> None:
        self.started = 0
        self._which = which
        self._start = asyncio.create_subprocess_exec
        self._suspended: asyncio.subprocess.Process | None = None

    async def __call__(self, *args: Any, **more: Any) -> asyncio.subprocess.Process:
        process = await self._start(*args, **more)
        if self.started == self._which:
            os.kill(process.pid, signal.SIGSTOP)
            self._suspended = process
        self.started += 1
        return process

    @property
    def returncode(self) -> int | None:
        assert self._suspended is not None, "so many were not started"
        return self._suspended.returncode


async def test_a_suspended_sender_is_killed_and_what_it_did_not_send_is_sent_once(
    postgres: Postgres, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    shop.keys(honour=False)
    async with agent_of(postgres, shop, BUDGET) as agent:
        talk = await asked_to_buy(agent)
        suspending = Suspending(PURCHASE.index("charge"))
        monkeypatch.setattr(asyncio, "create_subprocess_exec", suspending)
        done = await talk.approve()
        assert suspending.returncode == -signal.SIGKILL
        await all_is_settled(agent, talk, shop)
        assert shop.happened() == PURCHASE
        assert "order DB-" in answer_of(done)
        charge = await events(agent, talk, "/charge")
        assert charge.count(Event.ATTEMPTED) == 2
        assert charge.count(Event.REFUSED) == 1, "it is known that the first one sent nothing"
        assert Event.ABSENT not in charge, "so nobody waits to be sure of it"


async def test_of_a_purchase_under_keys_the_mail_alone_has_a_sender_that_is_killed(
    agent: Agent, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    talk = await asked_to_buy(agent)
    suspending = Suspending(0)
    monkeypatch.setattr(asyncio, "create_subprocess_exec", suspending)
    done = await talk.approve()
    assert suspending.returncode == -signal.SIGKILL
    assert suspending.started == 2, "it was sent again, and nothing else from a process of its own"
    assert shop.happened() == PURCHASE
    assert "confirmation mailed" in answer_of(done)
    mail = await events(agent, talk, "/send_email")
    assert mail.count(Event.ATTEMPTED) == 2
    assert mail.count(Event.REFUSED) == 1


@pytest.mark.parametrize(
    ("late_sender", "started"), [("killed", 1), ("accepted", 0), ("harmless", 0)]
)
async def test_any_domain_says_by_declaration_whether_its_sender_is_killed(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, late_sender: LateSender, started: int
):
    ordering = write(guarantees=Guarantees(late_sender=late_sender))(order_coffee)
    domain = Domain(
        name="coffee",
        registry=Registry([ordering]),
        flow=FlowTable("open", {}, {"open": frozenset({"order_coffee"})}),
        prompt=Prompt("Order coffee."),
    )
    with serving(Office()) as office:
        async with rooms_agent(postgres_url, office.url) as rooms:
            agent = rooms.of(domain)
            agent.model.then([("order_coffee", {"room": "Barn", "cups": 3})], last_result)
            talk = Conversation(agent.graph, "mia")
            await talk.say("three cups to the Barn")
            starting = Suspending()
            monkeypatch.setattr(asyncio, "create_subprocess_exec", starting)
            await talk.approve()
        assert office.happened() == ["coffee"]
        assert starting.started == started


async def test_a_blocking_effect_that_outlives_its_time_is_not_sent_beside_itself(
    postgres_url: str,
):
    patience = Patience(budget=timedelta(seconds=0.5))
    ledger = Ledger(postgres_url, user="ada", node_seconds=20, patience=patience)
    bank: list[dict[str, Any]] = []
    looked, landed, calls = threading.Event(), threading.Event(), 0

    def find(call: Any) -> list[dict[str, Any]]:
        found = [one for one in bank if one["key"] == call.key]
        looked.set()
        # It lands behind what was read.
        landed.wait(20)
        return found

    @ledger.effect(approval="never", id="id", find=find, visible_within=timedelta(seconds=0.1))
    def pay(to: str, *, call: Any) -> dict[str, Any]:
        """Pay when somebody has looked whether it happened."""
        nonlocal calls
        calls += 1
        looked.wait(20)
        bank.append({"id": f"p-{calls}", "key": call.key})
        landed.set()
        return bank[-1]

    async def node(state: Any) -> None:
        await pay("bob")

    async with ledger:
        builder: Any = StateGraph(MessagesState).add_node(node).add_edge(START, "node")
        await builder.compile(checkpointer=ledger.saver).ainvoke({"messages": []}, fresh())
    assert [one["id"] for one in bank] == ["p-1"]
