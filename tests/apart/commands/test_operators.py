"""Commands of operators: probe-check, tools, tool and grade, as processes."""

import json
import re
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.graph import START, StateGraph

from daybook.errors import EffectNotDone, EffectUnsettled
from daybook.testing import ScriptedModel, last_result
from tests.apart.terminal import PATIENCE, Terminal
from tests.cases.test_cases import Bank, fresh
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.keyboard import Keyboard

BOOTS = json.dumps({"sku": "BOOT-001", "quantity": 1, "unit_price": 9890, "currency": "USD"})


def test_the_shop_holds_what_it_promises_and_nothing_is_left(terminal: Terminal, shop: Shop):
    words = ("probe-check", "reserve_inventory", BOOTS, "--user", "ada", "--yes", "--json")
    out, err, code = terminal.run(*words)
    assert code == 0, out
    assert f"will be executed at {shop.url} for ada" in err
    told = json.loads(out)
    verdicts = {one["what"]: one["verdict"] for one in told["findings"]}
    assert set(verdicts.values()) == {"held"}, verdicts
    assert {"honours_key", "settle", "probe", "undo", "evidence"} <= set(verdicts)
    assert told["left"] == []
    assert shop.happened() == ["reserve", "reserve", "release", "release"]
    out, err, code = terminal.run("threads", "--json")
    assert (out, err, code) == ("", "", 0)


def test_a_person_is_asked_and_what_does_not_hold_is_said_with_exit_1(
    terminal: Terminal, shop: Shop
):
    words = ("probe-check", "reserve_inventory", BOOTS, "--user", "ada")
    with Keyboard(terminal.environment, *words) as person:
        assert f"at {shop.url} for ada" in person.sees("Run it? (y/n) ")
        assert shop.happened() == []
        # It has said by now that it honours keys.
        shop.keys(honour=False)
        person.type("y")
        out, code = person.leaves()
    assert code == 1, out
    assert "NOT held      honours_key" in out
    assert shop.happened().count("reserve") == shop.happened().count("release") == 3


def test_a_tool_is_switched_on_again_and_its_limit_is_taken_away(terminal: Terminal):
    terminal.run("chat")
    terminal.run("tool", "checkout", "--off", "--why", "stocktaking", "--limit", "1/60")
    out, _, _ = terminal.run("tool", "checkout", "--on")
    assert "on since " in out
    assert "stocktaking" not in out
    assert "at most 1 in 60 s" in out
    out, _, _ = terminal.run("tool", "checkout", "--no-limit")
    assert "at most" not in out


def test_a_chat_that_runs_obeys_at_once(terminal: Terminal, shop: Shop):
    chat = terminal.start("chat")
    terminal.type(chat, "I need hiking boots\n", "1. ")
    terminal.run("tool", "search_products", "--off", "--why", "the index is rebuilt")
    answered, _ = chat.communicate("I need wool socks\n", timeout=PATIENCE)
    assert "switched off by the operator: the index is rebuilt" in answered.split("wool socks")[1]


# -- effects of a ledger, in no domain --------------------------------------------------------------


class Told(TypedDict, total=False):
    told: str


async def paid_by_node(bank: Bank, to: str) -> Any:
    async def node(state: Told) -> Any:
        return {"told": await bank.pay(to)}

    graph: Any = StateGraph(Told).add_node(node).add_edge(START, "node")
    return await graph.compile(checkpointer=bank.ledger.saver).ainvoke({}, fresh())


async def paid_by_agent(bank: Bank, to: str) -> str:
    model = ScriptedModel(script=[[("pay", {"to": to})], last_result])
    state = await bank.agent(model).ainvoke({"messages": [("user", "pay")]}, fresh())
    return str(state["messages"][-1].text)


async def test_an_effect_of_a_ledger_is_listed_switched_off_and_limited(
    terminal: Terminal, postgres_url: str
):
    assert terminal.run("tool", "pay", "--off", "--why", "audit")[2] == 1, "nobody knows of it yet"
    bank = Bank(postgres_url, approval="never")
    async with bank.ledger:
        await paid_by_node(bank, "ann")
        out, _, _ = terminal.run("tools")
        assert re.search(r"pay +agent +write +on", out)
        assert "checkout" not in out
        assert terminal.run("tool", "pay", "--off", "--why", "audit")[2] == 0
        with pytest.raises(EffectNotDone, match="switched off by the operator: audit"):
            await paid_by_node(bank, "bob")
        assert "switched off by the operator: audit" in await paid_by_agent(bank, "bob")
        assert bank.paid == ["ann"]
        assert terminal.run("tool", "pay", "--on", "--limit", "1/3600")[2] == 0
        assert await paid_by_agent(bank, "bob") == "paid bob"
        assert "called too often (1 in 3600 s at most)" in await paid_by_agent(bank, "cyd")
        with pytest.raises(EffectUnsettled, match="called too often"):
            await paid_by_node(bank, "cyd")
        assert bank.paid == ["ann", "bob"]
    sample = 'daybook_open_steps{domain="agent",state="intended",tool="pay"} 2.0'
    assert sample in terminal.run("metrics")[0]
    listed = [json.loads(line) for line in terminal.run("threads", "--json")[0].splitlines()]
    assert {one["program"] for one in listed} == {"agent"}


ADD = ("add_to_cart", {"sku": "BOOT-001"})

CHECKOUT: tuple[str, dict[str, Any]] = ("checkout", {})


async def test_a_thread_is_graded_and_what_went_wrong_first_is_told_first(
    terminal: Terminal, agent: Agent, shop: Shop
):
    talk = Conversation(agent.graph)
    agent.model.then([("add_to_cart", {"sku": "TENT-003"})], "A tent is in the cart.")
    await talk.say("add BOOT-001")
    out, err, code = terminal.run("grade", talk.thread_id, "--user", "ada")
    assert (err, code) == ("", 0)
    assert "2 steps: 1 right, 0 neutral, 1 wrong." in out
    assert "First wrong step: 1/0.0 add_to_cart(sku=TENT-003" in out
    # The thread goes on well: the first wrong step stays the same.
    agent.model.then([ADD], "The boots are in the cart.")
    await talk.say("no, add BOOT-001")
    out, err, code = terminal.run("grade", talk.thread_id, "--json")
    found = json.loads(out)
    assert found["first_wrong"] == "1/0.0"
    assert [one["score"] for one in found["verdicts"]] == [-1, 1, 1, 1]


def test_a_policy_is_tried_on_plans_before_it_counts(terminal: Terminal, tmp_path: Path):
    rules = tmp_path / "policy.toml"
    rules.write_text(
        '[[limits]]\nname = "daily"\ntools = ["refund_payment"]\ndays = 1\ncalls = 3\n'
        '[[rules]]\nname = "of ben"\nusers = ["ben"]\napproval = "operator"\n'
    )
    terminal.environment["DAYBOOK_POLICY"] = str(rules)
    plans = tmp_path / "plans"
    refund = {"charge_id": "CH-1", "currency": "USD"}
    plans.write_text(
        "".join(
            json.dumps({"calls": [{"tool": "refund_payment", "args": {**refund, "amount": one}}]})
            + "\n"
            for one in (5_000, 500_000)
        )
    )
    out, err, code = terminal.run("policy", "test", str(plans))
    assert (err, code) == ("", 0)
    small, large = (line for line in out.splitlines() if "refund_payment" in line)
    assert re.search(r"50\.00 USD\) +customer +as declared +daily", small)
    assert re.search(r"5000\.00 USD\) +clerk +large refunds +daily", large)
    assert "daily (limit)" in terminal.run("policy")[0]
    plans.write_text(json.dumps({"user": "Ben ", "calls": [{"tool": "refund_payment"}]}))
    assert "of ben" in terminal.run("policy", "test", str(plans))[0]
    for wrong in ("no json", '{"calls": [{"tool": "nosuch"}]}'):
        plans.write_text(wrong)
        out, err, code = terminal.run("policy", "test", str(plans))
        assert (out, code) == ("", 1)
        assert "Nothing was tested" in err
