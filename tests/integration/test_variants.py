"""A decision is asked for again: with the exact prompt, in other ways, and nothing is executed."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from daybook.app.grading.variants import vary
from daybook.graph.serve import Opened
from daybook.tools.domain import Domain
from daybook.tools.registry import Registry
from tests.conversation import Conversation
from tests.integration.wire import Wire
from tests.provider import last_result, status

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
        wire.provider.then([ADD], "In the cart.", [CHECKOUT], last_result)
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
    assert found.shown.is_exact
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
