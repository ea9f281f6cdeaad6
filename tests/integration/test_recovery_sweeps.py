"""A purchase whose process dies at every moment there is, one moment a run.

The moments are: just before and just after each page of the ledger is committed, just before each
write of the checkpointer, and on either side of each call to the shop.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace

import pytest

from checkpoints.postgres import Postgres, open_postgres
from graph.build import build
from state.agent import STORED_TYPES
from state.recovery import Event, StepState
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.cuts import Cut, CutLedger, CutSaver, Fuse, Moment, cut_call
from tests.purchases import (
    PURCHASE,
    asked_to_buy,
    calm,
    entries,
    events,
    hurried_agent,
    rebuilt,
    still_held,
    work_list,
)
from tests.scripted import Prompt, Turn
from tools.shop.domain import STORED_TYPES as SHOP_TYPES

MOST_MOMENTS = 100
"""More than any purchase has: a sweep that goes on so long does not end."""

Road = Callable[[Conversation], Awaitable[object]]


def decides(prompt: Prompt) -> Turn:
    """Decide as a good model does: by what the prompt says and not by how often it was asked."""
    latest = max(index for index, message in enumerate(prompt) if message.type == "human")
    results = [message.text for message in prompt[latest:] if message.type == "tool"]
    if results:
        return results[-1]
    match prompt[latest].text:
        case "add BOOT-001":
            return [("add_to_cart", {"sku": "BOOT-001"})]
        case "check out":
            return [("checkout", {})]
        case _:
            return "I see."


@dataclass
class Pair:
    """Hold the process that dies and the one that comes after it, on one database."""

    dying: Agent
    living: Agent
    fuse: Fuse

    async def dies_in(self, moments: int, shop: Shop, road: Road) -> bool:
        """Buy boots, die after so many moments, and continue.

        Returns:
            Whether it came to the death at all; a purchase has only so many moments.
        """
        before = len(shop.effects())
        talk = Conversation(self.dying.graph)
        later = Conversation(self.living.graph, thread=talk.thread_id)
        for agent in (self.dying, self.living):
            agent.model.script[:] = [decides] * MOST_MOMENTS
        await talk.say("add BOOT-001")
        self.fuse.light(moments)
        dead = False
        try:
            await talk.say("check out", "m-2")
            await talk.approve()
        except Cut:
            dead = True
        self.fuse.left, self.fuse.blown = None, False
        if dead:
            await road(later)
        if (await later.state()).interrupts:
            await later.approve()
        await self.judge(later, [effect for effect, _ in shop.effects()[before:]])
        assert still_held(shop) == []
        return dead

    async def judge(self, talk: Conversation, happened: list[str]) -> None:
        """See that it was bought once and said so; only a mail may be in doubt."""
        done = await talk.state()
        assert done.values["flow"] == "ordered"
        assert done.tasks == ()
        found = [e.event for e in await entries(self.living, talk)]
        assert found.count(Event.DECIDED) == 4
        mail = (await events(self.living, talk, "/send_email"))[-1]
        if mail is Event.IN_DOUBT:
            assert happened in (PURCHASE, PURCHASE[:3])
            assert "in doubt whether the confirmation mail was sent" in answer_of(done)
        else:
            assert happened == PURCHASE
            assert "confirmation mailed" in answer_of(done)
        left = await work_list(self.living, talk)
        assert list(left.values()) == [StepState.IN_DOUBT] * (mail is Event.IN_DOUBT)


@pytest.fixture
async def pair(postgres: Postgres, postgres_url: str, shop: Shop) -> AsyncIterator[Pair]:
    """Yield two processes; what the first one dies of is for the test to say."""
    types = (*STORED_TYPES, *SHOP_TYPES)
    async with (
        hurried_agent(postgres, shop) as first,
        open_postgres(postgres_url, tenant_id="default", stored_types=types) as second,
    ):
        yield Pair(first, rebuilt(first, postgres=second), Fuse())


async def repeated(talk: Conversation) -> None:
    """Send the message again, as a client does that got no answer."""
    await talk.say("check out", "m-2")


async def continued(talk: Conversation) -> None:
    """Continue without a word; only a message that was never taken is sent again."""
    said = (await talk.state()).values["messages"]
    if any(message.id == "m-2" for message in said):
        await talk.run(None)
    else:
        await repeated(talk)


async def sweep(pair: Pair, shop: Shop, road: Road) -> None:
    """Die at one moment after the other, until a purchase is over before it comes to that."""
    for moments in range(MOST_MOMENTS):
        try:
            dead = await pair.dies_in(moments, shop, road)
        except Exception as error:
            error.add_note(f"the process died after {moments} moments")
            raise
        if not dead:
            assert moments > 10, "a purchase has more moments than that"
            return
    raise AssertionError("the sweep does not end")


@pytest.mark.parametrize(
    ("moment", "road"),
    [("before", continued), ("after", continued), ("after", repeated)],
    ids=["before-continued", "after-continued", "after-repeated"],
)
async def test_a_process_may_die_on_either_side_of_each_page_of_the_ledger(
    pair: Pair, shop: Shop, moment: Moment, road: Road
):
    postgres = pair.dying.resources.postgres
    postgres.ledger = CutLedger(postgres, pair.fuse, moment)
    await sweep(pair, shop, road)


@pytest.mark.parametrize("road", [continued, repeated])
async def test_a_process_may_die_before_each_write_of_the_checkpointer(
    pair: Pair, shop: Shop, road: Road
):
    agent = pair.dying
    saver = CutSaver(agent.resources.postgres, pair.fuse)
    pair.dying = replace(agent, graph=build(agent.domain, agent.resources, saver))
    await sweep(pair, shop, road)


# -- on either side of each call ----------------------------------------------------------------------


@pytest.mark.parametrize("honour", [True, False], ids=["keys-honoured", "keys-ignored"])
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("path", ["/holds", "/charges", "/orders"])
async def test_a_process_may_die_on_either_side_of_each_call(
    postgres: Postgres,
    shop: Shop,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    moment: Moment,
    honour: bool,
):
    shop.keys(honour=honour)
    async with hurried_agent(postgres, shop) as agent:
        talk = await asked_to_buy(agent)
        service = agent.domain.services.shop
        post = service.post
        cut = cut_call(post, moment)

        async def dies_at_path(asked: str, *args: object, **more: object) -> object:
            return await (cut if asked == path else post)(asked, *args, **more)

        with monkeypatch.context() as patch:
            patch.setattr(service, "post", dies_at_path)
            with pytest.raises(Cut):
                await talk.approve()
        done = await talk.run(None)
        await calm(shop)
        assert shop.happened() == PURCHASE
        assert "order DB-" in answer_of(done)
        assert await work_list(agent) == {}
        assert agent.model.asked == 4


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("path", ["/refunds", "/releases"])
async def test_a_process_may_die_on_either_side_of_each_compensation(
    postgres: Postgres, shop: Shop, monkeypatch: pytest.MonkeyPatch, path: str, moment: Moment
):
    shop.keys(honour=False)
    async with hurried_agent(postgres, shop) as agent:
        talk = await asked_to_buy(agent)
        shop.fault("orders", "refuse", times=agent.resources.patience.attempts)
        service = agent.domain.services.shop
        post = service.post
        cut = cut_call(post, moment)

        async def dies_at_path(asked: str, *args: object, **more: object) -> object:
            return await (cut if asked == path else post)(asked, *args, **more)

        with monkeypatch.context() as patch:
            patch.setattr(service, "post", dies_at_path)
            with pytest.raises(Cut):
                await talk.approve()
        done = await talk.run(None)
        assert shop.happened() == ["reserve", "charge", "refund", "release"]
        assert "Undone: reserve BOOT-001, charge." in answer_of(done)
        assert await work_list(agent) == {}


@pytest.mark.parametrize(("moment", "happens"), [("before", PURCHASE[:3]), ("after", PURCHASE)])
async def test_a_process_may_die_on_either_side_of_the_mail_which_is_then_in_doubt(
    postgres: Postgres,
    shop: Shop,
    monkeypatch: pytest.MonkeyPatch,
    moment: Moment,
    happens: list[str],
):
    async with hurried_agent(postgres, shop) as agent:
        talk = await asked_to_buy(agent)
        mail = agent.domain.services.mail
        with monkeypatch.context() as patch:
            patch.setattr(mail, "send", cut_call(mail.send, moment))
            with pytest.raises(Cut):
                await talk.approve()
        done = await talk.run(None)
        assert shop.happened() == happens
        assert "in doubt whether the confirmation mail was sent" in answer_of(done)
        assert (await events(agent, talk, "/send_email"))[-1] is Event.IN_DOUBT
