"""What the console's pages read: what waits for whom, and the search over the ledger."""

from datetime import timedelta

from daybook.checkpoints.ledger.search import Search, Wanted
from daybook.checkpoints.ledger.steps import Questions
from daybook.state.clock import SYSTEM
from daybook.state.ledger.recovery import StepState
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import asked_to_buy, bought


async def test_a_plan_waits_for_a_person_until_it_is_decided(agent: Agent, shop: Shop):
    postgres, domain = agent.resources.postgres, agent.domain.name
    questions = Questions(postgres.pool)
    talk = await asked_to_buy(agent)
    [waiting] = await questions.waiting([domain], None, 10)
    assert (waiting.thread_id, waiting.user_id, waiting.is_doubt) == (talk.thread_id, "ada", False)
    assert waiting.until is not None
    assert waiting.until > waiting.asked_at
    assert await questions.waiting([domain], "ada", 10) == [waiting]
    assert await questions.waiting([domain], "ben", 10) == []
    assert await questions.waiting(["another"], None, 10) == []
    await talk.approve()
    assert await questions.waiting([domain], None, 10) == []


async def test_a_step_in_doubt_waits_for_a_person_and_the_longest_waiting_comes_first(
    agent: Agent, shop: Shop
):
    questions = Questions(agent.resources.postgres.pool)
    mail = ("send_email", {"subject": "Hello", "body": "As you asked."})
    agent.model.then([mail], last_result)
    talk = await asked_to_buy_after(agent, shop)
    waiting = await questions.waiting([agent.domain.name], None, 10)
    assert [one.is_doubt for one in waiting] == [True, False]
    assert waiting[1].thread_id == talk
    assert len(await questions.waiting([agent.domain.name], None, 1)) == 1


async def asked_to_buy_after(agent: Agent, shop: Shop) -> str:
    """Leave a mail in doubt, then bring a purchase to its question; return its thread."""
    doubted = Conversation(agent.graph)
    await doubted.say("mail me")
    shop.fault("mail", "drop")
    await doubted.approve()
    agent.model.script.clear()
    return (await asked_to_buy(agent)).thread_id


async def test_steps_are_found_in_the_state_that_the_plan_says_they_are_in(
    agent: Agent, shop: Shop
):
    search = Search(agent.resources.postgres.pool)
    await bought(agent)
    declined = await asked_to_buy(agent, "dan")
    await declined.approve()
    await asked_to_buy(agent, "hugo")
    found = await search.steps(Wanted(), None, 100)
    states = {(hit.user_id, hit.tool): hit.state for hit in found.steps}
    tools = ("reserve_inventory", "charge_payment", "place_order", "send_email")
    assert {states["ada", tool] for tool in tools} == {StepState.DONE}
    assert [states["dan", tool] for tool in tools] == [
        StepState.UNDONE,
        StepState.NEGATIVE,
        StepState.VOID,
        StepState.VOID,
    ]
    assert {states["hugo", tool] for tool in tools} == {StepState.INTENDED}
    assert found.older is None


async def test_a_search_is_narrowed_by_each_field_and_paged_without_gaps(agent: Agent, shop: Shop):
    search = Search(agent.resources.postgres.pool)
    await bought(agent)
    await bought(agent, "hugo")
    everything = (await search.steps(Wanted(), None, 100)).steps
    assert len(everything) == 8

    async def count(**wanted: object) -> int:
        return len((await search.steps(Wanted(**wanted), None, 100)).steps)  # type: ignore[arg-type]

    cents, now = everything[0].total.amount, SYSTEM.now()  # type: ignore[union-attr]
    assert await count(tool="charge_payment") == 2
    assert await count(user_id="hugo") == 4
    assert await count(state=StepState.UNDONE) == 0
    assert (await count(at_least=cents), await count(at_least=cents + 1)) == (8, 0)
    assert (await count(at_most=cents), await count(at_most=cents - 1)) == (8, 0)
    assert await count(since=now - timedelta(hours=1), until=now + timedelta(hours=1)) == 8
    assert await count(since=now + timedelta(hours=1)) == 0
    assert await count(until=now - timedelta(hours=1)) == 0

    paged, older = [], None
    while True:
        page = await search.steps(Wanted(), older, 3)
        paged += page.steps
        older = page.older
        if older is None:
            break
    assert paged == everything


async def test_how_far_a_thread_has_come_is_told(agent: Agent, shop: Shop):
    search = Search(agent.resources.postgres.pool)
    talk = await asked_to_buy(agent)
    before = await search.heads([talk.thread_id, "nobody's"])
    assert set(before) == {talk.thread_id}
    assert before[talk.thread_id][1] is False
    await talk.approve()
    after = await search.heads([talk.thread_id])
    assert after[talk.thread_id][0] > before[talk.thread_id][0]
    [seen] = await search.threads([agent.domain.name], "ada", 10)
    assert (seen.thread_id, seen.status) == (talk.thread_id, "idle")
