"""Plain functions that change the world in a process that is killed: once each, wherever it dies."""

from collections.abc import Iterator
from typing import Any

import pytest
from langgraph.errors import EmptyInputError

from daybook import Postgres
from daybook.state.clock import SYSTEM
from daybook.testing.processes import Processes, open_processes
from tests.conftest import Shop
from tests.conversation import taken_over
from tests.integration.test_effects import CHARGE, OTHER, SAID, SELL, TIP, amounts, paid, till
from tests.integration.till import PROVABLE, YES, Till, open_till

__all__ = ["till"]


# -- killed ----------------------------------------------------------------------------------------

# Who dies before a commit leaves what was there after the one before it.
MOMENTS = [
    "after_commit:received",
    "after_commit:opened",
    "before_request:charge",
    "after_reply:own",
    "after_commit:acknowledged/charge",
    "after_reply:node",
]


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with open_processes("tests.integration.till:run") as processes:
        yield processes


async def killed(
    processes: Processes, till: Till, url: str, shop: Shop, at: str, **more: Any
) -> None:
    """Let a process pay, and die at a moment."""
    order = {
        "postgres": url,
        "shop": shop.url,
        "thread": till.thread,
        "keyed": True,
        "durability": "sync",
        "at": at,
        **more,
    }
    process = processes.start(order)
    assert (await process.ended()).killed


@pytest.mark.parametrize(
    ("at", "durability"), [*((at, "sync") for at in MOMENTS), ("after_reply:own", "async")]
)
async def test_killed_at_a_moment_of_its_first_call_each_is_done_once(
    till: Till, processes: Processes, postgres_url: str, shop: Shop, at: str, durability: str
):
    calls = [CHARGE, OTHER, CHARGE]
    await killed(processes, till, postgres_url, shop, at, calls=calls, durability=durability)
    try:
        state = await taken_over(till.go_on)
    except EmptyInputError:
        # LangGraph had not stored what it was given: nothing was done.
        assert shop.happened() == []
        state = await till.pay(*calls)
    assert paid(state) == amounts(shop) == [1200, 500, 1200]


@pytest.mark.parametrize("at", ["before_request:charge", "after_look:charge"])
async def test_killed_where_the_service_honours_no_key_it_looks(
    postgres: Postgres, processes: Processes, postgres_url: str, shop: Shop, at: str
):
    shop.keys(honour=False)
    async with open_till(postgres, shop.url, PROVABLE) as till:
        if at.startswith("after_look"):
            shop.fault("charges", "drop")
        calls = [CHARGE, OTHER]
        await killed(processes, till, postgres_url, shop, at, calls=calls, keyed=False)
        assert paid(await taken_over(till.go_on)) == amounts(shop) == [1200, 500]


async def test_killed_without_key_or_probe_it_asks(till, processes, postgres_url, shop):
    await killed(processes, till, postgres_url, shop, "after_reply:own", calls=[TIP, CHARGE])
    [question] = (await taken_over(till.go_on))["__interrupt__"]
    assert "(tip)" in question.value["action_requests"][0]["description"]
    await till.answer({**SAID, "message": "it happened"})
    assert amounts(shop) == [200, 1200]


@pytest.mark.parametrize("at", ["after_commit:decision", "after_reply:own", "after_reply:node"])
async def test_killed_after_an_answer_it_is_done_once(till, processes, postgres_url, shop, at):
    await till.pay(OTHER, SELL)
    await killed(processes, till, postgres_url, shop, at, answer=YES)
    assert paid(await taken_over(till.go_on)) == amounts(shop) == [500, 1200]


async def test_what_nobody_takes_up_is_recovered(till, processes, postgres_url, shop):
    await killed(processes, till, postgres_url, shop, "after_reply:own", calls=[CHARGE, OTHER])
    async with SYSTEM.timeout(20):
        # Until Postgres has seen that the process is dead, it is taken for one at work.
        while not (swept := await till.ledger.sweep(till.graph)):
            await SYSTEM.sleep(0.02)
    assert swept == {till.thread: "finished"}
    assert amounts(shop) == [1200, 500]
