"""Every route of the server's OpenAPI with hostile values: nothing happens, leaks or breaks."""

import asyncio
import random
from collections import Counter
from typing import Any

import httpx
import pytest

from checkpoints.postgres import Postgres
from tests.conftest import Shop
from tests.integration.forgery.conftest import FEW, Caller, new_id
from tests.integration.forgery.hostile import Attempt, Hostile, Known

CANARY = "CANARY-7f3d"

AT_ONCE = 12
LONGEST_S = 3.0
"""Streams have no end: what came until then is looked at."""

SEED = 20_251_121

ITS_OWN = {
    # It reports storage of its own checkpointer alone, and says so.
    ("GET", "/threads/{thread_id}/storage", 501),
    # An operator's: it asks our checkpointer for what a run left, which none of ours can tell.
    ("DELETE", "/threads/{thread_id}/runs/{run_id}", 500),
}
"""Faults that langgraph-api has by itself: method, route and status."""


async def sent(caller: Caller, attempt: Attempt) -> tuple[int, str]:
    """Send a request and return the status and what of the answer came in time."""
    status, text = 0, []
    try:
        async with asyncio.timeout(LONGEST_S):
            async with caller.http.stream(
                attempt.method, attempt.path, json=attempt.body, headers=dict(attempt.headers)
            ) as response:
                status = response.status_code
                async for part in response.aiter_text():
                    text.append(part)
    except TimeoutError:
        pass
    return status, "".join(text)


async def test_hostile_requests_have_no_effect_leak_nothing_and_break_nothing(
    people: dict[str, Caller], shop: Shop, judge: Postgres, request: pytest.FixtureRequest
):
    """The judge of all these tests looks at the effects afterwards (see `nothing_unapproved`)."""
    ada, ben, cleo = people["ada"], people["ben"], people["cleo"]
    theirs = await ada.asks_to_buy()
    await ada.say(theirs, f"{CANARY} is what I call my card")
    await ada.say(theirs, "CALL checkout {}")
    own = await ben.thread()
    await ben.say(own, 'CALL add_to_cart {"sku":"BOOT-013"}')
    [run] = (await ada.get(f"/threads/{theirs}/runs?limit=1")).json()
    [assistant] = (await ada.post("/assistants/search")).json()
    document = (await ada.get("/openapi.json")).json()
    state = (await ada.get(f"/threads/{theirs}/state")).json()
    known = Known(
        ids={
            "thread_id": [theirs, theirs, own, own, new_id()],
            "run_id": [run["run_id"], new_id()],
            "assistant_id": ["shop", "shop", assistant["assistant_id"], new_id()],
            "checkpoint_id": [state["checkpoint"]["checkpoint_id"], new_id()],
            "cron_id": [new_id()],
        },
        approvals=[state["interrupts"][0]["value"]["approval_id"]],
    )
    count = request.config.getoption("--requests", default=FEW)
    hostile, choose = Hostile(document, known, SEED), random.Random(SEED)
    door = asyncio.Semaphore(AT_ONCE)
    statuses: Counter[int] = Counter()
    broken: list[Any] = []
    leaks: list[Any] = []

    async def attack(attempt: Attempt) -> None:
        caller = choose.choice((ben, ben, ben, cleo, people["otto"], people[""]))
        async with door:
            try:
                status, text = await sent(caller, attempt)
            except httpx.TransportError:
                # A connection that was kept open may end just when it is used again.
                status, text = await sent(caller, attempt)
        statuses[status] += 1
        about = (caller.name, attempt.method, attempt.path[:120], status, text[:300])
        if status >= 500 and (attempt.method, attempt.route, status) not in ITS_OWN:
            broken.append((*about, str(attempt.body)[:300]))
        if caller.name in ("ben", "") and CANARY in text:
            leaks.append(about)

    await asyncio.gather(*(attack(attempt) for attempt in hostile.attempts(count)))
    assert leaks == []
    assert broken == [], "\n".join(map(str, broken))
    assert {200, 401, 403, 404, 422} <= statuses.keys(), "the requests reach the rules"
    await ada.buys()
