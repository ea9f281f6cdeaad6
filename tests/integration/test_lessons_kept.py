"""Lessons: written by the machine after failures, shown where they apply, given up in vain."""

import asyncio
from dataclasses import replace

import pytest
from psycopg.errors import CheckViolation

from daybook.checkpoints.people.lessons import Happened, KeptLesson
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.state.prompt.lessons import Lesson
from daybook.tools.services.http import HttpService
from daybook.tools.shop.contract import SHOP_CONTRACT
from tests.answers import edit
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.cuts import Cut, CutLedger, Fuse
from tests.history import again, before
from tests.integration.test_encryption import holding
from tests.purchases import asked_to_buy, bought, rebuilt, with_boots
from tests.scripted import last_result

SHORTAGE = "only # of # are in stock"


async def learnt(agent: Agent) -> dict[tuple[str, str, str], KeptLesson]:
    """Return the lessons by tool, flow position and error."""
    return {kept.lesson.key: kept for kept in await agent.resources.postgres.lessons.all()}


async def wants_too_many(agent: Agent, talk: Conversation, sku: str = "BOOT-001") -> None:
    """Let the model ask for more than there are."""
    agent.model.then([("add_to_cart", {"sku": sku, "quantity": 9})], last_result)
    await talk.say(f"nine {sku} please")


def a_lesson(tool: str = "checkout", error: str = "no luck") -> Lesson:
    return Lesson(tool=tool, flow="shopping", error=error, advice="Ask first.", count=0)


def happened(call: str, came: str = "failed", thread: str = "t-1") -> Happened:
    return Happened(thread, "m-1", call, came)  # type: ignore[arg-type]


async def of_two_people(agent: Agent) -> None:
    """Begin a thread of Ada and one of Ben."""
    for number, user in enumerate(("ada", "ben")):
        agent.model.then("Hello.")
        await Conversation(agent.graph, user, thread=f"thread-{number}").say("hello")


# -- how they are counted -------------------------------------------------------------------------


async def test_what_happened_is_counted_once_however_often_it_is_told(postgres: Postgres):
    lessons = postgres.lessons
    await asyncio.gather(*(lessons.count(a_lesson(), happened("0.0")) for _ in range(4)))
    await lessons.count(a_lesson(), happened("0.1"))
    await lessons.count(a_lesson(), happened("0.2", "missed"))
    await lessons.count(a_lesson(), happened("0.3", "helped"))
    await lessons.count(a_lesson(), happened("0.3", "helped"))
    # Nothing was learnt that could have helped.
    await lessons.count(a_lesson(error="never seen"), happened("0.4", "helped"))
    [kept] = await lessons.all()
    assert (kept.lesson.count, kept.lesson.helped, kept.lesson.missed) == (3, 1, 1)
    assert [(one.call, one.came) for one in kept.evidence] == [
        ("0.0", "failed"),
        ("0.1", "failed"),
        ("0.2", "missed"),
        ("0.3", "helped"),
    ]


async def test_the_last_few_things_that_happened_are_kept_as_evidence(postgres: Postgres):
    for number in range(8):
        await postgres.lessons.count(a_lesson(), happened(f"0.{number}"))
    [kept] = await postgres.lessons.all()
    assert kept.lesson.count == 8
    assert [one.call for one in kept.evidence] == ["0.3", "0.4", "0.5", "0.6", "0.7"]


async def test_one_that_was_shown_in_vain_is_retired_and_kept(postgres: Postgres):
    for number in range(3):
        await postgres.lessons.count(a_lesson(), happened(f"0.{number}", "missed"))
    _, live = await postgres.memory.at_turn("ada")
    assert live == ()
    [kept] = await postgres.lessons.all()
    assert kept.retired_at is not None
    await postgres.lessons.count(a_lesson(), happened("0.9"))
    assert (await postgres.memory.at_turn("ada"))[1] == ()


async def test_another_tenant_learns_for_itself(postgres: Postgres, postgres_url: str):
    await postgres.lessons.count(a_lesson(), happened("0.0"))
    async with open_postgres(postgres_url, tenant_id="other", stored_types=()) as other:
        assert await other.lessons.all() == []
        await other.lessons.count(a_lesson(), happened("0.0"))
        assert await other.lessons.retire("checkout") == [("checkout", "shopping", "no luck")]
    [kept] = await postgres.lessons.all()
    assert kept.retired_at is None


async def test_the_database_takes_no_error_with_a_name_or_a_number(postgres: Postgres):
    for error in ("order DB-1", "Ada's card", "no luck: 3", "'quoted'", ""):
        with pytest.raises(CheckViolation):
            await postgres.lessons.count(a_lesson(error=error), happened("0.0"))


# -- what they are made of ------------------------------------------------------------------------


async def test_a_refused_change_is_a_lesson_without_what_it_was_about(
    agent: Agent, shop: Shop, postgres_url: str
):
    shop.product("BOOT-001", stock=2)
    shop.product("BOOT-004", stock=1)
    # No name that an id in hex could spell, as "ada".
    talk = Conversation(agent.graph, user="bob")
    await wants_too_many(agent, talk)
    await wants_too_many(agent, talk, "BOOT-004")
    [kept] = (await learnt(agent)).values()
    assert kept.lesson.key == ("add_to_cart", "shopping", SHORTAGE)
    assert kept.lesson.count == 2
    assert {one.thread_id for one in kept.evidence} == {talk.thread_id}
    assert "lesson" not in holding(postgres_url, "BOOT-001", "BOOT-004", "bob")


async def test_a_refused_read_and_a_refused_plan_are_lessons_and_a_question_is_none(agent: Agent):
    talk = Conversation(agent.graph, "ben")
    agent.model.then(
        [("get_order", {"order_id": "DB-1"}), ("get_product", {"sku": "no sku!"})],
        [("checkout", {})],
        [("add_to_cart", {"sku": "BOOT-001"})],
        # Ben has two cards and no default: it is asked which one.
        [("checkout", {})],
        last_result,
    )
    assert "needs card_id" in answer_of(await talk.say("buy me the boots"))
    assert set(await learnt(agent)) == {
        ("get_order", "shopping", "there is no such order"),
        ("get_product", "shopping", "the arguments do not fit"),
        ("checkout", "shopping", "the cart is empty"),
    }


async def test_what_no_model_can_mend_is_no_lesson(agent: Agent):
    await agent.resources.postgres.rules.switch(
        "list_orders", is_off=True, why="we count them", by="olga"
    )
    # Nobody listens there.
    away = HttpService("http://127.0.0.1:9", SHOP_CONTRACT)
    cut_off = rebuilt(agent, services=replace(agent.resources.services, shop=away))
    agent.model.then(
        [
            ("list_orders", {}),
            ("get_product", {"sku": "BOOT-001"}),
            ("add_to_cart", {"sku": "BOOT-001"}),
            ("Ada Lovelace", {}),
            ("release_inventory", {"hold_id": "H-1"}),
        ],
        "Well.",
    )
    await Conversation(cut_off.graph).say("look around")
    await away.close()
    refused = [m.text for m in agent.model.prompts[-1] if m.type == "tool"]
    assert len(refused) == 5
    assert all("refused" in text for text in refused)
    assert await learnt(agent) == {}


async def test_a_purchase_that_failed_and_was_undone_is_a_lesson(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent, "dan")
    await talk.approve()
    assert shop.happened() == ["reserve", "release"]
    [kept] = (await learnt(agent)).values()
    assert kept.lesson.key == ("checkout", "shopping", "charge card declined")
    assert kept.lesson.count == 1


@pytest.mark.parametrize("answer", [{"type": "reject"}, edit(card_id="card_hugo_1")])
async def test_a_persons_no_is_no_lesson(agent: Agent, answer: object):
    talk = await asked_to_buy(agent, "hugo")
    await talk.answer(answer)  # type: ignore[arg-type]
    assert await learnt(agent) == {}


async def test_a_node_that_runs_again_counts_nothing_twice(agent: Agent, shop: Shop):
    shop.product("BOOT-001", stock=2)
    postgres, fuse = agent.resources.postgres, Fuse()
    talk = Conversation(agent.graph)
    await wants_too_many(agent, talk)
    await again(talk, await before(talk, "change"))
    await again(talk, await before(talk, "respond"))
    postgres.ledger, kept = CutLedger(postgres, fuse, "before"), postgres.ledger
    agent.model.then([("add_to_cart", {"sku": "BOOT-001", "quantity": 9})], last_result)
    # What is received, both decisions: it dies before the turn's last entry.
    fuse.light(3)
    with pytest.raises(Cut):
        await talk.say("nine again")
    postgres.ledger = kept
    agent.model.then(last_result)
    await talk.run(None)
    assert (await learnt(agent))[("add_to_cart", "shopping", SHORTAGE)].lesson.count == 2


# -- where they are shown, and what comes of it ---------------------------------------------------


async def test_a_lesson_is_shown_once_it_was_seen_with_two_people_and_three_times(
    agent: Agent, shop: Shop
):
    """What one person does reaches nobody's prompt, not by how often they do it."""
    shop.product("BOOT-001", stock=2)
    key = ("add_to_cart", "shopping", SHORTAGE)
    for _ in range(6):
        await wants_too_many(agent, Conversation(agent.graph))
    lesson = (await learnt(agent))[key].lesson
    assert (lesson.count, lesson.people) == (6, 1)
    await wants_too_many(agent, Conversation(agent.graph, "ben"))
    assert not any("lessons:" in m.text for prompt in agent.model.prompts for m in prompt)
    lesson = (await learnt(agent))[key].lesson
    assert (lesson.count, lesson.people) == (7, 2)
    await wants_too_many(agent, Conversation(agent.graph, "dan"))
    lesson = (await learnt(agent))[key].lesson
    assert (lesson.count, lesson.people, lesson.helped, lesson.missed) == (8, 3, 0, 1)
    shown = [m.text for m in agent.model.prompts[-2] if "lessons:" in m.text]
    assert [line for text in shown for line in text.split("\n") if line.startswith("lessons")] == [
        f"lessons: add_to_cart: {lesson.advice} (7 times)"
    ]
    await with_boots(agent)
    lesson = (await learnt(agent))[key].lesson
    assert (lesson.count, lesson.helped, lesson.missed) == (8, 1, 1)


async def test_a_plan_that_succeeds_after_a_lesson_was_shown_of_it_helped(
    agent: Agent, postgres: Postgres
):
    await of_two_people(agent)
    for number in range(3):
        thread = f"thread-{number % 2}"
        await postgres.lessons.count(a_lesson(), happened(f"0.{number}", thread=thread))
    await bought(agent)
    [kept] = await postgres.lessons.all()
    assert (kept.lesson.count, kept.lesson.helped, kept.lesson.missed) == (3, 1, 0)
