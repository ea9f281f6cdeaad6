"""The migration page's examples run, the README's too, and its tables name what there is."""

import ast
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from langgraph._internal import _serde
from langgraph.types import Command

from daybook.checkpoints.postgres import Postgres
from daybook.graph.carrying import effects
from daybook.state.effects.guarantees import Guarantees
from daybook.state.receipts import is_receipt
from daybook.testing.model import ScriptedModel, last_result
from tests.conftest import Shop
from tests.integration.desk import open_desk

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/create_agent.md").read_text()
BEFORE, AFTER, SERVED, SHOWN = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
[SHORT] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)

AWAITED = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

CALLS: list[Any] = [
    [("find_card", {"user": "ada"})],
    [("charge_card", {"order_id": "o-1", "card_id": "card_ada_1", "amount": 1200})],
    last_result,
]


@pytest.mark.parametrize("code", [BEFORE, AFTER], ids=["before", "after"])
async def test_an_example_charges_once(
    code: str, shop: Shop, postgres_url: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
):
    monkeypatch.setenv("PAYMENTS_URL", shop.url)
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    names: dict[str, Any] = {"model": ScriptedModel(script=list(CALLS))}
    exec(compile(code.replace('"openai:gpt-5-mini"', "model"), "create_agent.md", "exec"), names)
    await names["main"]()
    await names["payments"].aclose()
    assert shop.happened() == ["charge"]
    assert '"amount": 1200' in capsys.readouterr().out


async def test_the_readmes_ten_lines_ask_and_charge_once(
    shop: Shop, postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PAYMENTS_URL", shop.url)
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    names: dict[str, Any] = {}
    exec(compile(AFTER, "create_agent.md", "exec"), names)
    names["model"] = ScriptedModel(script=list(CALLS))

    async def buy(agent: Any) -> None:
        config: Any = {"configurable": {"thread_id": "t-1", "user_id": "ada"}}
        await agent.ainvoke({"messages": "Charge ada."}, config)
        await agent.ainvoke(Command(resume={"decisions": [{"type": "approve"}]}), config)

    names["buy"] = buy
    code = compile(f"{SHORT}    await buy(agent)\n", "README.md", "exec", AWAITED)
    await eval(code, names)
    await names["payments"].aclose()
    assert shop.happened() == ["charge"]


async def test_what_the_page_gives_a_server_asks_and_charges_once(
    shop: Shop, postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PAYMENTS_URL", shop.url)
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    names: dict[str, Any] = {"model": ScriptedModel(script=list(CALLS))}
    code = f"{AFTER}\n\n{SERVED}".replace('"openai:gpt-5-mini"', "model")
    exec(compile(code, "create_agent.md", "exec"), names)
    config: Any = {"configurable": {"thread_id": "t-1", "user_id": "ada"}}
    async with names["checkpointer"]() as saver:
        # As the server does on every access.
        graph = names["graph"].copy(update={"checkpointer": saver})
        await graph.ainvoke({"messages": "Charge ada."}, config)
        await graph.ainvoke(Command(resume={"decisions": [{"type": "approve"}]}), config)
    await names["payments"].aclose()
    assert shop.happened() == ["charge"]


async def test_what_the_page_gives_a_client_shows_the_text_and_the_receipt(
    postgres: Postgres, shop: Shop, capsys: Any
):
    names: dict[str, Any] = {}
    exec(compile(SHOWN, "create_agent.md", "exec"), names)
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


def test_the_page_names_what_can_be_declared_and_nothing_else():
    named = {word.partition("=")[0] for word in re.findall(r"(\w+)=", PAGE)}
    declared = set(effects.Declared.__annotations__)
    assert declared - {"not_sent"} <= named
    assert {field.name for field in fields(Guarantees)} & named == {
        "honours_key",
        "stores_failures",
        "retention",
        "settle",
    }
