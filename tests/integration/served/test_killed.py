"""The server is killed with SIGKILL and started again: what was begun goes on, nothing twice."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIStatusError

from checkpoints.postgres import Postgres
from checkpoints.tokens import open_token_office
from state.session import Person
from tests.conftest import Shop
from tests.integration.served.conftest import PROJECT, Talk
from tests.integration.served.killed import Mortal, mortal
from tests.purchases import PURCHASE, hurry, met

APPROVE = {"type": "approve"}


@pytest.fixture
async def server(postgres_url: str, shop: Shop, tmp_path: Path) -> AsyncIterator[Mortal]:
    variables = {
        "DATABASE_URL": postgres_url,
        "SHOP_URL": shop.url,
        "SMTP_URL": shop.smtp_url,
    }
    async with mortal(PROJECT, tmp_path, variables) as server:
        yield server


@pytest.fixture
async def people(server: Mortal, postgres: Postgres) -> AsyncIterator[list[LangGraphClient]]:
    """Yield clients of Ada and of Ben, with their tokens."""
    async with open_token_office(postgres) as office:
        made = [await office.make(Person(name), timedelta(days=1)) for name in ("ada", "ben")]
    clients = [
        get_client(url=server.url, headers={"Authorization": f"Bearer {token.text}"})
        for token in made
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


async def test_after_a_kill_questions_wait_what_ran_goes_on_and_what_was_done_is_not_done_again(
    server: Mortal, people: list[LangGraphClient], shop: Shop, postgres: Postgres
):
    ada, ben = people
    waiting, done, at_work, late = [await asked(ada) for _ in range(4)]
    assert (await done.answer(APPROVE))["flow"] == "ordered"
    assert shop.happened() == PURCHASE

    # One run is flushed while it is at work, and is done before the kill.
    shop.fault("orders", "slow", seconds=11)
    run_id = await approved(late)
    await met(shop)
    await server.flushed(run_id)
    await ada.runs.join(late.thread_id, run_id)
    assert sorted(shop.happened()) == sorted(PURCHASE * 2)
    # The other one dies in mid-effect: its charge is sent, and no answer has come.
    shop.fault("charges", "slow", seconds=60)
    await approved(at_work)
    await met(shop)
    await server.kill()
    hurry(shop)
    await server.start()
    # The server runs again what was running, the person goes on, or a worker: all the same.
    assert (await at_work.run(input=None))["flow"] == "ordered"
    assert sorted(shop.happened()) == sorted(PURCHASE * 3)
    assert len(await ada.runs.list(done.thread_id)) == 3
    assert (await ada.threads.get_state(done.thread_id))["values"]["flow"] == "ordered"

    # The registry is lost, as when it had not been flushed yet.
    await server.kill()
    server.lose_registry()
    await server.start()
    for client, refused in ((ada, "not found"), (ben, "another user")):
        with pytest.raises(APIStatusError, match=refused):
            await client.threads.get_state(waiting.thread_id)
    for thread in (waiting.thread_id, done.thread_id):
        for attempt in (
            ben.threads.create(thread_id=thread, if_exists="do_nothing"),
            ben.runs.wait(thread, "shop", input=None, if_not_exists="create"),
        ):
            with pytest.raises((APIStatusError, httpx.HTTPStatusError), match=r"403|another user"):
                await attempt
        await ada.threads.create(thread_id=thread, if_exists="do_nothing")
        await Talk(ada, thread, "ada").run(input=None)
    assert sorted(shop.happened()) == sorted(PURCHASE * 3)
    assert (await waiting.answer(APPROVE))["flow"] == "ordered"
    assert sorted(shop.happened()) == sorted(PURCHASE * 4)
    for talk in (waiting, done, at_work, late):
        assert await postgres.ledger.verify(talk.thread_id)
