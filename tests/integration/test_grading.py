"""A thread is graded from its ledger."""

import pytest

from daybook.app.grading.grade import Trajectory, grade
from daybook.app.grading.history import read_trajectory
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.state.errors import DaybookError
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent
from tests.conversation import Conversation
from tests.history import at, checkpoints
from tests.purchases import bought, with_boots


async def trajectory_of(agent: Agent, talk: Conversation) -> Trajectory:
    return await read_trajectory(agent.resources.postgres, SHOP, talk.thread_id)


def wrong(trajectory: Trajectory) -> list[tuple[str, int, str]]:
    """Return the steps that are not right: key, score, why."""
    return [
        (verdict.step.key, verdict.score, verdict.why)
        for verdict in grade(trajectory).verdicts
        if verdict.score != 1 or verdict.findings
    ]


async def test_every_step_of_a_purchase_is_right_until_it_is_erased(agent: Agent):
    talk = await bought(agent)
    trajectory = await trajectory_of(agent, talk)
    assert wrong(trajectory) == []
    assert [(step.key, step.tool) for step in trajectory.steps] == [
        ("1/0.0", "add_to_cart"),
        ("1/1", "answer"),
        ("2/0.0", "checkout"),
        ("2/0.0:reserve BOOT-001", "reserve_inventory"),
        ("2/0.0:charge", "charge_payment"),
        ("2/0.0:place order", "place_order"),
        ("2/0.0:mail", "send_email"),
        ("2/1", "answer"),
    ]
    steps = {step.key: step for step in trajectory.steps}
    charge, checkout = steps["2/0.0:charge"], steps["2/0.0"]
    assert (charge.needs, charge.approved_by) == ("customer", "customer")
    assert 0 < charge.approved < charge.attempted
    assert charge.args == {"amount": 9890, "currency": "USD", "card_id": "card_ada_1"}
    assert (checkout.flow, checkout.outcome) == ("shopping", "done")
    assert "checkout" in (checkout.offered or ())
    assert checkout.said == ("add BOOT-001", "check out")
    assert "BOOT-001" in checkout.shown
    assert all(tokens > 0 for tokens in trajectory.tokens.values())
    await what_was_erased_is_said_and_not_judged(agent, talk)


async def what_was_erased_is_said_and_not_judged(agent: Agent, talk: Conversation) -> None:
    async with open_eraser(agent.resources.postgres) as eraser:
        for held in await eraser.of_person("ada"):
            await eraser.erase(held.thread_id, everything)
    trajectory = await trajectory_of(agent, talk)
    assert (trajectory.steps, len(trajectory.tokens)) == ((), 4)
    graded = grade(trajectory)
    assert all(verdict.score != -1 for verdict in graded.verdicts)
    assert len(graded.notes) == 2
    assert graded.notes[0].startswith("Erased decisions: 4.")


async def test_what_is_wrong_in_a_thread_is_found_in_its_ledger(agent: Agent):
    talk = Conversation(agent.graph)
    search = ("search_products", {"query": "hiking boots", "max_price": 12345})
    agent.model.then(
        [search, ("note_brief", {"size": "43"})],
        [search, ("get_product", {"sku": "LAMP-001", "colour": "red"})],
        [("add_to_cart", {"sku": "TENT-004"})],
        "Here you are.",
    )
    await talk.say("boots")
    graded = grade(await trajectory_of(agent, talk))
    found = {
        verdict.step.key: {one.check for one in verdict.findings} for verdict in graded.verdicts
    }
    assert found == {
        "1/0.0": {"invented"},
        "1/0.1": {"arguments"},
        "1/1.0": {"invented", "repeated"},
        "1/1.1": {"arguments", "invented"},
        "1/2.0": {"invented"},
        "1/3": set(),
    }
    # The limit of a search is doubtful; the call of a tool that is not offered is wrong.
    assert [one.score for one in graded.verdicts[:2]] == [0, -1]
    assert graded.first_wrong == graded.verdicts[1]
    assert graded.wasted_tokens == sum([*graded.thread.tokens.values()][1:3])


async def test_a_branch_that_was_left_is_not_judged(agent: Agent):
    talk = await with_boots(agent)
    snapshot = (await checkpoints(talk))[0]
    agent.model.then([("list_orders", {})], "You have none.", [("list_categories", {})], "Boots.")
    await talk.say("my orders?")
    there = at(talk, snapshot.config)
    await there.say("what do you sell?")
    trajectory = await trajectory_of(agent, talk)
    calls = [step.tool for step in trajectory.steps if step.is_call]
    assert calls == ["add_to_cart", "list_categories"]
    assert trajectory.steps[-1].said == ("add BOOT-001", "what do you sell?")
    assert len(trajectory.tokens) == 4
    with pytest.raises(DaybookError, match="No ledger of thread nowhere found"):
        await read_trajectory(agent.resources.postgres, SHOP, "nowhere")
