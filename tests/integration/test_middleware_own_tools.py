"""Tools of somebody's own under the middleware: what is declared of them, and what they are given."""

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.tools import BaseTool, ToolException, tool
from langgraph.checkpoint.memory import InMemorySaver

from daybook.checkpoints.postgres import Postgres
from daybook.graph.middleware import Daybook, Patience, Undo, write
from daybook.state.errors import DeclarationError, InputRefused
from daybook.state.money import Money
from daybook.state.people.policy import Policy, Rule
from daybook.testing.model import ScriptedModel, Turn
from tests.conftest import Shop
from tests.integration.desk import KEYED, Desk, open_desk

YES = {"type": "approve"}


def desk_of(postgres: Postgres, tools: Sequence[BaseTool], *script: Turn, **declared: Any) -> Desk:
    """Make an agent of some tools, and what its owner declares of them."""
    daybook = Daybook(postgres, user="ada", **declared)
    model = ScriptedModel(script=list(script))
    agent = create_agent(model, list(tools), checkpointer=postgres.saver, middleware=[daybook])
    return Desk(agent, model, daybook, postgres)


class Hats:
    """Sell hats at a price that moves."""

    def __init__(self, **declared: Any) -> None:
        self.cents = 100
        self.sold: list[int] = []

        @tool
        async def buy(item: str, wrapped: bool = False) -> str:
            """Buy."""
            self.sold.append(self.cents)
            return f"bought for {self.cents}"

        async def read_price(args: dict[str, Any], *, ctx: Any) -> dict[str, Any]:
            return {"cents": self.cents}

        self.tools = [buy]
        self.effects = [write(buy, observe=read_price, **declared)]


HAT = ("buy", {"item": "hat"})
MOVED = ("observed then {'cents': 100}", "now {'cents': 200}")


@pytest.mark.parametrize("is_edited", [False, True], ids=["approved", "edited"])
async def test_what_moved_since_it_was_asked_is_asked_again(postgres: Postgres, is_edited: bool):
    hats = Hats()
    desk = desk_of(postgres, hats.tools, [HAT], "done", effects=hats.effects)
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


async def test_an_answer_is_heard_although_what_was_observed_cannot_be_compared(postgres: Postgres):
    def moved(then: Any, now: Any) -> str | None:
        raise RuntimeError("a fault of its author's")

    hats = Hats(moved=moved)
    desk = desk_of(postgres, hats.tools, [HAT], "not settled", effects=hats.effects, node_seconds=0)
    await desk.say("buy a hat")
    assert not (await desk.answer(YES)).interrupts
    assert "decision" in await desk.events()
    assert hats.sold == []


async def test_a_tool_is_given_what_was_decided_and_approved_to_the_byte(postgres: Postgres):
    kept: list[str] = []
    decided = {
        "text": "  two  words\x00 ",
        "body": {"z": 1, "bb": [{"y": None, "x": 1e16}], "a": -0.0},
        "note": None,
    }

    @tool
    async def keep(body: dict[str, Any], text: str, note: str | None = "none") -> str:
        """Keep."""
        kept.append(json.dumps([body, text, note]))
        return "kept"

    wrong = {**decided, "text": 1}
    desk = desk_of(postgres, [keep], [("keep", decided)], [("keep", wrong)], "done", effects=[keep])
    [question] = (await desk.say("keep it")).interrupts
    assert json.dumps(question.value["action_requests"][0]["args"]) == json.dumps(decided)
    await desk.answer(YES)
    assert kept == [json.dumps([decided["body"], decided["text"], None])]
    assert "text: Input should be a valid string" in (await desk.told())[-1]


async def test_no_amount_below_nothing_makes_another_one_small(postgres: Postgres):
    paid = []

    @tool
    async def pay(to: str, amount: int, currency: str) -> str:
        """Pay."""
        paid.append(amount)
        return "paid"

    limit = Money(amount=500, currency="USD")
    small = Rule(name="small", tools=("pay",), up_to=limit, approval="nobody")
    both = [
        ("pay", {"to": to, "amount": a, "currency": "USD"}) for to, a in (("x", 900), ("y", -800))
    ]
    desk = desk_of(postgres, [pay], both, effects=[pay], policy=Policy(rules=(small,)))
    assert len((await desk.say("pay")).interrupts) == 1
    assert paid == []


async def test_an_undo_whose_arguments_cannot_be_made_goes_to_a_person(postgres: Postgres):
    @tool
    async def pay(to: str) -> str:
        """Pay."""
        raise ConnectionError

    @tool
    async def pay_back(reference: str) -> str:
        """Pay back."""
        raise AssertionError

    undo = Undo(tool="pay_back", args=lambda args, result: {"reference": result["reference"][99]})
    effects = [write(pay, reference="reference", undo=undo), write(pay_back, guarantees=KEYED)]
    short = Patience(unknown_settle=timedelta(milliseconds=10))
    desk = desk_of(
        postgres, [pay, pay_back], [("pay", {"to": "x"})], effects=effects, patience=short
    )
    await desk.say("pay")
    await desk.answer(YES)
    [stuck] = (await desk.answer({"type": "respond", "message": "undo R-1"})).interrupts
    assert "pay_back, the undo of pay" in stuck.value["action_requests"][0]["description"]


async def test_an_error_that_a_tool_would_turn_into_text_is_no_success(postgres: Postgres):
    @tool
    async def send(to: str) -> str:
        """Send."""
        raise ToolException("not today")

    send.handle_tool_error = True
    effects = [write(send, approval="never")]
    short = Patience(budget=timedelta(seconds=1), unknown_settle=timedelta(milliseconds=10))
    script = [("send", {"to": "ada"})], "sent?"
    desk = desk_of(postgres, [send], *script, effects=effects, patience=short)
    [question] = (await desk.say("go")).interrupts
    assert "/send/1" in question.value["in_doubt"]


async def test_a_tool_of_which_nothing_is_said_stops_the_agent_at_its_first_run(postgres: Postgres):
    @tool
    async def launch(where: str) -> str:
        """Launch."""
        raise AssertionError

    agent = create_agent(
        ScriptedModel(script=["never said"]),
        [launch],
        checkpointer=InMemorySaver(),
        middleware=[Daybook(postgres, effects=[])],
    )
    config = {"configurable": {"thread_id": "t", "user_id": "ada"}}
    with pytest.raises(DeclarationError, match=r"nothing: launch.*effects=\[\.\.\.\].*reads=\["):
        await agent.ainvoke({"messages": "go"}, config)


async def test_without_a_checkpointer_or_with_one_that_forgets_nothing_is_done(
    postgres: Postgres, shop: Shop
):
    async with open_desk(postgres, shop.url) as desk:
        desk.model.then([("tip", {"card_id": "card_ada_1", "amount": 200})])
        with pytest.raises(InputRefused, match='durability="exit"'):
            await desk.say("tip them", durability="exit")
    agent = create_agent(
        ScriptedModel(script=["never said"]), [], middleware=[Daybook(postgres, effects=[])]
    )
    with pytest.raises(InputRefused, match="needs a checkpointer"):
        await agent.ainvoke({"messages": "go"}, {"configurable": {"thread_id": "t"}})
    assert shop.happened() == []
