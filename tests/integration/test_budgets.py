"""Budgets of what models take: counted over the wire, warned of, and passed by no new call."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from langchain_core.messages import AIMessage
from prometheus_client import generate_latest

from daybook import Money, Policy
from daybook.app.operating.metrics import Scraper
from daybook.checkpoints.people.erasure import KEEP_USAGE, Part, open_eraser, retain
from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import ConfigurationError
from daybook.state.people.budget import Budget, Price
from daybook.testing.model import Decides, last_result
from tests.at_the_console import Served, at_the_console, serves, shown
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, outcomes_of
from tests.cuts import cut_at
from tests.integration.desk import CHARGE, LOOK, YES, open_desk
from tests.integration.test_metrics import of, read
from tests.integration.test_reviewer import COMPARE, GOOD
from tests.integration.wire import Wire
from tests.provider import APIS
from tests.purchases import PURCHASE, asked_to_buy, rebuilt

A_CALL = 18

"""Tokens that the provider of the tests reports of each call."""

Row = tuple[str, str, int, int, bool]


async def rows(url: str) -> list[Row]:
    """Return user, model, input, output and whether it is estimated, of each call, oldest first."""
    query = "select user_id, model, input, output, is_estimated from model_usage order by at"
    async with await psycopg.AsyncConnection.connect(url) as conn:
        return [*await (await conn.execute(query)).fetchall()]


def budget(tokens: int | None = None, **more: Any) -> Policy:
    return Policy(budgets=(Budget(name="b", tokens=tokens, **{"per": "thread", **more}),))


def took(tokens: int, turn: Any) -> Decides:
    """Let the scripted model report what a call took; more of the prompt than of the answer."""

    def decides(prompt: Any) -> AIMessage:
        said = turn(prompt) if callable(turn) else turn
        calls = [] if isinstance(said, str) else said
        about: Any = {"input_tokens": tokens - 1, "output_tokens": 1, "total_tokens": tokens}
        return AIMessage(
            said if isinstance(said, str) else "",
            tool_calls=[{"name": n, "args": a, "id": f"c{len(prompt)}"} for n, a in calls],
            usage_metadata=about,
        )

    return decides


# -- counted, stopped and raised -------------------------------------------------------------------


@pytest.mark.parametrize("api", APIS)
async def test_a_turn_that_would_pass_a_budget_stops_with_a_sentence_and_goes_on_when_it_is_raised(
    wire: Wire, api: str, tmp_path: Path, postgres_url: str
):
    file = tmp_path / "policy.toml"

    def allow(tokens: int) -> None:
        file.write_text(f'[[budgets]]\nname = "a talk"\nper = "thread"\ntokens = {tokens}\n')

    allow(2 * A_CALL)
    add = [("add_to_cart", {"sku": "BOOT-001"})]
    wire.provider.then("Hello.", add)
    async with wire.agent(api, DAYBOOK_POLICY=str(file)) as agent:
        talk = Conversation(agent.graph)
        assert answer_of(await talk.say("hello")) == "Hello."
        stopped = await talk.say("boots")
        assert answer_of(stopped) == (
            'Stopped. The budget "a talk" allows 36 tokens per thread, and 36 tokens are used. '
            "Nothing was lost; once the budget is raised, reply to go on."
        )
        assert len(stopped.values["cart"].lines) == 1
        assert answer_of(await talk.say("and?")).startswith("Stopped.")
    assert [row[2:] for row in await rows(postgres_url)] == [(11, 7, False)] * 2
    allow(3 * A_CALL)
    wire.provider.then("One pair.")
    async with wire.agent(api, DAYBOOK_POLICY=str(file)) as agent:
        talk = Conversation(agent.graph, thread=talk.thread_id)
        state = await talk.say("go on")
        assert answer_of(state) == "One pair."
        assert len(state.values["cart"].lines) == 1
    assert len(wire.provider.requests) == 3


async def test_a_warning_is_given_once_in_a_turn(agent: Agent, caplog: pytest.LogCaptureFixture):
    agent = rebuilt(agent, policy=budget(100, warn=0.5))
    talk = Conversation(agent.graph)
    agent.model.then(took(40, "Hello."))
    await talk.say("hello")
    assert "allows" not in caplog.text
    cart: Any = [("get_cart", {})]
    agent.model.then(took(10, cart), took(10, cart), took(2, "It is empty."))
    messages = (await talk.say("what is in it?")).values["messages"]
    warning = 'The budget "b" allows 100 tokens per thread, and 50 tokens are used.'
    assert [one.text for one in messages if "allows" in one.text] == [warning]
    assert caplog.text.count(warning) == 1
    assert messages[-1].text == "It is empty."


async def test_what_was_approved_is_carried_out_without_a_model(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    agent.model.script.clear()
    poor = Conversation(rebuilt(agent, policy=budget(1)).graph, thread=talk.thread_id)
    stopped = await poor.approve()
    assert shop.happened() == [*PURCHASE]
    assert answer_of(stopped).startswith('Stopped. The budget "b"')
    assert ("place_order", "done") in outcomes_of(stopped)
    agent.model.then(last_result)
    await talk.say("is it bought?")
    assert shop.happened() == [*PURCHASE]


async def test_a_run_that_is_taken_up_again_counts_each_call_once(agent: Agent, postgres_url: str):
    agent.model.then(took(5, [("get_cart", {})]), took(7, "Empty."))
    talk = Conversation(agent.graph)
    with cut_at("after_commit:decided"):
        await talk.say("what is in it?")
    assert [row[2] for row in await rows(postgres_url)] == [4]
    await talk.taken_over()
    assert [row[2] for row in await rows(postgres_url)] == [4, 6]
    # What was answered and not written down is asked, and counted, again.
    agent.model.then(took(8, "Lost."), took(9, "Hello."))
    with cut_at("after_model"):
        await talk.say("hello")
    await talk.taken_over()
    assert [row[2] for row in await rows(postgres_url)] == [4, 6, 8]


async def test_two_at_once_each_pass_by_one_call_at_most(agent: Agent, postgres: Postgres):
    agent = rebuilt(agent, policy=budget(10, per="user", days=1))
    talks = [Conversation(agent.graph) for _ in range(2)]
    agent.model.then(*[took(10, "Hello.")] * 2)
    await asyncio.gather(*(talk.say("hello") for talk in talks))
    for talk in talks:
        assert answer_of(await talk.say("hello")).startswith("Stopped.")
    assert agent.model.asked <= 2


# -- whose, and how far back -----------------------------------------------------------------------


async def test_a_budget_counts_for_a_thread_a_user_or_all_and_for_its_days(
    agent: Agent, postgres_url: str
):
    async def asked(user: str, policy: Policy) -> bool:
        agent.model.script.clear()
        agent.model.then(took(2, "Hello."))
        talk = Conversation(rebuilt(agent, policy=policy).graph, user)
        return not answer_of(await talk.say("hello")).startswith("Stopped.")

    of_user, of_all = budget(10, per="user", days=2), budget(10, per="tenant", days=2)
    agent.model.then(took(10, "Hello."))
    await Conversation(agent.graph).say("hello")
    assert [await asked("ada", budget(10)), await asked("ada", of_user)] == [True, False]
    assert [await asked("ben", of_user), await asked("ben", of_all)] == [True, False]
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as owner:
        await owner.execute("update model_usage set at = at - interval '49 hours'")
    assert [await asked("ada", of_user), await asked("ben", of_all)] == [True, True]


async def test_a_sub_agents_calls_count_and_are_not_made_when_a_budget_is_used_up(
    agent: Agent, postgres_url: str
):
    agent.model.then(took(5, COMPARE), took(7, GOOD), took(9, last_result))
    talk = Conversation(agent.graph)
    await talk.say("compare BOOT-001 and BOOT-009")
    assert [row[2] for row in await rows(postgres_url)] == [4, 6, 8]
    # The decision that wants it passes the budget.
    agent = rebuilt(agent, policy=budget(22))
    other: Any = [("compare_reviews", {"skus": ["BOOT-001", "BOOT-002"]})]
    agent.model.then(took(5, other))
    talk = Conversation(agent.graph, thread=talk.thread_id)
    assert answer_of(await talk.say("and BOOT-002?")).startswith("Stopped.")
    assert len(await rows(postgres_url)) == 4
    agent.model.then(took(5, other), took(7, GOOD), took(9, "The first."))
    talk = Conversation(rebuilt(agent, policy=budget(99)).graph, thread=talk.thread_id)
    assert answer_of(await talk.say("now?")) == "The first."
    assert len(await rows(postgres_url)) == 7


# -- cost ------------------------------------------------------------------------------------------


async def test_a_cost_counts_by_prices_and_a_model_without_one_is_not_called(
    agent: Agent, wire: Wire, tmp_path: Path
):
    most = Money(amount=100, currency="USD")
    priced = Budget(name="cost", per="user", days=30, cost=most)
    price = Price(input=1_000_000, output=1_000_000, currency="USD")
    talk = Conversation(
        rebuilt(agent, policy=Policy(budgets=(priced,), prices={"scripted": price})).graph
    )
    agent.model.then(took(100, "Hello."))
    await talk.say("hello")
    assert "1.00 USD are used" in answer_of(await talk.say("hello"))
    policy = Policy(budgets=(priced,), prices={"other": price})
    told = answer_of(await Conversation(rebuilt(agent, policy=policy).graph, "ben").say("hello"))
    assert "scripted has no price in that currency" in told
    file = tmp_path / "policy.toml"
    file.write_text(
        '[[budgets]]\nname = "cost"\nper = "user"\ndays = 30\n'
        'cost = { amount = 100, currency = "USD" }\n'
        '[prices."other"]\ninput = 15\ncached = 7.5\noutput = 60\ncurrency = "USD"\n'
    )
    with pytest.raises(ConfigurationError, match=r'\[prices."gpt-5-mini"\]'):
        async with wire.agent(DAYBOOK_POLICY=str(file)):
            pass


# -- somebody's own agent --------------------------------------------------------------------------


async def test_an_agent_of_ones_own_stops_and_goes_on_with_what_was_approved(
    postgres: Postgres, shop: Shop, postgres_url: str
):
    async with open_desk(postgres, shop.url, policy=budget(50, warn=0.5)) as desk:
        desk.model.then(took(25, [LOOK]), took(25, [CHARGE]))
        assert (await desk.say("charge me")).interrupts
        await desk.answer(YES)
        assert shop.effects() == [("charge", "order/o-1/charge/1")]
        assert (await desk.said()).startswith('Stopped. The budget "b" allows 50 tokens')
        assert len(await rows(postgres_url)) == 2
        thread = desk.thread
    async with open_desk(postgres, shop.url, policy=budget(99, warn=0.5)) as desk:
        desk.thread = thread
        desk.model.then(took(25, "Done."))
        messages = (await desk.say("go on")).values["messages"]
        assert messages[-1].text == "Done."
        assert [m.text for m in messages if m.text.startswith("The budget")] == [
            'The budget "b" allows 99 tokens per thread, and 50 tokens are used.'
        ]
        # It is no message that a model reads.
        assert "99 tokens" not in str(desk.model.prompts[-1])
    assert len(shop.effects()) == 1


# -- seen, kept and forgotten ----------------------------------------------------------------------


async def test_metrics_and_the_console_tell_what_models_took_and_which_budgets_are_used_up(
    agent: Agent, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
):
    price = {"scripted": Price(input=1_000, output=1_000, currency="USD")}
    policy = budget(100, per="user", days=1).model_copy(update={"prices": price})
    agent = rebuilt(agent, policy=policy)
    agent.model.then(took(120, "Hello."), took(80, "Hello."), took(10, "Hello."), "Hello.")
    talks = [Conversation(agent.graph, user) for user in ("ada", "ben", "cyd", "dan")]
    for talk in talks:
        await talk.say("hello")
    scraper = Scraper(postgres, timedelta(0), policy)
    for _ in range(2):
        samples = read(generate_latest(await scraper.scrape()).decode())
    model = {"model": "scripted"}
    assert of(samples, "model_calls_total", usage="reported", **model) == 3
    assert of(samples, "model_calls_total", usage="estimated", **model) == 1
    assert of(samples, "model_tokens_total", kind="output", **model) >= 3
    assert of(samples, "budgets_used_up", budget="b", state="over") >= 1
    assert of(samples, "budgets_used_up", budget="b", state="warned") == 1
    assert of(samples, "budget_used_ratio", budget="b") >= 1.2
    serves(monkeypatch, Served(agent, agent.domain))
    async with at_the_console("cleo", "clerk") as http:
        page = await shown(http, f"/threads/{talks[0].thread_id}/ledger")
    assert "Model usage: 120 tokens, 0.01 USD." in page
    assert "allows 100 tokens per user in a day, and 120 tokens are used" in page
    async with at_the_console("ada") as http:
        assert "Model usage" not in await shown(http, f"/threads/{talks[0].thread_id}")


async def test_of_a_user_who_is_forgotten_tokens_stay_without_their_name_for_their_time(
    agent: Agent, postgres: Postgres, postgres_url: str
):
    for user in ("ada", "ben"):
        agent.model.then(took(10, "Hello."))
        await Conversation(agent.graph, user).say("hello")
    async with open_eraser(postgres) as eraser:
        [held] = await eraser.of_person("ada")
        await eraser.unname_usage("ada")
        assert len(await eraser.of_person("ada")) == 1
        assert {row[0] for row in await rows(postgres_url)} == {"ada", "ben"}
        await eraser.erase(held.thread_id, lambda held: set(Part))
        await eraser.unname_usage("ada")
    assert sorted(row[0] for row in await rows(postgres_url)) == ["", "ben"]
    keep = dict.fromkeys(Part, timedelta(days=9_000))
    await retain(postgres, keep)
    assert len(await rows(postgres_url)) == 2
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as owner:
        await owner.execute("update model_usage set at = at - %s where user_id = ''", (KEEP_USAGE,))
    await retain(postgres, keep)
    assert [row[0] for row in await rows(postgres_url)] == ["ben"]
