"""Tools of somebody's own under the middleware: what is declared, given and answered."""

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from importlib.metadata import version
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolCall
from langchain_core.tools import ToolException, tool
from packaging.version import parse

from daybook import Ledger, Patience
from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import InputRefused
from daybook.state.money import Money
from daybook.state.people.policy import Policy, Rule
from daybook.testing.model import ScriptedModel, Turn
from tests.conftest import Shop
from tests.integration.desk import CARD, YES, Desk, open_desk


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
    assert "text: it must be text" in (await desk.told())[-1]


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


def charge(order: str, amount: int, id_: str | None) -> ToolCall:
    args = {"order_id": order, "card_id": CARD, "amount": amount}
    return ToolCall(name="charge_card", args=args, id=id_, type="tool_call")


def look(id_: str | None) -> ToolCall:
    return ToolCall(name="find_card", args={"user": "ada"}, id=id_, type="tool_call")


def says(calls: list[ToolCall]) -> Callable[[Any], AIMessage]:
    """Make a model's turn of calls as they are."""
    return lambda prompt: AIMessage("", tool_calls=calls)


def amounts(told: list[str]) -> list[Any]:
    return [json.loads(text)["amount"] for text in told]


@pytest.mark.parametrize("id_", [None, "", "same"])
async def test_each_of_two_effects_and_a_read_without_an_id_of_its_own_is_told(
    desk: Desk, shop: Shop, id_: str | None
):
    calls = [look(id_), charge("o-1", 500, id_), charge("o-2", 600, id_)]
    desk.model.then(says(calls), "done")
    await desk.say("charge both")
    await desk.answer(YES, YES)
    told = await desk.told()
    assert told.count(CARD) == 1
    assert amounts([text for text in told if text != CARD]) == [500, 600]
    assert shop.happened() == ["charge", "charge"]


async def test_an_effect_without_an_id_whose_question_is_overtaken_is_told_as_withdrawn(
    desk: Desk, shop: Shop
):
    desk.model.then(says([charge("o-1", 500, None)]), "never mind")
    await desk.say("charge me")
    await desk.say("wait")
    [told] = await desk.told()
    assert "withdrawn" in told
    assert shop.happened() == []


async def test_arguments_that_no_checkpoint_holds_are_refused_in_words(desk: Desk, shop: Shop):
    calls = [charge("o-1", 2**70, "a"), charge("o-2", 600, "b")]
    desk.model.then(says(calls), "done")
    [asked] = (await desk.say("charge both")).interrupts
    assert len(asked.value["action_requests"]) == 1
    await desk.answer(YES)
    *refused, done = await desk.told()
    # langchain answers such a call since 1.4.
    if parse(version("langchain")) >= parse("1.4.3"):
        assert ["could not be executed" in one for one in refused] == [True]
    assert amounts([done]) == [600]
    assert shop.happened() == ["charge"]


async def test_a_tool_that_there_is_not_is_not_said_to_change_the_world(desk: Desk, shop: Shop):
    nothing = ToolCall(name="charge_cart", args={}, id="a", type="tool_call")
    desk.model.then(says([nothing]), "done")
    await desk.say("charge me")
    [told] = await desk.told()
    assert "charge_cart is not a valid tool" in told
    assert shop.happened() == []
