"""Reconcile finds, after the fact, what two steps hold and what another look-up shows."""

import psycopg

from daybook.app.ledger.reconcile import Finding, Reconciler
from daybook.graph.serve import Opened
from daybook.state.effects.reconciliation import WorldRemedy
from daybook.testing import wrong_answers as wrong
from tests.conversation import Conversation
from tests.strangers.agent import StrangersAgent, agent_on
from tests.strangers.domains import wrong as adopted
from tests.strangers.services import Where, Wrong


async def found_in(
    agent: StrangersAgent, *talks: Conversation, applies: bool = False
) -> list[Finding]:
    """Reconcile threads, one after the other."""
    reconciler = Reconciler(Opened(agent.graph, adopted.domain, agent.resources), applies=applies)
    return [one for talk in talks async for one in reconciler.of_thread(talk.thread_id)]


def forget_whose(postgres_url: str) -> None:
    """Lose the references of all steps, so that the database refuses no second holder."""
    with psycopg.connect(postgres_url, autocommit=True) as conn:
        conn.execute("select set_config('daybook.tenant', 'default', false)")
        conn.execute("delete from effect_reference")


async def test_two_steps_that_hold_one_effect_are_found(postgres_url: str):
    service = Wrong()
    async with agent_on(postgres_url, service, adopted) as agent:
        first = await agent.asked_to_buy()
        await first.approve()
        forget_whose(postgres_url)
        (theirs,) = [one["id"] for one in service.effects if one["effect"] == "charge"]
        wheres: tuple[Where, ...] = ("reply", "look")
        for where in wheres:
            service.lie(where, "charge", "mia", wrong.with_fields(id=theirs))
        second = await agent.asked_to_buy()
        await second.approve()
        for applies in (False, True):
            found = await found_in(agent, first, second, applies=applies)
            charges = [one for one in found if one.tool == "charge"]
            assert {(one.thread_id, one.remedy) for one in charges} == {
                (first.thread_id, WorldRemedy.SHARED),
                (second.thread_id, WorldRemedy.SHARED),
            }, "which of the two it belongs to is for a person to say"
            assert charges[0].remedy.is_for_a_person
        assert service.happened("mia").count("refund") == 0


async def test_a_look_up_that_shows_another_effect_than_the_ledger_is_found(postgres_url: str):
    service = Wrong()
    async with agent_on(postgres_url, service, adopted) as agent:
        talk = await agent.asked_to_buy()
        await talk.approve()
        assert await found_in(agent, talk) == []
        theirs = service.charged(service.STRANGER, 13190)["id"]
        service.lie("look", "charge", "mia", wrong.with_fields(id=theirs))
        (found,) = [one for one in await found_in(agent, talk) if one.tool == "charge"]
        assert found.remedy is WorldRemedy.FOREIGN
        assert service.happened("mia").count("refund") == 0
