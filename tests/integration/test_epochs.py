"""Epochs of the prompt: when one begins and what it keeps; and lessons, counted, shown, retired."""

import asyncio

import psycopg
import pytest
from langchain_core.messages import SystemMessage
from psycopg.errors import CheckViolation

from daybook.checkpoints.people.memory import Occurrence
from daybook.checkpoints.pool import rows_of
from daybook.checkpoints.postgres import Postgres
from daybook.graph.build import build
from daybook.state.clock import SYSTEM
from daybook.state.errors import DatabaseUnavailable
from daybook.state.prompt.epoch import BUDGET, COLD, PAID
from daybook.state.prompt.lessons import Lesson
from daybook.state.prompt.progress import parse
from daybook.testing.model import Prompt, last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.cuts import Cut, CutSaver, Fuse
from tests.history import at as gone_back
from tests.purchases import PURCHASE, asked_to_buy, bought, rebuilt, with_boots

REVIEWS = [("get_reviews", {"sku": "BOOT-001"})]

MINUTE, HOUR = 60, 3600

"""In seconds."""

LOOK = [("search_products", {"query": "boots", "limit": 8})]


def digest_of(prompt: Prompt) -> str:
    """Return the digest of the epoch that a prompt is of."""
    found = [m.text for m in prompt[1:] if isinstance(m, SystemMessage)]
    return next((text for text in found if text.startswith("# Progress")), "")


def texts_of(prompt: Prompt) -> str:
    return "\n".join(message.text for message in prompt)


async def looked(talk: Conversation, agent: Agent, times: int, what=LOOK) -> None:
    for n in range(times):
        agent.model.then(what, f"answer {n} of a search")
        await talk.say(f"wish {n}")


async def test_a_pause_longer_than_the_cache_begins_a_new_epoch_at_the_next_message(
    agent: Agent, shop: Shop
):
    talk = Conversation(agent.graph)
    await looked(talk, agent, 3)
    assert (await talk.state()).values["epoch"]["number"] == 0
    await SYSTEM.sleep(29 * MINUTE)
    await looked(talk, agent, 1)
    assert (await talk.state()).values["epoch"]["number"] == 0
    await SYSTEM.sleep(31 * MINUTE)
    await looked(talk, agent, 1)
    state = (await talk.state()).values
    assert (state["epoch"]["number"], state["epoch"]["why"]) == (1, COLD)
    assert state["asked"]["shared"] > 0


async def test_the_budget_is_never_passed_not_even_within_one_turn(agent: Agent, shop: Shop):
    agent = rebuilt(agent, budget=5_000)
    talk = Conversation(agent.graph)
    sizes = []
    for n in range(2):
        agent.model.then(REVIEWS * 4, LOOK * 4, REVIEWS * 4, f"answer {n}")
        await talk.say("word " * 900)
        sizes.append(sum((await talk.state()).values["asked"]["zones"]))
    assert max(sizes) <= 5_000
    state = (await talk.state()).values
    assert state["epoch"]["why"] == BUDGET


async def test_the_messages_of_the_user_outlive_epochs_verbatim(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then("Noted.")
    await talk.say("I hate red, need it by Friday. My card is 4242 4242 4242 4242.")
    for n in range(3):
        await looked(talk, agent, 3)
        await SYSTEM.sleep(HOUR)
        await looked(talk, agent, 1)
        assert (await talk.state()).values["epoch"]["number"] == n + 1
        digest = digest_of(agent.model.prompts[-1])
        said = parse(digest).said
        assert said[0].startswith("I hate red, need it by Friday.")
        assert len(said) == len(set(said)), "each message once"
        assert "4242 4242" not in digest
    stored = await agent.resources.postgres.documents.versions(talk.thread_id)
    assert all("- I hate red, need it by Friday." in one.document for one in stored)


async def test_a_long_conversation_is_rewritten_when_its_rent_has_paid_for_it_and_tells_a_purchase(
    agent: Agent, shop: Shop
):
    talk = await bought(agent)
    await looked(talk, agent, 14)
    state, prompt = (await talk.state()).values, agent.model.prompts[-1]
    assert state["epoch"]["number"] >= 1
    assert state["epoch"]["why"] == PAID
    assert digest_of(prompt) == state["epoch"]["digest"]
    humans = [message.text for message in prompt if message.type == "human"]
    assert ("wish 0" in humans, "wish 13" in humans) == (False, True)
    stored = await agent.resources.postgres.documents.versions(talk.thread_id)
    assert [version.why for version in stored] == [PAID] * state["epoch"]["number"]
    assert stored[-1].digest == digest_of(prompt)
    assert any("order DB-" in line for line in parse(digest_of(prompt)).decided)
    assert shop.happened() == PURCHASE
    # The cancellation is of an order that only the digest tells of.
    order = state["checkout"].orders[0].order_id
    agent.model.then([("cancel_order", {"order_id": order})], last_result)
    await talk.say("cancel it")
    await talk.approve()
    assert shop.happened() == [*PURCHASE, "cancel", "refund"]


@pytest.mark.parametrize(
    "moment",
    [0, 3, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2, 4, 5))],
)
async def test_a_death_around_the_rewrite_asks_no_model_twice_and_keeps_one_document(
    agent: Agent, shop: Shop, moment: int
):
    talk = Conversation(agent.graph)
    await looked(talk, agent, 3)
    await SYSTEM.sleep(HOUR)
    fuse = Fuse()
    cut = build(agent.domain, lambda: agent.resources, CutSaver(agent.resources.postgres, fuse))
    agent.model.then("after the pause")
    fuse.light(moment)
    with pytest.raises(Cut):
        await Conversation(cut, thread=talk.thread_id).say("I am back", "back")
    done = await talk.say("I am back", "back")
    assert done.values["messages"][-1].text == "after the pause"
    assert done.values["epoch"]["number"] == 1
    assert agent.model.script == []
    stored = await agent.resources.postgres.documents.versions(talk.thread_id)
    assert [version.epoch for version in stored] == [1]


async def test_nothing_is_dropped_while_the_document_cannot_be_stored(
    agent: Agent, shop: Shop, postgres: Postgres, postgres_url: str
):
    talk = Conversation(agent.graph)
    await looked(talk, agent, 3)
    await SYSTEM.sleep(HOUR)
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute("revoke insert on progress from daybook_app")
    asked = agent.model.asked
    with pytest.raises((psycopg.Error, DatabaseUnavailable)):
        await talk.say("I am back", "back")
    assert agent.model.asked == asked
    assert (await talk.state()).values["epoch"]["number"] == 0
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute("grant insert on progress to daybook_app")
    agent.model.then("welcome")
    done = await talk.say("I am back", "back")
    assert done.values["messages"][-1].text == "welcome"
    assert done.values["epoch"]["number"] == 1


async def test_somebody_who_goes_back_to_before_a_rewrite_gets_its_prompt_again(
    agent: Agent, shop: Shop
):
    talk = Conversation(agent.graph)
    await looked(talk, agent, 3)
    before = await talk.state()
    await SYSTEM.sleep(HOUR)
    await looked(talk, agent, 1)
    assert (await talk.state()).values["epoch"]["number"] == 1
    asyncio.get_running_loop().jump(-HOUR)  # type: ignore[attr-defined]
    agent.model.then("another way")
    said = {"role": "user", "content": "otherwise", "id": "otherwise"}
    place = {"checkpoint_id": before.config["configurable"]["checkpoint_id"]}
    config = {"configurable": {**talk.config["configurable"], **place}}
    await agent.graph.ainvoke({"messages": [said]}, config)
    prompt = agent.model.prompts[-1]
    assert digest_of(prompt) == ""
    assert "wish 0" in texts_of(prompt)


async def test_a_turn_that_no_prompt_can_hold_is_ended_and_the_next_one_is_read_in_full(
    agent: Agent, shop: Shop
):
    agent = rebuilt(agent, budget=5_000)
    talk = Conversation(agent.graph)
    agent.model.then([("get_reviews", {"sku": f"BOOT-{n:03}"}) for n in range(1, 21)] * 2)
    done = await talk.say("compare them all")
    text = done.values["messages"][-1].text
    assert "The limit is 5000 tokens in one prompt (DAYBOOK_PROMPT_TOKENS)." in text
    assert done.values["epoch"]["number"] <= 5
    agent.model.then(LOOK, "here")
    done = await talk.say("word " * 200 + "end")
    assert done.values["messages"][-1].text == "here"
    # The digest may cut what was said before; what is said now it may not.
    said = [m for m in agent.model.prompts[-1] if not isinstance(m, SystemMessage)]
    assert "word end" in texts_of(said)
    assert "[cut" not in texts_of(said)


async def test_another_branch_of_the_same_place_has_a_document_of_its_own(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([("remember", {"subject": "shoe size", "value": "43 wide"})], "Noted.")
    await talk.say("my shoe size is 43 wide")
    await looked(talk, agent, 2)
    before = await talk.state()
    await SYSTEM.sleep(HOUR)
    agent.model.then([("remember", {"subject": "shoe size", "value": "44 slim"})], "Noted.")
    await talk.say("no, it is 44 slim")
    agent.model.then("another way")
    await gone_back(talk, before.config).say("otherwise")
    prompt = texts_of(agent.model.prompts[-1])
    assert "shoe size: 44 slim" in prompt
    assert "shoe size: 43 wide" not in prompt
    stored = await agent.resources.postgres.documents.versions(talk.thread_id)
    assert [(version.version, version.epoch) for version in stored] == [(1, 1), (2, 2)]


SHORTAGE = ("add_to_cart", "shopping", "out_of_stock")


async def learnt(agent: Agent) -> dict[tuple[str, str, str], Lesson]:
    """Return the lessons by tool, flow position and error."""
    kept = await agent.resources.postgres.lessons.all()
    return {(one.tool, one.flow, one.error): one for one in kept}


async def wants_too_many(agent: Agent, talk: Conversation, sku: str = "BOOT-001") -> None:
    """Let the model ask for more than there are."""
    agent.model.then([("add_to_cart", {"sku": sku, "quantity": 9})], last_result)
    await talk.say(f"nine {sku} please")


def occurred(
    call: str, outcome: str = "failed", thread: str = "t-1", error: str = "no_luck"
) -> Occurrence:
    return Occurrence(thread, "m-1", "shopping", call, "checkout", error, outcome)


def counts(lesson: Lesson) -> tuple[int, int, int]:
    return lesson.count, lesson.helped, lesson.missed


async def test_an_occurrence_is_counted_once_however_often_it_is_reported(postgres: Postgres):
    lessons = postgres.lessons
    await asyncio.gather(*(lessons.count(occurred("0.0")) for _ in range(4)))
    await lessons.count(occurred("0.1"))
    await lessons.count(occurred("0.2", "missed"))
    await lessons.count(occurred("0.3", "helped"))
    await lessons.count(occurred("0.3", "helped"))
    # There is no such lesson that could have helped.
    await lessons.count(occurred("0.4", "helped", error="never_seen"))
    [kept] = await lessons.all()
    assert counts(kept) == (3, 1, 1)


async def test_a_lesson_that_was_shown_in_vain_is_retired_and_kept(postgres: Postgres):
    for number in range(3):
        await postgres.lessons.count(occurred(f"0.{number}", "missed"))
    # This one helped as often as it was missed.
    for number in range(3):
        await postgres.lessons.count(occurred(f"2.{number}", error="useful"))
        await postgres.lessons.count(occurred(f"3.{number}", "helped", error="useful"))
        await postgres.lessons.count(occurred(f"4.{number}", "missed", error="useful"))
    _, live = postgres.memory.asks_at_turn("ada")
    [lesson] = postgres.memory.at_turn_in([], await rows_of(postgres.pool, *live))[1]
    assert lesson.error == "useful"
    await postgres.lessons.count(occurred("0.9"))
    assert postgres.memory.at_turn_in([], await rows_of(postgres.pool, *live))[1] == (lesson,)
    assert len(await postgres.lessons.all()) == 2


@pytest.mark.parametrize("error", ["order DB-1", "ada's card", "order_10001", "declined:", ""])
async def test_the_database_takes_codes_alone(postgres: Postgres, error: str):
    with pytest.raises(CheckViolation):
        await postgres.lessons.count(occurred("0.0", error=error))


async def test_refused_calls_are_lessons_and_a_question_is_none(agent: Agent, shop: Shop):
    shop.product("BOOT-004", stock=1)
    talk = Conversation(agent.graph, "ben")
    await wants_too_many(agent, talk, "BOOT-004")
    agent.model.then(
        [("get_order", {"order_id": "DB-1"}), ("get_product", {"sku": "no sku!"})],
        [("checkout", {})],
        [("add_to_cart", {"sku": "BOOT-001"})],
        # Ben has two cards and no default: it is asked which one.
        [("checkout", {})],
        last_result,
    )
    await talk.say("buy me the boots")
    assert set(await learnt(agent)) == {
        SHORTAGE,
        ("get_order", "shopping", "not_found"),
        ("get_product", "shopping", "invalid_arguments"),
        ("checkout", "shopping", "cart_empty"),
    }


async def test_a_declined_purchase_is_a_lesson(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent, "dan")
    await talk.approve()
    assert shop.happened() == ["reserve", "release"]
    [(key, kept)] = (await learnt(agent)).items()
    assert key == ("checkout", "shopping", "declined:card_declined")
    assert kept.count == 1


async def test_a_lesson_is_shown_after_three_failures_of_two_users(agent: Agent, shop: Shop):
    """What one user does reaches no other user's prompt, however often they do it."""
    shop.product("BOOT-001", stock=2)
    for user in ("ada",) * 6 + ("ben",):
        await wants_too_many(agent, Conversation(agent.graph, user))
    kept = (await learnt(agent))[SHORTAGE]
    assert (kept.count, kept.people) == (7, 2)
    assert not any("lessons:" in m.text for prompt in agent.model.prompts for m in prompt)
    await wants_too_many(agent, Conversation(agent.graph, "dan"))
    [shown] = [m.text for m in agent.model.prompts[-2] if "lessons: add_to_cart" in m.text]
    assert "out_of_stock" in shown
    kept = (await learnt(agent))[SHORTAGE]
    assert (counts(kept), kept.people) == ((8, 0, 1), 3)
    await with_boots(agent)
    assert counts((await learnt(agent))[SHORTAGE]) == (8, 1, 1)
