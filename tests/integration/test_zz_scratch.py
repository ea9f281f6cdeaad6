import asyncio, uuid
from collections.abc import AsyncIterator, Iterator
import pytest
from graph.stop import stop_thread
from state.session import Person
from tests.conversation import Conversation, answer_of, texts
from tests.parcels.agent import ParcelsAgent, parcels_agent, results
from tests.parcels.depot import Depot, open_depot
from tests.cuts import Cut, CutLedger, Fuse
from tests.answers import APPROVE

@pytest.fixture
def depot() -> Iterator[Depot]:
    with open_depot() as depot:
        yield depot

@pytest.fixture
async def agent(postgres_url, depot):
    async with parcels_agent(postgres_url, depot.url) as agent:
        yield agent

async def stopped(agent, talk, name=None):
    return await stop_thread(agent.resources, "parcels", talk.thread_id, Person("mia"), name or str(uuid.uuid4()))

SEND = ("send", {"to": "Mia"})

async def test_s1(agent, depot):
    depot.is_slow = True
    agent.model.then([SEND], [("send", {"to": "Leo"})], "two sent")
    talk = agent.talk()
    run = asyncio.create_task(talk.say("send two"))
    await asyncio.to_thread(depot.met.wait)
    print("TOLD", await stopped(agent, talk))
    depot.go_on.set()
    await run
    print("TEXTS", await texts(talk)); print("DONE", depot.done)
    for e in await agent.resources.postgres.ledger.entries(talk.thread_id): print(e.event, e.turn_id, e.detail)

async def test_s3(agent, depot):
    talk = agent.talk()
    told = []
    async def go():
        told.append(await stopped(agent, talk))
    loop = asyncio.get_running_loop()
    def decide(prompt):
        asyncio.run_coroutine_threadsafe(go(), loop).result()
        return [("note", {"text": "x"}), ("look", {})]
    agent.model.then(decide, "noted")
    await talk.say("note x")
    print("TOLD", told, await texts(talk), (await talk.state()).values["notes"])

async def test_s4(agent, depot):
    talk = agent.talk()
    told = []
    async def go():
        told.append(await stopped(agent, talk))
    loop = asyncio.get_running_loop()
    def decide(prompt):
        asyncio.run_coroutine_threadsafe(go(), loop).result()
        return "Sending it right away."
    agent.model.then(decide)
    await talk.say("send")
    print("TOLD", told, await texts(talk))
    # next turn
    agent.model.then([SEND], "ok")
    await talk.say("send now")
    print(await texts(talk), depot.done)

async def test_s5(agent, depot):
    talk = agent.talk()
    agent.model.then([("look", {})], "looked")
    await talk.say("go", "m-1")
    hist = [s async for s in agent.graph.aget_state_history(talk.config)]
    for s in hist: print(s.next, s.config["configurable"]["checkpoint_id"], len(s.values.get("messages", [])))
    first = [s for s in hist if s.next == ("receive",)] or [hist[-1]]
    told = []
    async def go():
        try: told.append(await stopped(agent, talk))
        except Exception as e: told.append(repr(e))
    loop = asyncio.get_running_loop()
    def decide(prompt):
        asyncio.run_coroutine_threadsafe(go(), loop).result()
        return [SEND]
    agent.model.then(decide, "sent")
    try:
        await agent.graph.ainvoke(None, {"configurable": {**first[0].config["configurable"], "user_id":"mia"}})
    except Exception as e: print(repr(e))
    print("TOLD", told, await texts(talk), depot.done)

async def test_s5b(agent, depot):
    """fork a done turn after the state moved: events, so decisions anew"""
    talk = agent.talk()
    agent.model.then([("look", {})], "looked")
    await talk.say("go", "m-1")
    await talk.happens("e-1", type="noted", text="hello")
    hist = [s async for s in agent.graph.aget_state_history(talk.config)]
    for s in hist: print(s.next, s.config["configurable"]["checkpoint_id"], len(s.values.get("messages", [])))
    first = [s for s in hist if s.next == ("receive",)]
    told = []
    async def go():
        try: told.append(await stopped(agent, talk))
        except Exception as e: told.append(repr(e))
    loop = asyncio.get_running_loop()
    def decide(prompt):
        asyncio.run_coroutine_threadsafe(go(), loop).result()
        return [SEND]
    agent.model.then(decide, "sent")
    for cp in first[:1]:
        try:
            cfg={"configurable": {**cp.config["configurable"], "user_id":"mia"}}
            cfg2 = await agent.graph.aupdate_state(cfg, {"notes":["other"]}) 
            await agent.graph.ainvoke(None, {"configurable": {**cfg2["configurable"], "user_id":"mia"}})
        except Exception as e: print(repr(e))
    print("TOLD", told, await texts(talk), depot.done)
