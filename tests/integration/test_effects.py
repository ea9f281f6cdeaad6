"""A graph of somebody's own calls plain functions that change the world: once each, whatever dies."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from langgraph.func import task
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, RetryPolicy, Send

from daybook import Postgres
from daybook.state.clock import SYSTEM
from daybook.state.errors import (
    EffectDeclined,
    EffectNotDone,
    EffectUnsettled,
    ForeignThread,
    InputRefused,
)
from daybook.state.receipts import ReceiptLine
from tests.conftest import Shop
from tests.history import replayed
from tests.integration.desk import amounts
from tests.integration.till import NO, PROVABLE, YES, Paying, Till, open_till

CHARGE = ["charge", {"cents": 1200}]
OTHER = ["charge", {"cents": 500}]
SELL = ["sell", {"cents": 1200}]
TIP = ["tip", {"cents": 200}]
POOR = "card_dan_1"
SAID = {"type": "respond"}


@pytest.fixture
async def till(postgres: Postgres, shop: Shop) -> AsyncIterator[Till]:
    async with open_till(postgres, shop.url) as till:
        yield till


def paid(state: Any) -> list[int]:
    return [receipt["amount"] for receipt in state["receipts"]]


# -- what a call comes to --------------------------------------------------------------------------


async def test_a_call_is_written_down_before_it_is_sent_and_returns_what_it_returned(till, shop):
    [receipt] = (await till.pay(CHARGE))["receipts"]
    assert (receipt["amount"], amounts(shop)) == (1200, [1200])
    events = [entry.event.value for entry in await till.postgres.ledger.entries(till.thread)]
    assert events[:5] == ["received", "opened", "intended", "attempted", "acknowledged"]
    assert events[-1] == "succeeded"


async def test_a_client_of_the_custom_stream_reads_the_receipt_of_a_call(till: Till, shop: Shop):
    came: list[Any] = []
    async for event in till.graph.astream({"calls": [CHARGE]}, till.config, stream_mode="custom"):
        came.append(event)
    [event] = [event for event in came if "receipt" in event]
    [line] = event["receipt"]
    assert (line["kind"], line["status"], line["amount"]) == ("charge", "done", 1200)
    assert line["id"] == shop.http.get("/effects").json()[0]["detail"]["charge_id"]
    assert event["text"] == "- " + str(ReceiptLine.model_validate(line))


async def test_a_declined_call_is_an_error_with_its_code_that_a_node_can_catch(till, shop):
    async def pay(state: Paying) -> Any:
        try:
            await till.functions["charge"](1200, card=POOR)
        except EffectDeclined as declined:
            other = await till.functions["charge"](1200)
            return {"receipts": [declined.code, str(declined), other["amount"]]}

    state = await till.graph_of(pay).ainvoke({}, till.config)
    assert state["receipts"][::2] == ["card_declined", 1200]
    assert "The card was declined" in state["receipts"][1]
    assert amounts(shop) == [1200]


async def test_a_rejected_call_is_an_error_with_the_persons_words(till: Till, shop: Shop):
    await till.pay(SELL)
    with pytest.raises(EffectNotDone, match="rejected by ada: too dear") as told:
        await till.answer(NO)
    assert (told.value.code, shop.happened()) == ("rejected", [])
    with pytest.raises(EffectNotDone, match="rejected"):
        await till.go_on()


async def test_an_edited_call_returns_what_was_done_instead(till: Till, shop: Shop):
    await till.pay(SELL)
    edited = {"name": "sell", "args": {"cents": 900}}
    state = await till.answer({"type": "edit", "edited_action": edited})
    while asked := state.get("__interrupt__"):
        state = await till.answer(YES, approval_id=asked[0].value["approval_id"])
    assert paid(state) == amounts(shop) == [900]


@pytest.mark.parametrize(
    ("fault", "said", "happened"),
    [("drop", "it happened", ["charge"]), ("refuse", "it did not happen", ["charge"])],
)
async def test_what_is_in_doubt_is_put_to_a_person(till, shop, fault, said, happened):
    shop.fault("charges", fault)
    [question] = (await till.pay(TIP))["__interrupt__"]
    assert question.value["in_doubt"].endswith("/tip/1")
    await till.answer({**SAID, "message": said})
    assert shop.happened() == happened


async def test_what_is_not_settled_is_looked_at_again(postgres: Postgres, shop: Shop):
    shop.keys(honour=False)
    shop.fault("charges", "drop")
    shop.fault("lookups", "refuse", times=2)
    async with open_till(postgres, shop.url, PROVABLE, node_seconds=0) as till:
        with pytest.raises(EffectUnsettled, match="not done twice"):
            await till.pay(CHARGE)
        async with SYSTEM.timeout(10):
            while True:
                try:
                    state = await till.go_on()
                    break
                except EffectUnsettled:
                    await SYSTEM.sleep(0.02)
    assert paid(state) == amounts(shop) == [1200]


# -- which call is which ---------------------------------------------------------------------------


async def test_two_effects_of_a_node_are_asked_about_one_after_the_other(till: Till, shop: Shop):
    await till.pay(CHARGE, SELL, ["sell", {"cents": 700}])
    assert amounts(shop) == [1200]
    [second] = (await till.answer(YES))["__interrupt__"]
    assert second.value["action_requests"][0]["args"] == {"cents": 700}
    assert amounts(shop) == [1200, 1200]
    assert paid(await till.answer(YES)) == [1200, 1200, 700]
    assert amounts(shop) == [1200, 1200, 700]


async def test_the_same_call_twice_is_done_twice_and_each_is_asked_about(till: Till, shop: Shop):
    await till.pay(SELL, SELL)
    assert "__interrupt__" in await till.answer(YES)
    assert paid(await till.answer(YES)) == amounts(shop) == [1200, 1200]


async def test_calls_side_by_side_in_a_node_are_done_one_after_the_other(till: Till, shop: Shop):
    charge = till.functions["charge"]

    async def pay(state: Paying) -> Any:
        return {"receipts": await asyncio.gather(*map(charge, (100, 200, 100)))}

    state = await till.graph_of(pay).ainvoke({}, till.config)
    assert paid(state) == [100, 200, 100]
    assert sorted(amounts(shop)) == [100, 100, 200]


async def test_a_node_that_is_tried_again_sends_nothing_again(till: Till, shop: Shop):
    tries: list[int] = []

    async def pay(state: Paying) -> Any:
        receipts = [await till.functions["charge"](cents) for cents in (100, 200, 100)]
        tries.append(len(tries))
        if len(tries) < 3:
            raise ConnectionError
        return {"receipts": receipts}

    again = RetryPolicy(initial_interval=0, jitter=False)
    await till.graph_of(pay, retry_policy=again).ainvoke({}, till.config)
    assert (len(tries), amounts(shop)) == (3, [100, 200, 100])


async def test_a_second_run_of_the_thread_is_meant_and_a_named_operation_is_done_once(till, shop):
    order = ["settle", {"order": "o-1", "cents": 300}]
    await till.pay(CHARGE, order)
    again = await till.pay(CHARGE, order, order)
    assert amounts(shop) == [1200, 300, 1200]
    assert again["receipts"][1] == again["receipts"][3] == again["receipts"][4]
    with pytest.raises(EffectNotDone, match="with other arguments"):
        await till.pay(["settle", {"order": "o-1", "cents": 400}])
    till.thread = "another"
    assert (await till.pay(order))["receipts"] == [again["receipts"][1]]
    assert len(amounts(shop)) == 3


async def test_a_named_operation_that_was_declined_may_be_done_otherwise(till: Till, shop: Shop):
    async def pay(state: Paying) -> Any:
        settle = till.functions["settle"]
        try:
            return {"receipts": [await settle("o-1", 300, POOR)]}
        except EffectDeclined:
            return {"receipts": [await settle("o-1", 300)]}

    assert paid(await till.graph_of(pay).ainvoke({}, till.config)) == amounts(shop) == [300]


async def test_a_node_that_the_graph_comes_back_to_means_it_anew(till: Till, shop: Shop):
    async def pay(state: Paying) -> Any:
        return {"receipts": [await till.functions["charge"](100)]}

    graph: Any = StateGraph(Paying)
    graph.add_node("pay", pay)
    graph.add_edge(START, "pay")
    graph.add_conditional_edges(
        "pay", lambda state: END if len(state["receipts"]) > 2 else "pay", ["pay", END]
    )
    till.graph = graph.compile(checkpointer=till.postgres.saver)
    await till.graph.ainvoke({}, till.config)
    assert amounts(shop) == [100, 100, 100]
    await replayed(till.graph, till.config)
    assert amounts(shop) == [100, 100, 100]


def branching(till: Till, name: str, amounts: list[int]) -> Any:
    """Make a graph whose branches call a function side by side."""

    async def pay(state: Any) -> Any:
        return {"receipts": [await till.functions[name](state["calls"])]}

    graph: Any = StateGraph(Paying)
    graph.add_node("pay", pay)
    graph.add_conditional_edges(
        START, lambda _: [Send("pay", {"calls": one}) for one in amounts], ["pay"]
    )
    till.graph = graph.compile(checkpointer=till.saver)
    return till.graph


async def test_branches_pay_one_after_the_other(till: Till, shop: Shop):
    state = await branching(till, "charge", [100, 200, 100]).ainvoke({}, till.config)
    assert paid(state) == [100, 200, 100]
    assert sorted(amounts(shop)) == [100, 100, 200]


@pytest.mark.parametrize("is_fresh", [False, True])
async def test_branches_that_ask_ask_one_after_the_other(postgres, till, shop, is_fresh):
    state = await branching(till, "sell", [100, 200, 100]).ainvoke({}, till.config)
    for done in range(3):
        [question] = state["__interrupt__"]
        assert len(amounts(shop)) == done
        if is_fresh:
            # Another process takes it up.
            async with open_till(postgres, shop.url) as other:
                other.thread = till.thread
                branching(other, "sell", [100, 200, 100])
                state = await other.answer(YES, approval_id=question.value["approval_id"])
        else:
            answer = {"decisions": [YES]}
            state = await till.graph.ainvoke(Command(resume={question.id: answer}), till.config)
    assert paid(state) == [100, 200, 100]
    assert sorted(amounts(shop)) == [100, 100, 200]


async def test_a_thread_that_is_replayed_from_any_checkpoint_sends_nothing_again(till, shop):
    await till.pay(CHARGE, SELL, CHARGE)
    await till.answer(YES)
    await replayed(till.graph, till.config)
    assert amounts(shop) == [1200, 1200, 1200]


async def test_a_fork_with_other_state_does_what_is_new_in_it(till: Till, shop: Shop):
    await till.pay(CHARGE)
    before, *_ = [one async for one in till.graph.aget_state_history(till.config) if one.next]
    fork = await till.graph.aupdate_state(before.config, {"calls": [CHARGE, OTHER]})
    assert paid(await till.graph.ainvoke(None, fork)) == [1200, 500]
    assert amounts(shop) == [1200, 500]


async def test_a_new_run_withdraws_what_nobody_has_decided_on(till: Till, shop: Shop):
    await till.pay(SELL)
    assert paid(await till.pay(OTHER)) == amounts(shop) == [500]


async def test_an_effect_in_a_graph_within_the_graph(till: Till, shop: Shop):
    async def pay(state: Paying) -> Any:
        names = ("sell", "charge")
        return {"receipts": [await till.functions[name](100) for name in names]}

    inner = till.graph_of(pay)
    outer: Any = StateGraph(Paying)
    outer.add_node("inner", inner.copy(update={"checkpointer": None}))
    outer.add_edge(START, "inner")
    till.graph = outer.compile(checkpointer=till.saver)
    await till.graph.ainvoke({}, till.config)
    assert paid(await till.answer(YES)) == amounts(shop) == [100, 100]
    await replayed(till.graph, till.config)
    assert amounts(shop) == [100, 100]


async def test_what_an_earlier_run_left_in_doubt_is_asked_before_anything_new_is_done(till, shop):
    shop.fault("charges", "refuse")
    await till.pay(TIP)
    [question] = (await till.pay(CHARGE))["__interrupt__"]
    assert "(tip)" in question.value["action_requests"][0]["description"]
    assert paid(await till.answer({**SAID, "message": "it did not happen"})) == [1200]
    assert amounts(shop) == [200, 1200]


# -- what is refused -------------------------------------------------------------------------------


async def test_what_cannot_be_remembered_is_refused_in_words(till: Till, shop: Shop):
    charge = till.functions["charge"]
    with pytest.raises(InputRefused, match="outside of a graph's run"):
        await charge(100)
    forgetful = till.graph.copy(update={"checkpointer": None})
    with pytest.raises(InputRefused, match="needs a checkpointer"):
        await forgetful.ainvoke({"calls": [CHARGE]}, till.config)
    with pytest.raises(InputRefused, match='durability="exit"'):
        await till.pay(CHARGE, durability="exit")
    for odd in ({"cents": (1, 2)}, {"cents": {1: 2}}, {"cents": object()}, {"cents": 2**70}):
        with pytest.raises(InputRefused, match="cannot be kept"):
            await _inside(till, odd)
    with pytest.raises(EffectNotDone, match="cents: it must be a whole number"):
        await _inside(till, {"cents": "many"})
    with pytest.raises(InputRefused, match="in a task"):
        await _inside(till, {"cents": 100}, task(charge))
    assert shop.happened() == []


async def _inside(till: Till, args: Any, function: Any = None) -> Any:
    async def pay(state: Paying) -> Any:
        return {"receipts": [await (function or till.functions["charge"])(**args)]}

    return await till.graph_of(pay).ainvoke({}, till.config)


async def test_somebody_elses_thread_is_refused(till: Till, shop: Shop):
    await till.pay(CHARGE)
    stranger = {"configurable": {"thread_id": till.thread, "user_id": "eve"}}
    with pytest.raises(ForeignThread):
        await till.graph.ainvoke({"calls": [CHARGE]}, stranger)
    assert amounts(shop) == [1200]
