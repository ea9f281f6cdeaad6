"""Purchases in tests: how one is begun, and what became of it at the shop and in the ledger."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from langgraph.types import StateSnapshot

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.graph.build import build
from daybook.state.clock import SYSTEM
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event, StepState
from daybook.testing.model import ScriptedModel, last_result
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation
from tests.cuts import Cut, CutLedger, Fuse

PATIENCE = 60.0
"""Seconds after which a test gives up waiting for something that should have happened."""

SHORT, LONG = 1.2, 15.0
"""Budgets of an attempt, in seconds."""

PURCHASE = ["reserve", "charge", "order", "mail"]
"""What a purchase of one product does to the world, in order."""


async def with_boots(agent: Agent, user: str = "ada", thread: str | None = None) -> Conversation:
    """Begin a conversation with one pair of boots in the cart; the model is asked twice."""
    talk = Conversation(agent.graph, user, thread)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "It is in the cart.")
    await talk.say("add BOOT-001")
    return talk


async def asked_to_buy(
    agent: Agent, user: str = "ada", thread: str | None = None, **choices: str
) -> Conversation:
    """Bring a purchase to the question for approval; the model is asked three times."""
    talk = await with_boots(agent, user, thread)
    agent.model.then([("checkout", choices)], last_result)
    asked = await talk.say("check out")
    assert len(asked.interrupts) == 1
    return talk


async def bought(agent: Agent, user: str = "ada", **choices: str) -> Conversation:
    """Buy one pair of boots; the model is asked four times."""
    talk = await asked_to_buy(agent, user, **choices)
    done = await talk.approve()
    assert done.values["flow"] == "ordered"
    return talk


async def bought_until(agent: Agent, pages: int) -> Conversation:
    """Approve a purchase, and die after so many pages of the ledger."""
    postgres, fuse = agent.resources.postgres, Fuse()
    agent.model.script.clear()
    talk = await asked_to_buy(agent)
    kept, postgres.ledger = postgres.ledger, CutLedger(postgres, fuse, "after")
    fuse.light(pages)
    with pytest.raises(Cut):
        await talk.approve()
    postgres.ledger = kept
    return talk


def rebuilt(agent: Agent, **resources: Any) -> Agent:
    """Build the agent again with some of its resources exchanged."""
    changed = replace(agent.resources, **resources)
    graph = build(agent.domain, lambda: changed, changed.postgres.saver)
    assert isinstance(changed.model, ScriptedModel)
    return replace(agent, graph=graph, resources=changed, model=changed.model)


@asynccontextmanager
async def agent_of(postgres: Postgres, shop: Shop, budget: float) -> AsyncIterator[Agent]:
    """Build the shop's agent after the shop was told how to behave.

    Args:
        budget: seconds that one attempt may take. `SHORT` where a test waits for its end, `LONG`
            where a busy machine must not be taken for a slow service.
    """
    async with shop_agent(postgres, shop) as agent:
        patience = replace(agent.resources.patience, budget=timedelta(seconds=budget))
        yield rebuilt(agent, patience=patience)


async def until(happened: Callable[[], bool], what: str) -> None:
    """Ask again until it happened: another process sends no event.

    Raises:
        AssertionError: it did not happen in time.
    """
    deadline = SYSTEM.monotonic() + PATIENCE
    while not happened():
        assert SYSTEM.monotonic() < deadline, f"this did not happen: {what}"
        await SYSTEM.sleep(0.01)


def in_flight(shop: Shop) -> int:
    """Count the requests that a fault holds."""
    return int(shop.http.get("/admin/faults").raise_for_status().json()["in_flight"])


async def met(shop: Shop) -> None:
    """Wait until a request has met its fault and is held there."""
    await until(lambda: in_flight(shop) > 0, "a request meets its fault")


async def calm(shop: Shop) -> None:
    """Wait until no request is held in a fault any more: nothing late can come."""
    await until(lambda: in_flight(shop) == 0, "the shop lets go of every request")


def hurry(shop: Shop) -> None:
    """Let the requests that a fault holds go on at once."""
    shop.http.post("/admin/hurry").raise_for_status()


def still_held(shop: Shop) -> list[str]:
    """Return the holds that still keep stock from others."""
    held = []
    for effect, reference in shop.effects():
        if effect == "reserve":
            found = shop.http.get("/holds", params={"reference": reference}).raise_for_status()
            held += [hold["hold_id"] for hold in found.json()["matches"] if hold["state"] == "held"]
    return held


def sent(happened: list[Event]) -> int:
    """Count the attempts of a step that may have reached the shop."""
    return happened.count(Event.ATTEMPTED) - happened.count(Event.REFUSED)


def orders(shop: Shop, user: str = "ada") -> list[dict[str, Any]]:
    """Return the orders of a user as the shop holds them, newest last."""
    found = shop.http.get("/orders", params={"user_id": user}).raise_for_status().json()
    placed: list[dict[str, Any]] = found["orders"]
    return placed


async def entries(agent: Agent, talk: Conversation) -> list[Entry]:
    """Read the ledger of a conversation; its chain must verify."""
    ledger = agent.resources.postgres.ledger
    found = await ledger.entries(talk.thread_id)
    # More only when somebody goes on writing.
    assert await ledger.verify(talk.thread_id) >= len(found)
    return found


async def events(agent: Agent, talk: Conversation, op: str) -> list[Event]:
    """Return what the ledger says happened to the step whose operation ends so, in order."""
    return [e.event for e in await entries(agent, talk) if e.op and e.op.endswith(op)]


async def work_list(agent: Agent, talk: Conversation | None = None) -> dict[str, StepState]:
    """Return the steps that somebody still has to look after: operation to state."""
    query = "select op, state from open_step where thread_id = coalesce(%s, thread_id)"
    async with agent.resources.postgres.pool.connection() as conn:
        cursor = await conn.execute(query, (talk.thread_id if talk else None,))
        return {row["op"]: StepState(row["state"]) for row in await cursor.fetchall()}


def shop_database(
    where: Any, tenant: str = "default", **more: Any
) -> AbstractAsyncContextManager[Postgres]:
    """Open a database as the shop's agent does, as its owner."""
    return open_postgres(where, tenant_id=tenant, stored_types=SHOP.restored_types, **more)


@asynccontextmanager
async def successor(agent: Agent, url: str) -> AsyncIterator[Agent]:
    """Open what a new process would: a pool and a graph of its own, on the same database."""
    clock = agent.resources.clock
    async with shop_database(url, clock=clock) as postgres:
        yield rebuilt(agent, postgres=postgres)


async def fall_silent(postgres: Postgres) -> None:
    """Let a process be silent as one is that was suspended for longer than its leases last."""
    await postgres.locks.close()
    async with postgres.as_owner() as conn:
        await conn.execute(
            "update thread_lease set until = '-infinity' where process = %s", (postgres.process,)
        )


async def cancelled(run: "asyncio.Task[StateSnapshot]") -> None:
    """Cancel a run and wait until it has ended."""
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run


async def all_is_settled(agent: Agent, talk: Conversation, shop: Shop, *in_doubt: str) -> None:
    """See that nothing is left open on either side, but for a person to look at what is in doubt."""
    await calm(shop)
    assert shop.http.get("/admin/faults").json()["faults"] == [], "the fault was met"
    assert still_held(shop) == []
    left = await work_list(agent, talk)
    assert [op.rsplit("/", 1)[-1] for op in left] == [*in_doubt]
    assert set(left.values()) <= {StepState.IN_DOUBT}
    assert await entries(agent, talk)
