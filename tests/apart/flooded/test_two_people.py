"""Ben floods the server, and Ada shops there: what he does is refused, and she is served.

What is asserted is who was served before whom, and how much; never how long it took.
"""

import asyncio
from collections import Counter
from typing import Any

import httpx
import pytest

from daybook.graph.settings.environment import settings_from
from daybook.state.clock import SYSTEM
from tests.apart.callers import Caller
from tests.apart.flooded.conftest import Model
from tests.conftest import Shop
from tests.purchases import PURCHASE, until

pytestmark = pytest.mark.asyncio(loop_scope="session")

LIMITS = settings_from({})


def run(text: str) -> dict[str, Any]:
    return {"assistant_id": "shop", "input": {"messages": [{"role": "user", "content": text}]}}


async def is_served(ada: Caller) -> None:
    """Say hello, and be answered at all: a run that is never begun sends blanks for ever."""
    async with SYSTEM.timeout(60):
        assert "messages" in await ada.say(await ada.thread(), "hello")


async def begins(ben: Caller, thread_id: str) -> httpx.Response:
    """Begin a run that goes on only when it is let."""
    return await ben.post(f"/threads/{thread_id}/runs", run("HOLD"))


async def runs_of(ben: Caller, thread_ids: list[str]) -> Counter[str]:
    """Count the runs of threads by what they do."""
    asked = [await ben.get(f"/threads/{one}/runs", params={"limit": 1000}) for one in thread_ids]
    return Counter(run["status"] for answer in asked for run in answer.json())


async def let_go_on(ben: Caller, model: Model, thread_ids: list[str]) -> None:
    """Let all runs of threads end."""
    async with SYSTEM.timeout(60):
        while (await runs_of(ben, thread_ids)).keys() - {"success"}:
            model.go_on()
            await SYSTEM.sleep(0.1)


def is_told_when_to_come_back(refused: httpx.Response) -> bool:
    detail, seconds = refused.json()["detail"], refused.headers["retry-after"]
    return "Nothing was done" in detail and f"retry in {seconds} second" in detail


async def test_a_purchase_goes_by_200_runs_that_wait_for_their_thread(
    ada: Caller, ben: Caller, model: Model, shop: Shop
):
    thread_id = await ben.thread()
    answers = [await begins(ben, thread_id) for _ in range(200)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(answers) - len(refused) == LIMITS.runs_unfinished
    assert all(map(is_told_when_to_come_back, refused))
    command = {"id": 1, "method": "run.start", "params": run("HOLD")}
    answer = await ben.post(f"/threads/{thread_id}/commands", command)
    assert "retry in" in answer.text
    await until(lambda: model.held == 1, "his first run is at the model")
    async with SYSTEM.timeout(120):
        await ada.buys()
    assert shop.happened() == PURCHASE
    waiting = LIMITS.runs_unfinished - 1
    assert await runs_of(ben, [thread_id]) == {"running": 1, "pending": waiting}
    await let_go_on(ben, model, [thread_id])


async def test_a_purchase_goes_by_as_many_threads_as_one_person_may_run(
    ada: Caller, dora: Caller, model: Model, shop: Shop
):
    thread_ids = [await dora.thread() for _ in range(LIMITS.runs_unfinished)]
    for thread_id in thread_ids:
        assert (await begins(dora, thread_id)).status_code == 200
    refused = await begins(dora, await dora.thread())
    assert refused.status_code == 429
    assert is_told_when_to_come_back(refused)
    await until(lambda: model.held == LIMITS.runs_each, "her share is at work")
    async with SYSTEM.timeout(120):
        await ada.buys()
    assert shop.happened() == PURCHASE
    assert model.held == LIMITS.runs_each
    assert await runs_of(dora, thread_ids) == {"running": LIMITS.runs_unfinished}
    await let_go_on(dora, model, thread_ids)
    assert "messages" in await dora.say(thread_ids[0], "hello"), "what has ended takes no room"


async def test_who_sends_what_takes_long_to_redact_is_read_by_turns(ada: Caller, ben: Caller):
    """Held against the patterns at once, it let nobody on for 24 s."""
    slow = {"metadata": {"note": "4 1 " * 48_000}}
    flood = [asyncio.create_task(ben.post("/threads/search", slow)) for _ in range(24)]
    await is_served(ada)
    assert len([one for one in flood if not one.done()]) > len(flood) // 2
    assert {one.status_code for one in await asyncio.gather(*flood)} == {200}
