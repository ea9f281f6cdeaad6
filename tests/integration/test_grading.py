"""A thread is graded from its ledger, and its decisions are asked for again; nothing is executed."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from daybook.app.grading.grade import Check, grade
from daybook.app.grading.history import read_trajectory
from daybook.app.grading.trajectory import Trajectory
from daybook.app.grading.variants import vary
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.graph.serve import Opened
from daybook.state.errors import DaybookError
from daybook.tools.domain import Domain
from daybook.tools.registry import Registry
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent
from tests.conversation import Conversation
from tests.history import at, checkpoints
from tests.integration.wire import Wire
from tests.provider import last_result as said_last
from tests.provider import status
from tests.purchases import bought, with_boots


async def trajectory_of(agent: Agent, talk: Conversation) -> Trajectory:
    return await read_trajectory(agent.resources.postgres, SHOP, talk.thread_id)


def wrong(trajectory: Trajectory) -> list[tuple[str, int, str]]:
    """Return the steps that are not right: key, score, why."""
    return [
        (verdict.step, verdict.score, verdict.why)
        for verdict in grade(trajectory).verdicts
        if verdict.score != 1 or verdict.findings
    ]


async def test_every_step_of_a_purchase_is_right_until_it_is_erased(agent: Agent):
    talk = await bought(agent)
    trajectory = await trajectory_of(agent, talk)
    assert wrong(trajectory) == []
    assert [(step.key, step.tool) for step in trajectory.steps] == [
        ("1/0.0", "add_to_cart"),
        ("2/0.0", "checkout"),
        ("2/0.0:reserve BOOT-001", "reserve_inventory"),
        ("2/0.0:charge", "charge_payment"),
        ("2/0.0:place order", "place_order"),
        ("2/0.0:mail", "send_email"),
    ]
    charge = trajectory.step("2/0.0:charge")
    assert (charge.approval, charge.needs, charge.approved_by) == ("person", "customer", "customer")
    assert 0 < charge.approved < charge.attempted
    assert charge.args == {"amount": 9890, "currency": "USD", "card_id": "card_ada_1"}
    checkout = trajectory.step("2/0.0")
    assert (checkout.flow, checkout.outcome) == ("shopping", "done")
    assert "checkout" in (checkout.offered or ())
    assert checkout.said == ("add BOOT-001", "check out")
    assert "BOOT-001" in checkout.shown
    assert trajectory.decisions[2].tokens > 0
    assert [(one.key, one.kind) for one in trajectory.answers] == [
        ("1/1", "answer"),
        ("2/1", "answer"),
    ]
    await what_was_erased_is_said_and_not_judged(agent, talk)


async def what_was_erased_is_said_and_not_judged(agent: Agent, talk: Conversation) -> None:
    async with open_eraser(agent.resources.postgres) as eraser:
        for held in await eraser.of_person("ada"):
            await eraser.erase(held.thread_id, everything)
    trajectory = await trajectory_of(agent, talk)
    assert (trajectory.steps, len(trajectory.decisions)) == ((), 4)
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
    found = {verdict.step: {one.check for one in verdict.findings} for verdict in graded.verdicts}
    assert found == {
        "1/0.0": {Check.INVENTED},
        "1/0.1": {Check.ARGUMENTS},
        "1/1.0": {Check.INVENTED, Check.REPEATED},
        "1/1.1": {Check.ARGUMENTS, Check.INVENTED},
        "1/2.0": {Check.INVENTED},
        "1/3": set(),
    }
    # The limit of a search is doubtful; the call of a tool that is not offered is wrong.
    assert [graded.of(key).score for key in ("1/0.0", "1/0.1")] == [0, -1]
    assert graded.first_wrong is not None
    assert graded.first_wrong[0].key == "1/0.1"
    assert graded.wasted_tokens == sum(
        d.tokens for d in (await trajectory_of(agent, talk)).decisions[1:3]
    )


async def test_a_branch_that_was_left_is_not_judged(agent: Agent):
    talk = await with_boots(agent)
    snapshot = (await checkpoints(talk))[0]
    agent.model.then([("list_orders", {})], "You have none.", [("list_categories", {})], "Boots.")
    await talk.say("my orders?")
    there = at(talk, snapshot.config)
    await there.say("what do you sell?")
    trajectory = await trajectory_of(agent, talk)
    assert [step.tool for step in trajectory.steps] == ["add_to_cart", "list_categories"]
    assert [turn.said for turn in trajectory.turns] == ["add BOOT-001", "what do you sell?"]
    assert len(trajectory.decisions) == 4
    with pytest.raises(DaybookError, match="no ledger of a thread nowhere"):
        await read_trajectory(agent.resources.postgres, SHOP, "nowhere")


ADD = ("add_to_cart", {"sku": "BOOT-001"})
CHECKOUT: tuple[str, dict[str, Any]] = ("checkout", {})


def stored(url: str) -> dict[str, list[str]]:
    """Return every row of every table, as it stands."""
    with psycopg.connect(url, autocommit=True) as conn:
        tables = conn.execute(
            "select table_name from information_schema.tables "
            "where table_schema = 'daybook' and table_type = 'BASE TABLE' order by 1"
        ).fetchall()
        return {
            name: [
                row[0]
                for row in conn.execute(f'select t::text from "{name}" t order by 1')  # type: ignore[arg-type]
            ]
            for (name,) in tables
        }


def armed(domain: Domain) -> Domain:
    """Return the domain with tools that fail the test when anything of them is run."""

    def explode(*args: Any, **given: Any) -> Any:
        raise AssertionError("a tool was run")

    def trap(tool: Any) -> Any:
        parts = ("run", "build", "probe", "observe")
        return replace(tool, **{part: explode for part in parts if getattr(tool, part, None)})

    registry = domain.registry
    offered = [registry.offered(name) for name in registry.names]
    steps = [one for one in registry.effects.values() if one not in offered]
    return replace(domain, registry=Registry(map(trap, offered), steps=map(trap, steps)))


@pytest.fixture
def about_to_buy(wire: Wire) -> Callable[[Opened], Awaitable[Conversation]]:
    """Bring a purchase to its question."""

    async def begin(opened: Opened) -> Conversation:
        talk = Conversation(opened.graph)
        wire.provider.then([ADD], "In the cart.", [CHECKOUT], said_last)
        await talk.say("add BOOT-001")
        assert len((await talk.say("check out")).interrupts) == 1
        return talk

    return begin


async def test_proposals_are_judged_beside_each_other_and_nothing_happens(wire, shop, about_to_buy):
    async with wire.agent() as opened:
        talk = await about_to_buy(opened)
        asked = wire.provider.requests[2]
        before, happened = stored(wire.database_url), shop.effects()
        wire.provider.requests.clear()
        wire.provider.script = []
        wire.provider.then(
            [CHECKOUT],
            [("charge_payment", {"amount": 1, "currency": "USD", "card_id": "card_ada_1"})],
            [("add_to_cart", {"sku": "BOOT-777"})],
            [("add_to_cart", '{"sku": ')],
            "Shall I?",
            # It is sent again without what a server may lack.
            status(400, "no"),
            status(400, "no"),
        )
        hot = opened.resources.model.model_copy(update={"temperature": 1.5})
        about = (opened.resources.postgres, armed(opened.domain), talk.thread_id, "2/0", hot, 6)
        found = await vary(*about, "Be bold.")
        assert stored(wire.database_url) == before
    assert shop.effects() == happened
    assert found.shown.doubt == ""
    assert found.decided.worst is not None
    assert found.decided.worst.score == 1
    judged = {name_of(one): one for one in found.proposed}
    assert {"checkout", "charge_payment", "BOOT-777", "broken", "Shall I?", "fault"} == set(judged)
    scores = {name: one.worst.score for name, one in judged.items() if one.worst}
    assert scores == {"checkout": 1, "charge_payment": -1, "BOOT-777": -1, "broken": -1}
    assert "HTTP 400" in judged["fault"].fault
    # The same bytes went over the wire, but for what was to be different.
    bold = wire.provider.requests[0]
    assert bold.body["temperature"] == 1.5
    assert bold.body["messages"][1:] == asked.body["messages"][1:]
    assert bold.body["tools"] == asked.body["tools"]
    assert "Be bold." in str(bold.body["messages"][0])


def name_of(one: Any) -> str:
    """Name a proposal of the test."""
    if one.fault:
        return "fault"
    if not one.calls:
        return str(one.text)
    call = one.calls[0]
    return "broken" if "fault" in call else call["args"].get("sku", call["name"])
