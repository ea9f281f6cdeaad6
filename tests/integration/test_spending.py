"""Limits that add up over threads and processes, whatever becomes of what they counted."""

import asyncio
from typing import Any, TypedDict

import pytest
from langgraph.graph import START, StateGraph
from langgraph.types import Command

from daybook import Declined, Ledger, Money, Policy
from daybook.checkpoints.ledger.search import Search, Wanted
from daybook.checkpoints.ledger.steps import Questions, Sought
from daybook.errors import EffectDeclined, EffectNotDone
from daybook.state.clock import SYSTEM
from daybook.state.errors import DeclarationError
from daybook.state.people.policy import Rule
from daybook.state.people.spending import SpendingLimit
from daybook.testing.model import last_result
from tests.cases.test_cases import APPROVED, fresh
from tests.conftest import Agent, Shop
from tests.conversation import answer_of
from tests.purchases import asked_to_buy, bought, rebuilt, with_boots

DAY = 86_400.0


class State(TypedDict, total=False):
    to: str
    amount: int
    currency: str
    told: str


class Till:
    """A ledger whose effect moves money, within limits."""

    def __init__(
        self,
        url: str,
        *limits: dict[str, Any],
        approval: Any = "never",
        is_declared: bool = True,
        **declared: Any,
    ) -> None:
        self.paid: list[int] = []
        if is_declared:
            declared = {"amount": "amount", "currency": "currency", **declared}
        made = tuple(SpendingLimit(name=f"limit-{n}", **one) for n, one in enumerate(limits))
        self.ledger = Ledger(url, user="ada", policy=Policy(limits=made))

        @self.ledger.effect(approval=approval, **declared)
        async def pay(to: str, amount: int, currency: str = "EUR") -> str:
            if to == "nobody":
                raise Declined("unknown", "There is no such account.")
            self.paid.append(amount)
            return f"paid {to}"

        async def node(state: State) -> State:
            return {"told": await pay(state["to"], state["amount"], state["currency"])}

        graph: Any = StateGraph(State).add_node(node).add_edge(START, "node")
        self.graph = graph.compile(checkpointer=self.ledger.saver)

    async def pay(
        self, amount: int, to: str = "bob", currency: str = "EUR", config: Any = None, **who: str
    ) -> Any:
        config = config or fresh()
        config["configurable"] |= who
        given = {"to": to, "amount": amount, "currency": currency}
        return await self.graph.ainvoke(given, config)


def limit(cents: int | None = None, **more: Any) -> dict[str, Any]:
    money = {"money": Money(amount=cents, currency="EUR")} if cents is not None else {}
    return {"tools": ("pay",), "days": 1, **money, **more}


async def test_what_would_pass_a_limit_is_refused_or_asked_about_by_whom_it_says(postgres_url: str):
    till = Till(postgres_url, limit(100), limit(60, over="clerk"))
    async with till.ledger:
        assert (await till.pay(50))["told"] == "paid bob"
        config = fresh()
        [question] = (await till.pay(40, config=config))["__interrupt__"]
        assert question.value["needs"]["role"] == "clerk"
        assert question.value["needs"]["rules"] == ["limit-1"]
        with pytest.raises(EffectNotDone, match=r"limit-0.*already counted: 0\.90 EUR"):
            # What waits for its approval counts: else many questions would pass together.
            await till.pay(20)
        config["configurable"] |= {"user_id": "cleo", "role": "clerk"}
        with pytest.raises(EffectNotDone, match="rejected by cleo"):
            await till.graph.ainvoke(Command(resume={"decisions": [{"type": "reject"}]}), config)
        assert (await till.pay(10))["told"] == "paid bob"
    assert till.paid == [50, 10]


async def test_what_waits_longer_than_the_limit_looks_back_counts_and_then_from_when_it_is_sent(
    postgres_url: str,
):
    large = {"above": Money(amount=90, currency="EUR"), "approval": "clerk"}
    slow = Rule(name="large", **large, expires_after=3 * DAY)
    approval = Policy(rules=(slow, Rule(name="small", approval="nobody")))
    till, config = Till(postgres_url, limit(100), approval=approval), fresh()
    async with till.ledger:
        await till.pay(95)  # Nobody answers this one.
        await SYSTEM.sleep(3.1 * DAY)
        await till.pay(100, config=config)
        await SYSTEM.sleep(1.5 * DAY)
        with pytest.raises(EffectNotDone, match=r"already counted: 1\.00 EUR"):
            await till.pay(80)
        config["configurable"] |= {"user_id": "cleo", "role": "clerk"}
        await till.graph.ainvoke(APPROVED, config)
        await SYSTEM.sleep(0.5 * DAY)
        with pytest.raises(EffectNotDone, match=r"already counted: 1\.00 EUR"):
            await till.pay(80)
        await SYSTEM.sleep(0.6 * DAY)
        await till.pay(80)
    assert till.paid == [100, 80]


async def test_a_limit_counts_for_each_user_argument_or_all(postgres_url: str):
    till = Till(postgres_url, limit(100, per="to"), limit(150), limit(200, per="tenant"))
    async with till.ledger:
        await till.pay(100, "bob")
        with pytest.raises(EffectNotDone, match="limit-0"):
            await till.pay(1, "bob")
        with pytest.raises(EffectNotDone, match="limit-1"):
            await till.pay(60, "carol")
        await till.pay(60, "carol", user_id="ben")
        with pytest.raises(EffectNotDone, match="limit-2"):
            await till.pay(50, "dora", user_id="dan")
        await till.pay(40, "dora", user_id="dan")
    assert till.paid == [100, 60, 40]


async def test_amounts_that_no_column_holds_together_pass_a_limit(postgres_url: str):
    till = Till(postgres_url, limit(100, over="clerk"))
    async with till.ledger:
        for _ in range(3):
            assert "__interrupt__" in await till.pay(2**63 - 1)
    assert till.paid == []


async def test_what_nobody_answered_in_time_counts_back_before_that_is_written_down(
    postgres_url: str,
):
    rule = Rule(name="brief", approval="clerk", expires_after=60)
    till = Till(postgres_url, limit(100), approval=Policy(rules=(rule,)))
    async with till.ledger:
        await till.pay(100)
        await SYSTEM.sleep(121)
        assert "__interrupt__" in await till.pay(100)
        with pytest.raises(EffectNotDone, match=r"already counted: 1\.00 EUR"):
            await till.pay(1)


async def test_what_had_no_effect_counts_back(postgres_url: str):
    till = Till(postgres_url, limit(100))
    async with till.ledger:
        for _ in range(3):
            with pytest.raises(EffectDeclined):
                await till.pay(100, "nobody")
        assert (await till.pay(100))["told"] == "paid bob"


@pytest.mark.parametrize("given", [(1, "bob", "USD"), (-1, "bob", "EUR")])
async def test_an_amount_that_is_not_known_in_the_limits_money_is_no_small_one(
    postgres_url: str, given: Any
):
    till = Till(postgres_url, limit(100))
    async with till.ledger:
        with pytest.raises(EffectNotDone, match="not known in it"):
            await till.pay(*given)
    assert till.paid == []


async def test_no_argument_is_taken_for_money_by_its_name(postgres_url: str):
    till = Till(postgres_url, limit(100), is_declared=False)
    async with till.ledger:
        with pytest.raises(EffectNotDone, match="not known in it"):
            await till.pay(1)
    assert till.paid == []


async def test_fifty_at_once_in_two_processes_pass_no_limit_together(postgres_url: str):
    tills = [Till(postgres_url, limit(calls=10)) for _ in range(2)]
    async with tills[0].ledger, tills[1].ledger:
        made = [tills[n % 2].pay(1) for n in range(50)]
        came = await asyncio.gather(*made, return_exceptions=True)
    refused = [one for one in came if isinstance(one, EffectNotDone)]
    assert len(refused) == 40
    assert len(tills[0].paid + tills[1].paid) == 10


async def test_an_approved_edit_counts_as_what_it_became(postgres_url: str):
    till, config = Till(postgres_url, limit(100), approval="always"), fresh()
    async with till.ledger:
        await till.pay(90, config=config)
        args = {"to": "bob", "amount": 20, "currency": "EUR"}
        edited = {"type": "edit", "edited_action": {"name": "pay", "args": args}}
        state = await till.graph.ainvoke(Command(resume={"decisions": [edited]}), config)
        [asked] = state["__interrupt__"]
        named = {"decisions": [{"type": "approve"}], "approval_id": asked.value["approval_id"]}
        await till.graph.ainvoke(Command(resume=named), config)
        assert till.paid == [20]
        config = fresh()
        await till.pay(80, config=config)
        await till.graph.ainvoke(APPROVED, config)
    assert till.paid == [20, 80]


def test_a_limit_of_what_is_not_there_is_refused_when_it_is_declared():
    for wrong in ({"tools": ("payy",)}, {"per": "account"}):
        till = Till("postgresql://nowhere", limit(100, **wrong))
        with pytest.raises(DeclarationError, match="limit-0"):
            till.ledger.calls.ready()


async def test_what_is_undone_counts_back(agent: Agent, shop: Shop):
    # A pair of boots with its delivery is 98.90.
    money = Money(amount=10_000, currency="USD")
    charges = SpendingLimit(name="charges", tools=("charge_payment",), days=1, money=money)
    agent = rebuilt(agent, policy=Policy(limits=(charges,)))
    talk = await asked_to_buy(agent)
    shop.fault("orders", "refuse", times=99)
    await talk.approve()
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    shop.http.delete("/admin/faults").raise_for_status()
    agent.model.script.clear()
    await bought(agent)
    third = await with_boots(agent)
    agent.model.then([("checkout", {})], last_result)
    state = await third.say("check out")
    assert state.interrupts == ()
    assert 'The limit "charges" allows 100.00 USD in a day' in answer_of(state)
    assert shop.happened().count("charge") == 2


@pytest.mark.parametrize("currency", ["EUR", "coin"])
async def test_an_effect_declares_which_argument_is_its_money(postgres_url: str, currency: str):
    ledger = Ledger(
        postgres_url,
        user="ada",
        policy=Policy(
            rules=(
                {
                    "name": "small",
                    "up_to": {"amount": 500, "currency": "EUR"},
                    "approval": "nobody",
                },
            ),
            limits=({"name": "a day", **limit(600)},),
        ),
    )

    @ledger.effect(amount="cents", currency=currency)
    async def pay(to: str, cents: int, coin: str = "EUR") -> str:
        return f"paid {to}"

    async def node(state: State) -> State:
        return {"told": await pay(state["to"], state["amount"])}

    graph: Any = StateGraph(State).add_node(node).add_edge(START, "node")
    async with ledger:
        compiled, config = graph.compile(checkpointer=ledger.saver), fresh()
        assert (await compiled.ainvoke({"to": "bob", "amount": 400}, config))["told"] == "paid bob"
        [receipt] = await ledger.receipts(config["configurable"]["thread_id"])
        assert (receipt.amount, receipt.currency) == (400, "EUR")
        with pytest.raises(EffectNotDone, match=r"already counted: 4\.00 EUR"):
            await compiled.ainvoke({"to": "bob", "amount": 300}, fresh())
    with pytest.raises(DeclarationError, match="its arguments are to, cents"):
        Ledger(postgres_url).effect(amount="amount", currency="EUR")(pay.function)


async def test_amounts_are_compared_in_units_whatever_the_smallest_one_of_their_currency(
    postgres_url: str,
):
    till = Till(postgres_url, approval="clerk", amount="amount", currency="currency")
    async with till.ledger:
        threads = {}
        for amount, currency in ((90, "JPY"), (5_000, "JPY"), (100_000, "EUR"), (9_000, "KWD")):
            config = fresh()
            await till.pay(amount, config=config, currency=currency)
            threads[config["configurable"]["thread_id"]] = amount
        pool = (await till.ledger.calls.database.connect()).pool
        wanted = {"at_least": 10_000, "at_most": 500_000}
        listed, _ = await Questions(pool).inbox(None, Sought(sort="amount", **wanted), 9)
        assert [threads[one.thread_id] for one in listed] == [5_000, 100_000]
        found = await Search(pool).steps(Wanted(**wanted), None, 9)
        assert {threads[one.place.thread_id] for one in found.steps} == {5_000, 100_000}
