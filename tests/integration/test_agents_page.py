"""The examples of the page run, and those of the first pages and of the pages beside it."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, TypedDict

import httpx
import pytest
from langgraph._internal import _serde
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command
from psycopg.conninfo import make_conninfo

from daybook.checkpoints.postgres import Postgres
from daybook.state.receipts import is_receipt
from daybook.testing.model import ScriptedModel, last_result
from tests.conftest import Shop
from tests.integration.desk import open_desk

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/agents.md").read_text()
EFFECT, NODE, SYNC, AGENT, SHOWN, SERVED = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
POOLED = re.findall(r"```python\n(.*?)```", (ROOT / "docs/database.md").read_text(), re.DOTALL)[0]
MIDDLEWARE = (ROOT / "docs/from_middleware.md").read_text()
BEFORE, AFTER = re.findall(r"```python\n(.*?)```", MIDDLEWARE, re.DOTALL)
LANDING = [(ROOT / name).read_text() for name in ("README.md", "docs/index.md")]

CALLS: list[Any] = [
    [("find_card", {"user": "ada"})],
    [("charge_card", {"order_id": "o-1", "card_id": "card_ada_1", "amount": 1200})],
    last_result,
]
APPROVED: Any = Command(resume={"decisions": [{"type": "approve"}]})
CONFIG: Any = {"configurable": {"thread_id": "t-1", "user_id": "ada"}}


class Order(TypedDict, total=False):
    order: str
    receipt: str


@pytest.fixture
def names(shop: Shop, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what the page's first example defines."""
    monkeypatch.setenv("PAYMENTS_URL", shop.url)
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    names: dict[str, Any] = {"model": ScriptedModel(script=list(CALLS))}
    exec(compile(EFFECT, "agents.md", "exec"), names)
    return names


async def test_the_example_of_a_node_asks_and_charges_once(names, shop, capsys):
    exec(compile(NODE, "agents.md", "exec"), names)
    await names["run_graph"]()
    await names["payments"].aclose()
    assert shop.effects() == [("charge", "order/o-1/charge/1")]
    assert "'amount': 4200" in capsys.readouterr().out


async def test_the_example_without_an_event_loop_asks_and_charges_once(
    names: dict[str, Any], postgres_url: str, capsys: Any
):
    charges: dict[str, Any] = {}

    def shop_of_another_loop(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            found = charges.get(request.url.params["reference"])
            return httpx.Response(200, json={"matches": [found] if found else []})
        asked = json.loads(request.content)
        known = charges.setdefault(asked["reference"], {**asked, "charge_id": "CH-1"})
        return httpx.Response(200, json=known)

    there = httpx.MockTransport(shop_of_another_loop)
    names["payments"] = httpx.AsyncClient(base_url="http://shop", transport=there)
    exec(compile(f"{NODE}\n{SYNC}", "agents.md", "exec"), names)
    theirs = make_conninfo(postgres_url, options="")
    await asyncio.to_thread(names["run_without_loop"], theirs)
    assert [*charges] == ["order/o-3/charge/1"]
    assert "'amount': 4200" in capsys.readouterr().out


async def test_the_example_of_an_agent_asks_and_charges_once(names, shop, capsys):
    exec(compile(f"{NODE}\n{AGENT}", "agents.md", "exec"), names)
    await names["run_agent"](names["model"])
    await names["payments"].aclose()
    assert shop.happened() == ["charge"]
    assert '"amount": 1200' in capsys.readouterr().out


@pytest.mark.parametrize("page", LANDING, ids=["README", "index"])
async def test_the_lines_of_a_first_page_ask_and_charge_once(names, shop, page: str):
    [lines] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(f"{NODE}\n{AGENT}", "agents.md", "exec"), names)

    async def post_charge(key: str, card: str, amount: int) -> Any:
        about = {"card_id": card, "amount": amount, "currency": "USD", "user_id": "ada"}
        answer = await names["payments"].post("/charges", json={"reference": key, **about})
        return answer.raise_for_status().json()

    names["post_charge"] = post_charge
    exec(compile(lines, "first page", "exec"), names)
    async with names["ledger"]:
        await names["agent"].ainvoke({"messages": "Charge ada."}, CONFIG)
        await names["agent"].ainvoke(APPROVED, CONFIG)
    await names["payments"].aclose()
    assert shop.happened() == ["charge"]


async def test_the_pool_of_the_page_on_databases_carries_effects_and_checkpoints(postgres_url: str):
    names: dict[str, Any] = {"url": make_conninfo(postgres_url, options="")}
    exec(compile(POOLED, "database.md", "exec"), names)
    sent = []

    @names["ledger"].effect(approval="never")
    async def send(order: str) -> str:
        sent.append(order)
        return "sent"

    async def node(state: Any) -> Any:
        return {"receipt": await send(state["order"])}

    graph = StateGraph(Order).add_node(node).add_edge(START, "node")
    assert await names["run"](graph, "o-1") == {"order": "o-1", "receipt": "sent"}
    assert sent == ["o-1"]


@pytest.fixture
async def agents(names: dict[str, Any], shop: Shop) -> AsyncIterator[list[Any]]:
    """Yield the agent before and after; the provider ignores idempotency keys."""
    shop.keys(honour=False)
    calls = CALLS[1:]
    exec(compile(BEFORE, "from_middleware.md", "exec"), names)
    before = names["agent_before"](ScriptedModel(script=list(calls)), InMemorySaver())
    exec(compile(AFTER, "from_middleware.md", "exec"), names)
    async with names["ledger"]:
        yield [before, names["agent_after"](ScriptedModel(script=list(calls)))]
    await names["payments"].aclose()


async def asked(agent: Any) -> Any:
    [question] = (await agent.ainvoke({"messages": "Charge ada."}, CONFIG))["__interrupt__"]
    return question.value


async def test_with_the_middleware_and_with_the_ledger_it_asks_in_one_shape(agents, shop):
    before, after = [await asked(agent) for agent in agents]
    assert before.keys() < after.keys()
    assert before["review_configs"][0].items() <= after["review_configs"][0].items()
    [theirs], [ours] = before["action_requests"], after["action_requests"]
    assert (theirs.keys(), theirs["name"], theirs["args"]) == (ours.keys(), *CALLS[1][0])
    for number, agent in enumerate(agents, 1):
        await agent.ainvoke(APPROVED, CONFIG)
        assert shop.happened() == ["charge"] * number


async def test_after_a_lost_reply_the_agent_with_the_middleware_alone_charges_twice(agents, shop):
    before, after = agents
    for agent in agents:
        await asked(agent)
    shop.fault("charges", "drop")
    with pytest.raises(httpx.HTTPError):
        await before.ainvoke(APPROVED, CONFIG)
    await before.ainvoke(None, CONFIG)
    assert shop.happened() == ["charge"] * 2
    shop.fault("charges", "drop")
    await after.ainvoke(APPROVED, CONFIG)
    assert shop.happened() == ["charge"] * 3


async def test_what_the_page_gives_a_server_asks_and_charges_once(names, shop):
    exec(compile(f"{NODE}\n{AGENT}\n{SERVED}", "agents.md", "exec"), names)
    async with names["checkpointer"]() as saver:
        # As the server does on every access.
        graph = names["graph"].copy(update={"checkpointer": saver})
        await graph.ainvoke({"messages": "Charge ada."}, CONFIG)
        await graph.ainvoke(APPROVED, CONFIG)
    await names["payments"].aclose()
    assert shop.happened() == ["charge"]


async def test_what_the_page_gives_a_client_shows_the_text_and_the_receipt(
    postgres: Postgres, shop: Shop, capsys: Any
):
    names: dict[str, Any] = {}
    exec(compile(SHOWN, "agents.md", "exec"), names)
    async with open_desk(postgres, shop.url) as desk:
        desk.model.then([("tip", {"card_id": "card_ada_1", "amount": 200})], "They thank you.")
        await names["show"](desk.agent, {"messages": "Tip them."}, desk.config)
        resume = Command(resume={"decisions": [{"type": "approve"}]})
        await names["show"](desk.agent, resume, desk.config)
        [line] = [m.text for m in (await desk.state()).values["messages"] if is_receipt(m.id)]
    assert capsys.readouterr().out == f"{line}\nThey thank you."
    assert shop.happened() == ["charge"]


async def test_it_is_carried_out_on_a_saver_that_cannot_be_copied(
    postgres: Postgres, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    """The server's cannot: under strict msgpack it was copied for a subgraph without an end."""
    monkeypatch.setattr(_serde, "STRICT_MSGPACK_ENABLED", True)
    async with open_desk(postgres, shop.url) as desk:
        desk.agent = desk.agent.copy()
        monkeypatch.setattr(type(postgres.saver), "with_allowlist", None)
        call = ("tip", {"card_id": "card_ada_1", "amount": 200})
        desk.model.then([call], "thanks")
        await desk.say("tip them")
        await desk.answer({"type": "approve"})
    assert shop.happened() == ["charge"]
