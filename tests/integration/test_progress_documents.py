"""The progress of a thread: read, listed, kept in a file, and started from."""

from datetime import timedelta

import psycopg
import pytest

from daybook.checkpoints.people.lifecycle import standing
from daybook.nodes.past.fresh import FRESH_FROM
from daybook.state.errors import ToolRefused
from daybook.state.people.lifecycle import lifecycle
from daybook.state.prompt.progress import parse
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.test_cli import Terminal, terminal
from tests.integration.workers import working
from tests.purchases import PURCHASE, asked_to_buy, bought, rebuilt, with_boots
from tests.scripted import last_result

__all__ = ["terminal"]

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


async def test_the_document_tells_what_the_thread_has_come_to(
    agent: Agent, shop: Shop, terminal: Terminal
):
    talk = await told(agent)
    out, err, code = terminal.run("progress", talk.thread_id)
    assert (err, code) == ("", 0)
    document = parse(out)
    assert [(fact.subject, fact.value) for fact in document.facts] == [("shoe size", "43 wide")]
    assert any("order DB-" in line for line in document.decided)
    sections = {section.title: "\n".join(section.lines) for section in document.now}
    assert "SOCK-001 x1" in sections["Cart"]
    assert "DB-" in sections["Orders"]
    assert document.questions == ("Anything else?",)


async def test_a_new_thread_starts_from_the_document_and_the_state_and_nothing_else(
    agent: Agent, shop: Shop
):
    old = await told(agent)
    new = Conversation(agent.graph)
    await new.happens("begin", type=FRESH_FROM, thread=old.thread_id)
    agent.model.then("Go on.")
    state = await new.say("where were we?")
    prompt = agent.model.prompts[-1]
    text = "\n".join(message.text for message in prompt)
    assert "shoe size: 43 wide" in text
    assert "SOCK-001 x1" in prompt[-1].text
    assert "add SOCK-001" not in text
    assert "Anything else?" not in text
    assert [m.text for m in prompt if m.type == "human"] == ["where were we?"]
    before = (await old.state()).values
    assert state.values["cart"].lines == before["cart"].lines
    assert state.values["cart"].cart_id != before["cart"].cart_id
    agent.model.then([("checkout", {})], last_result)
    await new.say("check out")
    await new.approve()
    assert shop.happened() == PURCHASE * 2


@pytest.mark.parametrize("source", ["somebody else's", "none", "of nobody"])
async def test_only_a_thread_of_ones_own_can_be_started_from(agent: Agent, shop: Shop, source: str):
    of_ben = await with_boots(agent, "ben")
    thread = {"somebody else's": of_ben.thread_id, "none": None, "of nobody": "no-such"}[source]
    new = Conversation(agent.graph)
    with pytest.raises(ToolRefused, match="There is no conversation"):
        await new.happens("begin", type=FRESH_FROM, thread=thread)
    agent.model.then("Hello.")
    state = await new.say("hello")
    assert state.values["cart"].lines == ()
    assert state.values["epoch"]["digest"] == ""


@pytest.mark.parametrize("column", ["domain", "world"])
async def test_a_thread_of_another_domain_or_world_is_not_started_from(
    agent: Agent, shop: Shop, postgres_url: str, column: str
):
    """Its state would not be understood here, or its cart would be of another shop."""
    old = await with_boots(agent)
    agent = rebuilt(agent, world="shop")
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(f"update thread set {column} = 'another'")
    new = Conversation(agent.graph)
    with pytest.raises(ToolRefused, match="There is no conversation"):
        await new.happens("begin", type=FRESH_FROM, thread=old.thread_id)
    agent.model.then("Hello.")
    assert (await new.say("hello")).values["cart"].lines == ()


async def test_a_thread_that_has_begun_starts_from_nothing(agent: Agent, shop: Shop):
    old, other = await with_boots(agent), await with_boots(agent)
    with pytest.raises(ToolRefused, match="has begun"):
        await other.happens("late", type=FRESH_FROM, thread=old.thread_id)
    assert len((await other.state()).values["cart"].lines) == 1


async def test_the_terminal_starts_from_another_thread_and_lists_what_is_kept(
    agent: Agent, shop: Shop, terminal: Terminal
):
    old = await told(agent)
    out, err, code = terminal.run("chat", "--fresh-from", old.thread_id, lines=["show my cart"])
    assert (err, code) == ("", 0)
    assert f"Started from {old.thread_id}" in out
    assert "SOCK-001" in out
    new = next(line for line in out.splitlines() if line.startswith("thread ")).split()[1]
    listed, _, _ = terminal.run("progress", new, "--list")
    assert f"started from {old.thread_id}" in listed
    stored, _, _ = terminal.run("progress", new, "--version", "1")
    there = parse(terminal.run("progress", old.thread_id)[0])
    assert parse(stored).facts == there.facts
    # A handle is a thread's own: here it opens nothing, or later something else.
    assert (len(there.reads), parse(stored).reads) == (1, ())
    _, err, code = terminal.run("progress", new, "--version", "7")
    assert code == 1
    assert "has no version 7" in err
    _, err, code = terminal.run("progress", "no-such")
    assert code == 1
    assert "There is no thread no-such" in err


async def test_what_was_forgotten_since_is_told_no_more(
    agent: Agent, shop: Shop, terminal: Terminal
):
    old, new = await told(agent), Conversation(agent.graph)
    await agent.resources.postgres.memory.forget("ada", "shoe size")
    assert parse(terminal.run("progress", old.thread_id)[0]).facts == ()
    await new.happens("begin", type=FRESH_FROM, thread=old.thread_id)
    (stored,) = await agent.resources.postgres.documents.versions(new.thread_id)
    assert parse(stored.document).facts == ()


async def test_a_conversation_says_where_it_stands(agent: Agent, shop: Shop, terminal: Terminal):
    talk = await asked_to_buy(agent)
    out, err, code = terminal.run("threads", "--user", "ada", "--json")
    assert (err, code) == ("", 0)
    assert '"waits_for": "the customer to decide"' in out
    (question,) = parse(terminal.run("progress", talk.thread_id)[0]).questions
    assert question == "waits for approval: Check out for 98.90 USD"
    postgres = agent.resources.postgres
    (found,) = await standing(postgres.pool, "shop", thread_id=talk.thread_id)
    assert found.status == "waiting"
    assert found.until is not None
    await talk.answer({"type": "reject", "message": "not now"})
    (found,) = await standing(postgres.pool, "shop", thread_id=talk.thread_id)
    assert (found.status, found.asks, found.holds_until) == ("idle", "", None)
    shown = lifecycle(found, {"reads": timedelta(days=7)}, found.last_activity)
    assert shown.waits_for == "ada to speak"
    assert shown.cache_until is not None


async def test_the_worker_closes_what_was_idle_for_its_time(agent: Agent, shop: Shop):
    talk, waiting = await with_boots(agent), await asked_to_buy(agent)
    postgres = agent.resources.postgres
    async with working(agent, keep=timedelta(0)) as said:
        while not any("closed 1 conversations" in line for line in said):
            await postgres.ledger.thread_ids().__anext__()
    statuses = {one.thread_id: one.status for one in await standing(postgres.pool, "shop")}
    assert statuses == {talk.thread_id: "closed", waiting.thread_id: "waiting"}
