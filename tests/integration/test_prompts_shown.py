"""The prompt of every decision is shown again as it went over the wire, and proved by the ledger."""

from dataclasses import replace
from typing import Any

import pytest

from daybook.checkpoints.people.erasure import Part, open_eraser
from daybook.graph.build import build
from daybook.graph.serve import Opened
from daybook.nodes.prompt.proof import (
    NOT_COMPILED,
    NOT_KEPT,
    OTHER_TOOLS,
    OTHERWISE,
    Shown,
    past_prompts,
)
from daybook.state.ledger.recovery import Event
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.cuts import Cut, CutSaver, Fuse
from tests.history import at
from tests.integration.wire import Wire
from tests.provider import Request, last_result
from tests.purchases import PURCHASE

LOOK = ("search_products", {"query": "boots", "limit": 8})
ADD = ("add_to_cart", {"sku": "BOOT-001"})
REVIEWS = ("get_reviews", {"sku": "BOOT-001"})


async def shown(opened: Opened | Agent, thread_id: str) -> list[Shown]:
    """Show the prompts of all decisions of a thread, in order."""
    past = await past_prompts(thread_id, opened.domain, opened.resources.postgres)
    return [past.of(entry) for entry in past.entries if entry.event is Event.DECIDED]


async def sent_again(opened: Opened, wire: Wire, thread_id: str, ones: list[Shown]) -> list[Any]:
    """Send prompts to the provider as `decide` does; return what went over the wire."""
    before = len(wire.provider.requests)
    wire.provider.then(*["as before"] * len(ones))
    for one in ones:
        assert one.prompt is not None, one.doubt
        lifetime = one.decided.detail["lifetime"]
        options = opened.resources.caching.options(thread_id, lifetime)
        model = opened.resources.model.bind_tools(one.prompt.tools, **options)
        await model.ainvoke(one.prompt.messages)
    return [request.body for request in wire.provider.requests[before:]]


def of_decisions(requests: list[Request]) -> list[Any]:
    """Leave out what the reviewer was asked, whose answer is no decision of the thread."""
    return [request.body for request in requests if list(request.tools) != ["verdict"]]


@pytest.mark.parametrize("api", ["chat", pytest.param("responses", marks=pytest.mark.long)])
async def test_every_decision_of_a_long_conversation_is_shown_as_it_went_over_the_wire(
    wire: Wire, shop: Shop, api: str
):
    async with wire.agent(api) as agent:
        # The least budget that there may be, so that turns are cut and epochs begin.
        opened = replace(agent, resources=replace(agent.resources, budget=5_000))
        graph = build(opened.domain, lambda: opened.resources, opened.resources.postgres.saver)
        talk, script = Conversation(graph), wire.provider.then
        script([("remember", {"subject": "shoe size", "value": "43 wide"})], "Noted.")
        await talk.say("my shoe size is 43 wide")
        script([("start_interview", {"goal": "sleep warm"})], "How cold will it be?")
        await talk.say("I freeze at night")
        script([("note_brief", {"category": "sleeping-bags"}), ("hand_over", {})], "These.")
        await talk.say("only Torvald knows")
        judged = {"sku": "BOOT-001", "rating": 4, "points_for": ["dry"]}
        script(
            [("compare_reviews", {"skus": ["BOOT-001"]})],
            [("verdict", {"products": [judged]})],
            "It keeps dry.",
        )
        await talk.say("is BOOT-001 dry?")
        for n in range(2):
            script([REVIEWS] * 4, [LOOK] * 4, [REVIEWS] * 4, f"answer {n}")
            await talk.say(f"wish {n} " + "word " * 900)
        script([ADD], "In the cart.")
        await talk.say("add BOOT-001")
        # A process that dies in the middle of a turn, and another one that goes on with it.
        fuse = Fuse()
        dying = build(
            opened.domain, lambda: opened.resources, CutSaver(opened.resources.postgres, fuse)
        )
        script([LOOK], "I am back.")
        fuse.light(3)
        with pytest.raises(Cut):
            await Conversation(dying, thread=talk.thread_id).say("look again", "cut off")
        await talk.say("look again", "cut off")
        script([("checkout", {})], last_result, "It was an order.")
        await talk.say("check out")
        await talk.approve()
        assert shop.happened() == PURCHASE
        left = await talk.state()
        await talk.say("what was that?")
        # Somebody goes back to before that turn, and decides otherwise.
        script([LOOK], "Another way.")
        await at(talk, left.config).say("show me others")
        asked = of_decisions(wire.provider.requests)
        ones = await shown(opened, talk.thread_id)
        # The second but last was taken on the branch that was left.
        assert [one.doubt for one in ones] == [*[""] * (len(asked) - 3), NOT_KEPT, "", ""]
        asked, ones = [*asked[:-3], *asked[-2:]], [*ones[:-3], *ones[-2:]]
        epochs = {one.decided.detail["epoch"] for one in ones}
        assert len(epochs) > 3
        assert any(one.decided.detail.get("tightness") for one in ones)
        assert any(one.decided.detail.get("superseded") for one in ones)
        assert await sent_again(opened, wire, talk.thread_id, ones) == asked


async def only(agent: Agent, talk: Conversation, at: int = -1) -> Shown:
    """Show the prompt of one decision of a thread."""
    return (await shown(agent, talk.thread_id))[at]


async def test_what_cannot_be_proved_is_said_and_what_was_erased_is_not_made_up(
    agent: Agent, shop: Shop
):
    talk = Conversation(agent.graph)
    agent.model.then([ADD], "It is in the cart.")
    await talk.say("add BOOT-001")
    one = await only(agent, talk)
    assert not one.doubt
    past = await past_prompts(talk.thread_id, agent.domain, agent.resources.postgres)
    other = replace(
        agent.domain, prompt=replace(agent.domain.prompt, system="Otherwise."), agents=()
    )
    of_another = replace(past, domain=other).of(one.decided)
    assert of_another.doubt == OTHERWISE
    assert of_another.prompt is not None
    old = replace(one.decided, detail={"prompt": "0" * 32, "ordinal": 1})
    assert past.of(old).doubt == NOT_COMPILED
    zones = [one.decided.detail["zones"][0] + 9, *one.decided.detail["zones"][1:]]
    retold = replace(one.decided, detail={**one.decided.detail, "zones": zones})
    assert past.of(retold).doubt == OTHER_TOOLS
    later = replace(one.decided, detail={**one.decided.detail, "epoch": 7})
    assert past.of(later).doubt == NOT_KEPT
    # Checkpoints are erased first, which hold what was said; then what was called.
    for part in (Part.CHECKPOINTS, Part.PAYLOADS):
        async with open_eraser(agent.resources.postgres) as eraser:
            await eraser.erase(talk.thread_id, lambda held, part=part: [part])
        one = await only(agent, talk)
        assert (one.prompt, one.doubt) == (None, NOT_KEPT)
