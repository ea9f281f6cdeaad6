"""A person stops a turn: nothing more is begun in it, whatever is under way that goes on."""

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from daybook.checkpoints.postgres import Postgres
from daybook.graph.stop import stop_thread
from daybook.nodes.running.work import Resources
from daybook.state.session import Person
from daybook.testing.model import Prompt, Turn, last_result
from tests.conftest import Shop
from tests.conversation import Conversation, outcomes_of, receipt_of, texts
from tests.integration.desk import FREE, PATIENCE, open_desk
from tests.parcels.agent import ParcelsAgent
from tests.parcels.fixtures import agent, depot
from tests.purchases import LONG, hurry, met

__all__ = ["agent", "depot"]

SEND = ("send", {"to": "Mia"})
NOT_STOPPED = (
    "Not stopped: send. send was sent and cannot be undone if it happened; its outcome is being "
    "looked up."
)
STOPPED = "Stopped by mia: nothing more is started in this turn. Completed actions are kept."


async def stopped(agent: ParcelsAgent, talk: Conversation, event_id: str | None = None) -> str:
    name = event_id or str(uuid.uuid4())
    return await stop_thread(agent.resources, "parcels", talk.thread_id, Person("mia"), name)


def stopping(
    agent: ParcelsAgent, talk: Conversation, then: Turn, told: list[str]
) -> Callable[[Prompt], Turn]:
    """Make a decision before which the person has stopped; a model is asked in a thread."""
    loop = asyncio.get_running_loop()

    async def stops() -> None:
        told.append(await stopped(agent, talk))

    def decides(prompt: Prompt) -> Turn:
        asyncio.run_coroutine_threadsafe(stops(), loop).result()
        return then

    return decides


async def test_what_cannot_be_stopped_is_the_last_that_its_turn_does(agent, depot):
    depot.is_slow = True
    talk = agent.talk()
    agent.model.then([SEND], [("send", {"to": "Leo"})])
    run = asyncio.create_task(talk.say("send two parcels"))
    await asyncio.to_thread(depot.met.wait)
    said = await stopped(agent, talk, "stop-1")
    assert said == f"{NOT_STOPPED}\nNothing more is started in this turn."
    depot.go_on.set()
    await run
    assert depot.done == ["/send"]
    # No model is asked what it makes of it, and what was done is stated all the same.
    done = await talk.state()
    assert outcomes_of(done) == [("send", "done")]
    assert receipt_of(done) == "Stopped by mia: send. None of it was done."
    again = await stopped(agent, talk, "stop-1")
    assert again.startswith("Not stopped: send is past its point of no return.")
    # What is asked for anew is done.
    agent.model.then([SEND], "It is sent.")
    await talk.say("send the second one after all")
    assert depot.done == ["/send", "/send"]


async def test_a_turn_that_was_stopped_changes_nothing_and_says_so(agent, depot):
    talk, told = agent.talk(), list[str]()
    agent.model.then(
        stopping(agent, talk, [("note", {"text": "x"}), ("look", {})], told), "It is noted."
    )
    await talk.say("note x")
    assert told == [STOPPED]
    assert (await talk.state()).values["notes"] == []
    assert await texts(talk) == ["note x", STOPPED, "It is noted."]


# -- an agent of create_agent ----------------------------------------------------------------------


def charge(order: str) -> tuple[str, dict[str, Any]]:
    return "charge_card", {"order_id": order, "card_id": "card_ada_1", "amount": 500}


async def test_an_agent_whose_charge_was_stopped_makes_no_other_one(postgres: Postgres, shop: Shop):
    """Its own loop asks the model what comes next, whatever became of the plan."""
    patience = replace(PATIENCE, budget=timedelta(seconds=LONG))
    async with open_desk(postgres, shop.url, policy=FREE, patience=patience) as desk:
        shop.fault("charges", "slow", seconds=LONG)
        desk.model.then([charge("o-1")], [charge("o-2")], last_result)
        run = asyncio.create_task(desk.say("charge two orders"))
        await met(shop)
        resources = Resources(postgres=postgres, model=desk.model, user="ada")
        said = await stop_thread(resources, "agent", desk.thread, Person("ada"), "stop-1")
        assert said.startswith("Stopped by ada: charge card.")
        hurry(shop)
        await run
        assert shop.happened() == ["charge", "refund"]
        assert await desk.said() == (
            "charge_card refused: Stopped by ada: charge card. None of it was done."
        )
        desk.model.then([charge("o-2")], last_result)
        await desk.say("the second one, please")
        assert shop.happened() == ["charge", "refund", "charge"]
