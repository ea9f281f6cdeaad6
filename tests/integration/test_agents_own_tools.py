"""Tools of somebody's own under the middleware: what is declared of them, and what they are given."""

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.tools import ToolException, tool

from daybook import Ledger, Patience
from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import InputRefused
from daybook.state.money import Money
from daybook.state.people.policy import Policy, Rule
from daybook.testing.model import ScriptedModel, Turn
from tests.conftest import Shop
from tests.integration.desk import Desk, open_desk

YES = {"type": "approve"}


def desk_of(ledger: Ledger, postgres: Postgres, tools: Sequence[Any], *script: Turn) -> Desk:
    """Make an agent of some effects."""
    model = ScriptedModel(script=list(script))
    agent = create_agent(
        model, list(tools), checkpointer=postgres.saver, middleware=[ledger.middleware()]
    )
    return Desk(agent, model, ledger, postgres)


class Hats:
    """Sell hats at a price that moves."""

    def __init__(self, ledger: Ledger) -> None:
        self.cents = 100
        self.sold: list[int] = []

        @ledger.effect(observe=self.read_price)
        async def buy(item: str, wrapped: bool = False) -> str:
            """Buy."""
            self.sold.append(self.cents)
            return f"bought for {self.cents}"

        self.tools = [buy]

    async def read_price(self, args: Any) -> dict[str, Any]:
        return {"cents": self.cents}


HAT = ("buy", {"item": "hat"})
MOVED = ("observed then {'cents': 100}", "now {'cents': 200}")


@pytest.mark.parametrize("is_edited", [False, True], ids=["approved", "edited"])
async def test_what_moved_since_it_was_asked_is_asked_again(postgres: Postgres, is_edited: bool):
    ledger = Ledger(postgres, user="ada")
    hats = Hats(ledger)
    desk = desk_of(ledger, postgres, hats.tools, [HAT], "done")
    await desk.say("buy a hat")
    hats.cents = 200
    wrapped = {"name": "buy", "args": {"item": "hat", "wrapped": True}}
    edit = {"type": "edit", "edited_action": wrapped}
    [again] = (await desk.answer(edit if is_edited else YES)).interrupts
    assert hats.sold == [], "no price is approved that its author has not seen"
    was, now = ("was: observed: cents 100", "now: observed: cents 200") if is_edited else MOVED
    assert was in again.value["note"]
    assert now in again.value["note"]
    await desk.answer(YES, approval_id=again.value["approval_id"])
    assert hats.sold == [200]
    assert "bought for 200" in (await desk.told())[0]


async def test_a_tool_is_given_what_was_decided_and_approved_to_the_byte(postgres: Postgres):
    kept: list[str] = []
    decided = {
        "text": "  two  words\x00 ",
        "body": {"z": 1, "bb": [{"y": None, "x": 1e16}], "a": -0.0},
        "note": None,
    }

    ledger = Ledger(postgres, user="ada")

    @ledger.effect
    async def keep(body: dict[str, Any], text: str, note: str | None = "none") -> str:
        """Keep."""
        kept.append(json.dumps([body, text, note]))
        return "kept"

    wrong = {**decided, "text": 1}
    desk = desk_of(ledger, postgres, [keep], [("keep", decided)], [("keep", wrong)], "done")
    [question] = (await desk.say("keep it")).interrupts
    assert json.dumps(question.value["action_requests"][0]["args"]) == json.dumps(decided)
    await desk.answer(YES)
    assert kept == [json.dumps([decided["body"], decided["text"], None])]
    assert "text: Input should be a valid string" in (await desk.told())[-1]


async def test_no_amount_below_nothing_makes_another_one_small(postgres: Postgres):
    paid = []
    limit = Money(amount=500, currency="USD")
    small = Policy(rules=(Rule(name="small", up_to=limit, approval="nobody"),))
    ledger = Ledger(postgres, user="ada")

    @ledger.effect(approval=small)
    async def pay(to: str, amount: int, currency: str) -> str:
        """Pay."""
        paid.append(amount)
        return "paid"

    both = [
        ("pay", {"to": to, "amount": a, "currency": "USD"}) for to, a in (("x", 900), ("y", -800))
    ]
    desk = desk_of(ledger, postgres, [pay], both)
    assert len((await desk.say("pay")).interrupts) == 1
    assert paid == []


async def test_an_error_that_a_tool_would_turn_into_text_is_no_success(postgres: Postgres):
    @tool
    async def send(to: str) -> str:
        """Send."""
        raise ToolException("not today")

    send.handle_tool_error = True
    short = Patience(budget=timedelta(seconds=1), unknown_settle=timedelta(milliseconds=10))
    ledger = Ledger(postgres, user="ada", patience=short)
    effect = ledger.effect(send, approval="never")
    desk = desk_of(ledger, postgres, [effect], [("send", {"to": "ada"})], "sent?")
    [question] = (await desk.say("go")).interrupts
    assert "/send/1" in question.value["in_doubt"]


@pytest.mark.parametrize("is_bare", [False, True])
async def test_a_tool_that_returns_directly_ends_the_run_and_a_bare_one_goes_by_the_ledger(
    postgres: Postgres, is_bare: bool
):
    @tool(return_direct=True)
    async def send(to: str) -> str:
        """Send."""
        return f"sent to {to}"

    ledger = Ledger(postgres, user="ada")
    effect = ledger.effect(send, approval="never")
    given = send if is_bare else effect
    desk = desk_of(ledger, postgres, [given], [("send", {"to": "ada"})])
    await desk.say("go")
    assert await desk.told() == ["sent to ada"]
    assert await desk.receipts() == [("send", "done")]
    assert desk.model.asked == 1


async def test_without_a_checkpointer_or_with_one_that_forgets_nothing_is_done(
    postgres: Postgres, shop: Shop
):
    async with open_desk(postgres, shop.url) as desk:
        desk.model.then([("tip", {"card_id": "card_ada_1", "amount": 200})])
        with pytest.raises(InputRefused, match='durability="exit"'):
            await desk.say("tip them", durability="exit")
    agent = create_agent(
        ScriptedModel(script=["never said"]), [], middleware=[Ledger(postgres).middleware()]
    )
    with pytest.raises(InputRefused, match="needs a checkpointer"):
        await agent.ainvoke({"messages": "go"}, {"configurable": {"thread_id": "t"}})
    assert shop.happened() == []
