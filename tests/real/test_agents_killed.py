"""An agent of `create_agent` is killed at every moment of an effect, and goes on: once each."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from langgraph.errors import EmptyInputError

from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from daybook.testing.processes import Processes, open_processes
from tests.conftest import Shop
from tests.conversation import taken_over
from tests.integration.desk import APPROVE, KEYED, PROVABLE, Desk, decides, open_desk
from tests.purchases import PATIENCE

DONE = ("charge_card", "done")
CHARGE = "charge_card order_id=o-1 card_id=card_ada_1 amount=1200"

# Who dies before a commit leaves what was there after the one before it.
BEFORE_THE_ANSWER = ["after_commit:received", "after_commit:opened", "after_checkpoint:writes"]
AFTER_THE_ANSWER = [
    "after_commit:decision",
    "before_request:charge_card",
    "after_reply:own",
    "after_commit:acknowledged/charge_card",
    "before_commit:turn_done",
]
WITHOUT_A_KEY = ["before_request:charge_card", "after_reply:own", "after_look:charge_card"]


class Mortal:
    """Run the desk's agent in a process that is killed; the desk itself goes on afterwards."""

    def __init__(self, processes: Processes, desk: Desk, postgres_url: str, shop: Shop) -> None:
        self._processes = processes
        self._order: dict[str, Any] = {
            "postgres": postgres_url,
            "shop": shop.url,
            "thread": desk.thread,
            "daybook": True,
            "keyed": True,
            "free": False,
            "durability": "sync",
            "number": 1,
        }

    async def dies(self, given: Any, at: str, **more: Any) -> None:
        """Let a process take what is given, and die at a moment."""
        process = self._processes.start({**self._order, "given": given, "at": at, **more})
        assert (await process.ended()).killed


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with open_processes("tests.integration.desk:run") as processes:
        yield processes


@pytest.fixture
async def desk(postgres: Postgres, shop: Shop) -> AsyncIterator[Desk]:
    async with open_desk(postgres, shop.url, KEYED) as desk:
        desk.model.then(*[decides] * 9)
        yield desk


@pytest.fixture
def mortal(processes: Processes, desk: Desk, postgres_url: str, shop: Shop) -> Mortal:
    return Mortal(processes, desk, postgres_url, shop)


async def finish(desk: Desk) -> str:
    """Go on, and approve whatever is asked, until the agent has said its last word."""
    try:
        state = await taken_over(desk.go_on)
    except EmptyInputError:
        # It died before LangGraph had stored what was said: nothing was done, and it is said again.
        state = await desk.say(CHARGE)
    while state.interrupts:
        state = await desk.answer(*APPROVE["decisions"])
    return await desk.said()


@pytest.mark.parametrize("at", BEFORE_THE_ANSWER)
async def test_killed_before_the_answer_it_asks_and_does_it_once(desk, mortal, shop, at):
    await mortal.dies(CHARGE, at)
    assert shop.happened() == []
    assert '"amount": 1200' in await finish(desk)
    assert shop.effects() == [("charge", "order/o-1/charge/1")]
    assert await desk.receipts() == [DONE]


@pytest.mark.parametrize("at", AFTER_THE_ANSWER)
async def test_killed_after_the_answer_it_does_it_once(desk, mortal, shop, at):
    await desk.say(CHARGE)
    await mortal.dies(APPROVE, at)
    assert '"amount": 1200' in await finish(desk)
    assert shop.happened() == ["charge"]
    assert await desk.receipts() == [DONE]
    assert desk.model.asked <= 2, "it was decided before"


@pytest.mark.parametrize("number", range(1, 5))
async def test_killed_behind_any_checkpoint_after_the_answer_it_does_it_once(
    desk, mortal, shop, number
):
    await desk.say(CHARGE)
    await mortal.dies(APPROVE, "after_checkpoint:put", number=number)
    assert '"amount": 1200' in await finish(desk)
    assert shop.happened() == ["charge"]
    assert await desk.receipts() == [DONE]
    assert desk.model.asked <= 2, "it was decided before"


@pytest.mark.parametrize("at", WITHOUT_A_KEY)
async def test_killed_where_the_service_honours_no_key_it_looks(postgres, mortal, desk, shop, at):
    shop.keys(honour=False)
    async with open_desk(postgres, shop.url, PROVABLE) as looking:
        looking.thread = desk.thread
        looking.model.then(*[decides] * 9)
        await looking.say(CHARGE)
        await mortal.dies(APPROVE, at, keyed=False)
        assert '"amount": 1200' in await finish(looking)
        assert await looking.receipts() == [DONE]
    assert shop.happened() == ["charge"]


async def test_killed_in_a_tool_without_key_or_probe_it_asks(desk, mortal, shop):
    await desk.say("tip card_id=card_ada_1 amount=200")
    await mortal.dies(APPROVE, "after_reply:own")
    [question] = (await taken_over(desk.go_on)).interrupts
    assert "(tip)" in question.value["action_requests"][0]["description"]
    await desk.answer({"type": "respond", "message": "it happened"})
    assert shop.happened() == ["charge"]
    assert await desk.receipts() == [("tip", "done")]


@pytest.mark.parametrize("durability", ["sync", "async"])
async def test_killed_in_the_run_that_a_message_began_nothing_is_forgotten(
    postgres: Postgres, mortal: Mortal, desk: Desk, shop: Shop, durability: str
):
    await mortal.dies(CHARGE, "after_reply:own", free=True, durability=durability)
    assert '"amount": 1200' in await finish(desk)
    assert shop.happened() == ["charge"]
    assert await desk.receipts() == [DONE]


async def test_what_nobody_takes_up_is_recovered(desk: Desk, mortal: Mortal, shop: Shop):
    await desk.say(CHARGE)
    await mortal.dies(APPROVE, "after_reply:own")
    assert desk.ledger is not None
    async with SYSTEM.timeout(PATIENCE):
        # Until Postgres has seen that the process is dead, it is taken for one at work.
        while not (swept := await desk.ledger.sweep(desk.agent)):
            await SYSTEM.sleep(0.02)
    assert swept == {desk.thread: "finished"}
    assert await desk.ledger.sweep(desk.agent) == {}
    assert '"amount": 1200' in await desk.said()
    assert shop.happened() == ["charge"]
    assert await desk.receipts() == [DONE]


async def test_the_same_agent_without_the_middleware_charges_twice(postgres, mortal, desk, shop):
    await mortal.dies(CHARGE, "after_reply:own", daybook=False)
    async with open_desk(postgres, shop.url, with_ledger=False) as plain:
        plain.thread = desk.thread
        plain.model.then(decides, decides)
        await taken_over(plain.go_on)
    assert shop.happened() == ["charge", "charge"]
