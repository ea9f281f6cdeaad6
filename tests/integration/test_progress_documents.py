"""The progress of a thread: read, listed, kept in a file, and started from."""

import psycopg
import pytest

from daybook.nodes.past.fresh import FRESH_FROM
from daybook.state.errors import ToolRefused
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import PURCHASE, bought, rebuilt, with_boots

LOOK = ("get_product", {"sku": "SOCK-001"})
REMEMBER = ("remember", {"subject": "shoe size", "value": "43 wide"})


async def told(agent: Agent) -> Conversation:
    """Buy boots, say a fact, look at socks and put them into the cart."""
    talk = await bought(agent)
    agent.model.then([REMEMBER, LOOK], "Noted.")
    agent.model.then([("add_to_cart", {"sku": "SOCK-001"})], "Anything else?")
    await talk.say("my shoe size is 43 wide")
    await talk.say("add SOCK-001")
    return talk


async def test_a_new_thread_starts_from_the_document_and_the_state(agent, shop):
    old = await told(agent)
    new = Conversation(agent.graph)
    await new.happens("begin", type=FRESH_FROM, thread=old.thread_id)
    agent.model.then("Go on.")
    state = await new.say("where were we?")
    prompt = agent.model.prompts[-1]
    text = "\n".join(message.text for message in prompt)
    assert "shoe size: 43 wide" in text
    assert "SOCK-001 x1" in prompt[-1].text
    assert "Anything else?" not in text
    assert [m.text for m in prompt if m.type == "human"] == ["where were we?"]
    before = (await old.state()).values
    assert state.values["cart"].lines == before["cart"].lines
    assert state.values["cart"].cart_id != before["cart"].cart_id
    agent.model.then([("checkout", {})], last_result)
    await new.say("check out")
    await new.approve()
    assert shop.happened() == PURCHASE * 2


async def test_only_a_thread_of_ones_own_that_is_understood_can_be_started_from(
    agent: Agent, shop: Shop, postgres_url: str
):
    agent = rebuilt(agent, world="shop")
    of_ben, old = await with_boots(agent, "ben"), await with_boots(agent)
    new = Conversation(agent.graph)
    for thread in (of_ben.thread_id, None, "no-such"):
        with pytest.raises(ToolRefused, match="There is no conversation"):
            await new.happens("begin", type=FRESH_FROM, thread=thread)
    for column in ("domain", "world"):
        # Its state would not be understood here, or its cart would be of another shop.
        changed = f"update thread set {column} = %s where thread_id = %s returning old.{column}"
        with psycopg.connect(postgres_url, autocommit=True) as owner:
            (before,) = owner.execute(changed, ("another", old.thread_id)).fetchone()
            with pytest.raises(ToolRefused, match="There is no conversation"):
                await new.happens("begin", type=FRESH_FROM, thread=old.thread_id)
            owner.execute(changed, (before, old.thread_id))
    agent.model.then("Hello.")
    state = await new.say("hello")
    assert state.values["cart"].lines == ()
    assert state.values["epoch"]["digest"] == ""


async def test_a_thread_that_has_begun_starts_from_nothing(agent: Agent, shop: Shop):
    old, other = await with_boots(agent), await with_boots(agent)
    with pytest.raises(ToolRefused, match="has begun"):
        await other.happens("late", type=FRESH_FROM, thread=old.thread_id)
    assert len((await other.state()).values["cart"].lines) == 1
