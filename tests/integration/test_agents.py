"""An ordinary agent of `create_agent` whose effects go through the ledger."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage
from langgraph.types import Command

from daybook import Patience
from daybook.app.ledger.listing import ledger
from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import settings_from
from daybook.state.clock import SYSTEM
from daybook.state.receipts import is_receipt
from tests.conftest import Shop
from tests.integration.desk import (
    CARD,
    CHARGE,
    LOOK,
    NO,
    OTHER,
    PROVABLE,
    TIP,
    YES,
    Desk,
    amounts,
    open_desk,
)


async def settled(desk: Desk) -> str:
    """Let a worker look again and again, as it does, until nothing is left that waits for time."""
    assert desk.ledger is not None
    for _ in range(200):
        left = await desk.ledger.recover(desk.agent, desk.thread)
        if left != "an outcome is not known yet":
            break
        await SYSTEM.sleep(0.05)
    return left


# -- approvals -------------------------------------------------------------------------------------


async def test_an_effect_is_asked_about_done_once_and_told(desk: Desk, shop: Shop):
    desk.model.then([LOOK], [CHARGE], "done")
    asked = await desk.say("charge me")
    [question] = asked.interrupts
    [request] = question.value["action_requests"]
    assert (request["name"], request["args"]) == CHARGE
    assert shop.happened() == []
    await desk.answer(YES)
    assert shop.effects() == [("charge", "order/o-1/charge/1")]
    assert await desk.said() == "done"
    told = await desk.told()
    assert (told[0], '"amount": 1200' in told[1]) == (CARD, True)
    assert await desk.receipts() == [("charge_card", "done")]
    events = await desk.events()
    assert events.index("intended") < events.index("decision") < events.index("attempted")
    assert events[-3:] == ["succeeded", "decided", "turn_done"]


async def test_a_rejected_effect_is_not_done_and_the_model_is_told_why(desk: Desk, shop: Shop):
    desk.model.then([CHARGE], "a pity", [CHARGE], "I see")
    await desk.say("charge me")
    await desk.answer(NO)
    await desk.say("charge me after all")
    await desk.answer({"type": "respond", "message": "ask me tomorrow"})
    assert shop.happened() == []
    assert await desk.receipts() == [("charge_card", "not done")] * 2
    rejected, told = await desk.told()
    assert rejected == "charge_card rejected by ada: too dear"
    assert "ask me tomorrow" in told


async def test_an_edited_effect_is_done_as_the_person_wants_it_and_not_proposed_again(
    desk: Desk, shop: Shop
):
    desk.model.then([TIP], [TIP], "done")
    await desk.say("tip them")
    edited = {"name": "tip", "args": {**TIP[1], "amount": 100}}
    assert not (await desk.answer({"type": "edit", "edited_action": edited})).interrupts
    assert amounts(shop) == [100]
    done, refused = await desk.told()
    assert "An approver changed this call to tip(" in done
    assert "amount=100" in done
    assert "The original call is not tried again" in refused
    assert await desk.receipts() == [("tip", "done")]


async def test_the_effects_of_a_message_are_asked_about_in_order_and_reads_go_their_way(
    desk: Desk, shop: Shop
):
    desk.model.then([CHARGE, LOOK, OTHER], "both")
    for args in (CHARGE[1], OTHER[1]):
        [question] = (await desk.state()).interrupts or (await desk.say("charge both")).interrupts
        [request] = question.value["action_requests"]
        assert request["args"] == args
        await desk.answer(NO if args is CHARGE[1] else YES)
    assert amounts(shop) == [500]
    messages = (await desk.state()).values["messages"]
    call_ids = [call["id"] for call in messages[1].tool_calls]
    told = {m.tool_call_id: m.status for m in messages if m.type == "tool"}
    assert [told[id_] for id_ in call_ids] == ["error", "success", "success"]
    assert await desk.receipts() == [("charge_card", "not done"), ("charge_card", "done")]


# -- the check of the model's text ---------------------------------------------------------------


async def findings(desk: Desk) -> list[tuple[str, str]]:
    """Return kind and quote of the findings that the thread's ledger holds."""
    payloads = [entry.payload or {} for entry in await desk.postgres.ledger.entries(desk.thread)]
    found = [one for payload in payloads for one in payload.get("findings", ())]
    return [(one["kind"], one["quote"]) for one in found]


@pytest.mark.parametrize("second", ["Your card was charged.", [CHARGE]], ids=["again", "acts"])
async def test_a_text_that_contradicts_the_ledger_again_is_corrected_behind_it(
    desk: Desk, shop: Shop, second: Any
):
    first = "I charged your card. Anything else?"
    desk.model.then([CHARGE], first, second)
    await desk.say("charge me")
    await desk.answer(NO)
    *_, text, correction = (await desk.state()).values["messages"]
    assert text.text == (second if isinstance(second, str) else first)
    assert is_receipt(correction.id)
    assert [kind for kind, _ in await findings(desk)] == ["completion"]
    assert await desk.receipts() == [("charge_card", "not done")]
    assert shop.happened() == []


async def test_a_streamed_text_that_contradicts_the_ledger_stands_and_is_corrected(
    desk: Desk, shop: Shop
):
    desk.model.then([CHARGE], "I charged your card.")
    await desk.say("charge me")
    resume: Any = Command(resume={"decisions": [NO]})
    stream = desk.agent.astream(resume, desk.config, stream_mode=["messages", "custom"])
    came = [event async for event in stream]
    *_, text, correction = (await desk.state()).values["messages"]
    assert text.text == "I charged your card."
    assert is_receipt(correction.id)
    events = [event for mode, event in came if mode == "custom" and "receipt" in event]
    assert events[-1] == {"id": correction.id, "receipt": [], "text": correction.text}
    assert desk.model.asked == 2
    # A text that is in order has no correction of an earlier one.
    desk.model.then("Nothing was charged.")
    await desk.say("was anything charged?")
    assert await desk.said() == "Nothing was charged."


# -- once ------------------------------------------------------------------------------------------


async def test_one_operation_is_done_once_and_the_others_of_its_message_in_order(
    desk: Desk, shop: Shop
):
    desk.model.then([CHARGE], "done", [CHARGE], "it was done", [OTHER, CHARGE, TIP], "the others")
    await desk.say("charge me")
    await desk.answer(YES)
    await desk.say("charge order o-1")
    assert shop.happened() == ["charge"]
    assert "was done already" in (await desk.told())[-1]
    await desk.say("charge both orders, and a tip")
    await desk.answer(YES, YES)
    assert amounts(shop) == [1200, 500, 200]
    other, again, tip = (await desk.told())[-3:]
    assert "was done already" in again
    assert "refused" not in other + tip


async def test_what_was_done_with_other_arguments_is_never_said_to_be_done(desk: Desk, shop: Shop):
    other = (CHARGE[0], {**CHARGE[1], "amount": 9900})
    desk.model.then([CHARGE], "done", [other], "it was not")
    await desk.say("charge me")
    await desk.answer(YES)
    await desk.say("charge 99")
    assert amounts(shop) == [1200]
    told = (await desk.told())[-1]
    assert "done already" not in told
    assert "with other arguments" in told
    assert "1200" in told, "what was done is named"


async def test_an_effect_that_names_no_operation_is_a_new_one_for_a_new_message_alone(
    desk: Desk, shop: Shop
):
    desk.model.then([TIP], "thanks", [TIP], "thanks again")
    await desk.say("tip them", "m-1")
    await desk.answer(YES)
    await desk.say("tip them", "m-1")
    assert shop.happened() == ["charge"]
    await desk.say("tip them", "m-2")
    await desk.answer(YES)
    assert shop.happened() == ["charge", "charge"]


async def test_a_fork_with_another_message_is_a_wanted_repeat(desk: Desk, shop: Shop):
    desk.model.then([TIP], "thanks", [TIP], "thanks")
    await desk.say("tip them")
    history = [one async for one in desk.agent.aget_state_history(desk.config)]
    await desk.answer(YES)
    said = {"role": "user", "content": "tip them once more", "id": str(uuid.uuid4())}
    [begins] = [one for one in history if not one.values.get("messages")]
    await desk.agent.ainvoke({"messages": [said]}, begins.config)
    await desk.answer(YES)
    assert shop.happened() == ["charge", "charge"]


# -- what comes in between -------------------------------------------------------------------------


async def test_a_new_message_withdraws_what_nobody_has_decided_on(desk: Desk, shop: Shop):
    desk.model.then([CHARGE, LOOK], "never mind then", "nothing was charged")
    await desk.say("charge me")
    state = await desk.say("no, wait")
    assert not state.interrupts
    assert shop.happened() == []
    messages = state.values["messages"]
    types = ["human", "ai", "tool", "tool", "human", "ai", "ai"]
    assert [message.type for message in messages] == types
    assert [is_receipt(message.id) for message in messages[-2:]] == [True, False]
    assert await desk.receipts() == [("charge_card", "not done")]
    told = await desk.told()
    assert told == [
        "charge_card withdrawn: nothing was done",
        "This call was interrupted and has no result. It is not known here whether it was carried "
        "out.",
    ]
    await desk.answer(YES)
    assert shop.happened() == []


async def test_a_declined_effect_is_told_in_the_tools_words(desk: Desk, shop: Shop):
    dear = ("charge_card", {"order_id": "o-9", "card_id": "card_dan_1", "amount": 100})
    desk.model.then([dear], "declined")
    await desk.say("charge me")
    await desk.answer(YES)
    assert "The card was declined" in (await desk.told())[0]
    assert await desk.receipts() == [("charge_card", "declined")]
    assert shop.happened() == []


async def test_without_key_or_probe_a_lost_answer_goes_to_a_person_and_operators_see_it(
    desk: Desk, postgres: Postgres, postgres_url: str, shop: Shop
):
    shop.fault("charges", "drop")
    desk.model.then([TIP], "thanks", [TIP], "thanks again")
    await desk.say("tip them")
    [question] = (await desk.answer(YES)).interrupts
    assert question.value["in_doubt"].endswith("/tip/1")
    lines = await ledger(settings_from({"DATABASE_URL": postgres_url}), desk.thread)
    events = [line["event"] for line in lines]
    assert [e for e in events if e in ("intended", "attempted", "in_doubt")] == [
        "intended",
        "attempted",
        "in_doubt",
    ]
    found = await postgres.steps.unsettled(desk.thread, 10)
    assert [(one.tool, one.state) for one in found.steps] == [("tip", "in_doubt")]
    assert await postgres.ledger.verify(desk.thread) == len(lines)
    before = shop.happened()
    await desk.answer({"type": "respond", "message": "it happened"})
    assert shop.happened() == before
    assert await desk.said() == "thanks"
    shop.fault("charges", "refuse")
    await desk.say("tip them again")
    await desk.answer(YES)
    assert shop.happened() == before
    await desk.answer({"type": "respond", "message": "it did not happen"})
    assert shop.happened() == [*before, "charge"]


async def test_what_is_not_settled_is_told_later_in_its_place(postgres: Postgres, shop: Shop):
    shop.keys(honour=False)
    shop.fault("charges", "drop")
    shop.fault("lookups", "refuse", times=5)
    async with open_desk(postgres, shop.url, PROVABLE, node_seconds=0) as desk:
        desk.model.then([CHARGE], "not settled", "settled")
        await desk.say("charge me")
        await desk.answer(YES)
        assert "not known yet" in (await desk.told())[0]
        assert await desk.receipts() == [("charge_card", "pending")]
        assert desk.ledger is not None
        assert await settled(desk) == "finished"
        state = await desk.say("and now?")
        assert '"amount": 1200' in (await desk.told())[0]
        assert await desk.receipts() == [("charge_card", "pending"), ("charge_card", "done")]
        human, receipt, answer = state.values["messages"][-3:]
        assert (human.type, is_receipt(receipt.id), answer.text) == ("human", True, "settled")
        assert shop.happened() == ["charge"]


async def test_a_question_that_nobody_answers_in_time_is_over(postgres: Postgres, shop: Shop):
    short = Patience(question=timedelta(0))
    async with open_desk(postgres, shop.url, patience=short) as desk:
        desk.model.then([CHARGE], "nobody answered")
        await desk.say("charge me")
        assert await settled(desk) == "finished"
        assert await desk.told() == ["charge_card expired: nothing was done"]
        assert await desk.receipts() == [("charge_card", "not done")]
        assert await desk.said() == "nobody answered"
        assert shop.happened() == []


async def test_a_call_that_another_middleware_makes_up_is_asked_about(postgres, shop):
    class Meddler(AgentMiddleware):
        async def aafter_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
            last = state["messages"][-1]
            if not isinstance(last, AIMessage) or last.text != "nothing":
                return None
            call = {"name": "tip", "args": TIP[1], "id": "x", "type": "tool_call"}
            return {"messages": [AIMessage("", id=last.id, tool_calls=[call])]}

    async with open_desk(postgres, shop.url, before=[Meddler()]) as desk:
        desk.model.then("nothing", "I tried")
        assert (await desk.say("hello")).interrupts
        assert shop.happened() == []
        await desk.answer(YES)
        assert amounts(shop) == [200]
