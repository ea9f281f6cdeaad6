"""Lessons: counted from failed calls, shown where they apply, retired when they do not help."""

import asyncio

import pytest
from psycopg.errors import CheckViolation

from daybook.checkpoints.people.lessons import Occurrence
from daybook.checkpoints.postgres import Postgres
from daybook.state.prompt.lessons import Lesson
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import asked_to_buy, with_boots

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
    _, [live] = await postgres.memory.at_turn("ada")
    assert live.error == "useful"
    await postgres.lessons.count(occurred("0.9"))
    assert (await postgres.memory.at_turn("ada"))[1] == (live,)
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
