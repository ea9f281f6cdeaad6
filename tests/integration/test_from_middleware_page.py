"""The two agents of the page run: they ask in one shape, take one answer, and only one charges once."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from daybook.testing.model import ScriptedModel, last_result
from tests.conftest import Shop

PAGE = (Path(__file__).parents[2] / "docs/from_middleware.md").read_text()
BEFORE, AFTER = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
ARGS = {"order_id": "o-1", "card_id": "card_ada_1", "amount": 1200}
CONFIG: Any = {"configurable": {"thread_id": "t-1", "user_id": "ada"}}
APPROVED: Any = Command(resume={"decisions": [{"type": "approve"}]})


@pytest.fixture
async def agents(
    shop: Shop, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Any, Any]]:
    """Yield the agent before and after; the provider ignores idempotency keys."""
    shop.keys(honour=False)
    monkeypatch.setenv("PAYMENTS_URL", shop.url)
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    models = [ScriptedModel(script=[[("charge_card", ARGS)], last_result]) for _ in range(2)]
    names: dict[str, Any] = {}
    exec(compile(BEFORE, "from_middleware.md", "exec"), names)
    before = names["agent_before"](models[0], InMemorySaver())
    exec(compile(AFTER, "from_middleware.md", "exec"), names)
    async with names["ledger"]:
        yield before, names["agent_after"](models[1])
    await names["payments"].aclose()


async def asked(agent: Any) -> dict[str, Any]:
    [question] = (await agent.ainvoke({"messages": "Charge ada."}, CONFIG))["__interrupt__"]
    value: dict[str, Any] = question.value
    return value


async def test_both_ask_in_one_shape_and_charge_once_when_approved(agents, shop: Shop):
    before, after = [await asked(agent) for agent in agents]
    assert before.keys() < after.keys()
    [theirs], [ours] = before["review_configs"], after["review_configs"]
    assert theirs.items() <= ours.items()
    [theirs], [ours] = before["action_requests"], after["action_requests"]
    assert (theirs.keys(), theirs["name"], theirs["args"]) == (ours.keys(), ours["name"], ARGS)
    for number, agent in enumerate(agents, 1):
        await agent.ainvoke(APPROVED, CONFIG)
        assert shop.happened() == ["charge"] * number


async def test_after_a_lost_reply_only_the_one_without_a_ledger_charges_twice(agents, shop: Shop):
    before, after = agents
    for agent in agents:
        await asked(agent)
    shop.fault("charges", "drop", times=1)
    with pytest.raises(httpx.HTTPError):
        await before.ainvoke(APPROVED, CONFIG)
    await before.ainvoke(None, CONFIG)
    assert shop.happened() == ["charge", "charge"]
    shop.fault("charges", "drop", times=1)
    await after.ainvoke(APPROVED, CONFIG)
    assert shop.happened() == ["charge", "charge", "charge"]
