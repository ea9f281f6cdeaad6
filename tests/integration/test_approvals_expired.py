"""Approvals end: a question that nobody answers, and an approval that nobody makes use of."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from daybook.checkpoints.ledger.steps import Questions
from daybook.checkpoints.postgres import Postgres
from daybook.graph.resume import Left, left_in
from daybook.state.clock import SYSTEM
from daybook.state.errors import NothingPending
from daybook.state.ledger.recovery import Event, StepState
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, outcomes_of
from tests.purchases import (
    LONG,
    PURCHASE,
    agent_of,
    asked_to_buy,
    bought_until,
    entries,
    rebuilt,
    successor,
    work_list,
)

NOW = timedelta(0)
NOT_DONE = [("checkout", "not done")]
"""The receipt of a purchase of which nothing was sent."""


@pytest.fixture
async def agent(postgres: Postgres, shop: Shop) -> AsyncIterator[Agent]:
    """Yield an agent that waits long for a call."""
    async with agent_of(postgres, shop, LONG) as agent:
        yield agent


def patient(agent: Agent, **patience: timedelta) -> Agent:
    """Build the agent again with other deadlines."""
    return rebuilt(agent, patience=replace(agent.resources.patience, **patience))


async def not_answered(agent: Agent) -> Conversation:
    """Ask about a purchase, and let the question expire; no worker is there to see it."""
    talk = await asked_to_buy(patient(agent, question=timedelta(minutes=1)))
    await SYSTEM.sleep(61)
    return talk


async def test_a_question_that_has_expired_is_never_shown_as_waiting(agent: Agent, shop: Shop):
    talk = await asked_to_buy(patient(agent, question=timedelta(minutes=1)))
    questions = Questions(agent.resources.postgres.pool)
    assert [one.thread_id for one in await questions.waiting(["shop"], "ada", 9)] == [
        talk.thread_id
    ]
    assert len((await talk.state()).interrupts) == 1
    await SYSTEM.sleep(61)
    assert await questions.waiting(["shop"], "ada", 9) == []
    state = await talk.state()
    assert state.interrupts == ()
    assert [task.interrupts for task in state.tasks] == [()]
    past = [one async for one in talk.graph.aget_state_history(talk.config)]
    assert past[0].next == ("approve",)
    assert [one.interrupts for one in past] == [()] * len(past)
    assert await left_in(state, agent.resources.postgres) is Left.CUT_OFF
    told = await talk.run(None)
    assert outcomes_of(told) == NOT_DONE
    assert told.next == ()
    assert shop.happened() == []


async def test_a_question_that_nobody_answered_in_time_is_over_and_told_and_can_be_asked_again(
    agent: Agent, shop: Shop
):
    talk = await not_answered(agent)
    told = await talk.run({"events": []})
    assert outcomes_of(told) == NOT_DONE
    assert told.interrupts == ()
    assert told.values["flow"] == "shopping"
    effects = [call for call in told.values["ledger"].values() if call.kind in ("write", "hybrid")]
    assert [call.status for call in effects] == [StepState.VOID] * 4
    assert shop.happened() == []
    assert await work_list(agent, talk) == {}
    said = [e for e in await entries(agent, talk) if e.event is Event.DECISION]
    assert [(e.author, e.detail["decisions"]) for e in said] == [(None, ["expired"])]
    with pytest.raises(NothingPending):
        await talk.approve()
    # Nobody asked the model what to say of it.
    agent.model.script[:] = [[("checkout", {})], last_result]
    later = Conversation(agent.graph, "ada", talk.thread_id)
    await later.say("check out after all")
    await later.approve()
    assert shop.happened() == PURCHASE


async def test_an_answer_that_comes_too_late_decides_nothing(agent: Agent, shop: Shop):
    talk = await not_answered(agent)
    agent.model.then("It was too late for that.")
    told = await talk.approve()
    assert outcomes_of(told) == NOT_DONE
    assert shop.happened() == []
    assert await work_list(agent, talk) == {}


async def test_what_follows_the_pivot_is_owed_however_late(
    agent: Agent, shop: Shop, postgres_url: str
):
    talk = await bought_until(agent, 5)
    assert shop.happened() == PURCHASE[:3]
    async with successor(patient(agent, approval=NOW), postgres_url) as later:
        await Conversation(later.graph, "ada", talk.thread_id).run(None)
    assert shop.happened() == PURCHASE
