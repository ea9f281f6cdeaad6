"""`daybook tools` and `daybook tool`, as processes: what they say, and that others obey at once."""

import json
import re
from collections.abc import Iterator
from typing import Any, TypedDict

import pytest
from langgraph.graph import START, StateGraph

from daybook.errors import EffectNotDone, EffectUnsettled
from daybook.testing import ScriptedModel, last_result
from tests.apart.terminal import PATIENCE, Terminal
from tests.cases.test_cases import Bank, fresh
from tests.conftest import Shop


@pytest.fixture
def terminal(postgres_url: str, shop: Shop) -> Iterator[Terminal]:
    terminal = Terminal(postgres_url, shop)
    try:
        yield terminal
    finally:
        terminal.end()


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
    assert chat.stdin is not None
    assert chat.stdout is not None
    chat.stdin.write("I need hiking boots\n")
    chat.stdin.flush()
    for line in chat.stdout:
        if line.startswith("1. "):
            break
    terminal.run("tool", "search_products", "--off", "--why", "the index is rebuilt")
    chat.stdin.write("I need wool socks\n")
    answered, _ = chat.communicate(timeout=PATIENCE)
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
