"""What the console's pages read: what waits for whom, and the search over the ledger."""

from datetime import timedelta

from daybook.checkpoints.ledger.search import Search, Wanted
from daybook.state.clock import SYSTEM
from daybook.state.ledger.recovery import StepState
from tests.conftest import Agent, Shop
from tests.purchases import asked_to_buy, bought


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
