"""The server is killed with SIGKILL and started again: what was begun goes on, nothing twice."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIStatusError

from daybook.checkpoints.postgres import Postgres
from tests.apart.served.conftest import Talk
from tests.apart.served.killed import Mortal, mortal
from tests.apart.servers import PROJECT, places, tokens_of
from tests.conftest import Shop
from tests.purchases import PURCHASE, hurry, met

APPROVE = {"type": "approve"}


@pytest.fixture
async def server(postgres_url: str, shop: Shop, tmp_path: Path) -> AsyncIterator[Mortal]:
    async with mortal(PROJECT, tmp_path, places(postgres_url, shop)) as server:
        yield server


@pytest.fixture
async def people(server: Mortal, postgres: Postgres) -> AsyncIterator[list[LangGraphClient]]:
    """Yield clients of Ada and of Ben, with their tokens."""
    made = await tokens_of(postgres, {"ada": "customer", "ben": "customer"})
    clients = [
        get_client(url=server.url, headers={"Authorization": f"Bearer {token}"})
        for token in made.values()
    ]
    yield clients
    for client in clients:
        await client.aclose()


async def asked(client: LangGraphClient) -> Talk:
    """Begin a thread and bring it to the question whether to buy."""
    talk = await Talk.begun(client)
    await talk.say("add BOOT-013")
    assert "__interrupt__" in await talk.say("check out")
    return talk


async def approved(talk: Talk) -> str:
    """Approve without waiting for what comes of it; return the run's id."""
    command: Any = {"resume": {"decisions": [APPROVE]}}
    run = await talk.client.runs.create(talk.thread_id, "shop", command=command)
    return str(run["run_id"])


async def test_after_a_kill_what_began_goes_on_for_its_owner_alone_and_nothing_happens_twice(
    server: Mortal, people: list[LangGraphClient], shop: Shop, postgres: Postgres
):
    """Killed before the server has flushed its registry: it knows of no thread."""
    ada, ben = people
    waiting, at_work = [await asked(ada) for _ in range(2)]
    # It dies in mid-effect: the charge is sent, and no answer has come.
    shop.fault("charges", "slow", seconds=60)
    await approved(at_work)
    await met(shop)
    await server.kill()
    hurry(shop)
    server.lose_registry()
    await server.start()
    for client, refused in ((ada, "not found"), (ben, "another user")):
        with pytest.raises(APIStatusError, match=refused):
            await client.threads.get_state(waiting.thread_id)
    for thread in (waiting.thread_id, at_work.thread_id):
        for attempt in (
            ben.threads.create(thread_id=thread, if_exists="do_nothing"),
            ben.runs.wait(thread, "shop", input=None, if_not_exists="create"),
        ):
            with pytest.raises((APIStatusError, httpx.HTTPStatusError), match=r"403|another user"):
                await attempt
        await ada.threads.create(thread_id=thread, if_exists="do_nothing")
    assert (await at_work.run(input=None))["flow"] == "ordered"
    assert shop.happened() == PURCHASE
    assert "__interrupt__" in await waiting.run(input=None)
    assert (await waiting.answer(APPROVE))["flow"] == "ordered"
    assert shop.happened() == PURCHASE * 2
    for talk in (waiting, at_work):
        assert await postgres.ledger.verify(talk.thread_id)


@pytest.mark.long
async def test_after_a_kill_a_run_that_had_finished_is_not_run_again_with_effects(
    server: Mortal, people: list[LangGraphClient], shop: Shop
):
    """It was flushed as running: the server runs it again by itself."""
    ada, _ = people
    waiting, done, at_work, late = [await asked(ada) for _ in range(4)]
    assert (await done.answer(APPROVE))["flow"] == "ordered"
    # Flushed while it is at work, and done before the kill.
    shop.fault("orders", "slow", seconds=11)
    run_id = await approved(late)
    await met(shop)
    await server.flushed(run_id)
    await ada.runs.join(late.thread_id, run_id)
    assert sorted(shop.happened()) == sorted(PURCHASE * 2)
    shop.fault("charges", "slow", seconds=60)
    await approved(at_work)
    await met(shop)
    await server.kill()
    hurry(shop)
    await server.start()
    # The server runs again what was running, the person goes on, or a worker: all the same.
    for talk in (at_work, late):
        assert (await talk.run(input=None))["flow"] == "ordered"
    assert sorted(shop.happened()) == sorted(PURCHASE * 3)
    assert (await ada.threads.get_state(done.thread_id))["values"]["flow"] == "ordered"
    assert (await waiting.answer(APPROVE))["flow"] == "ordered"
    assert sorted(shop.happened()) == sorted(PURCHASE * 4)
