"""The conversation of the terminal, through `langgraph dev` and langgraph_sdk."""

import psycopg
import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.recovery import Event
from daybook.state.people.called import is_called
from daybook.tools.services.mail import message_id
from tests.apart.served.conftest import Talk, said, skus
from tests.conftest import Shop

pytestmark = pytest.mark.asyncio(loop_scope="session")

APPROVE = {"type": "approve"}


async def test_the_whole_conversation_of_the_terminal_runs_through_the_server(
    talk: Talk, shop: Shop, beside: Postgres
):
    found = await talk.say("I need waterproof hiking boots under 150")
    assert "BOOT-013" in said(found)
    added = await talk.say("add the second one and two pairs of SOCK-002")
    boots, socks = skus(added)
    assert (boots, socks[:4]) == ("BOOT-013", "SOCK")

    removed = await talk.say("remove the socks")
    assert skus(removed) == [boots]
    assert socks not in said(await talk.say("find heavy wool socks"))

    asked = await talk.say("check out")
    assert asked["flow"] == "buying"
    assert shop.effects() == []
    question = await talk.question()
    assert question["action_requests"][0]["name"] == "checkout"
    assert "131.90 USD" in question["action_requests"][0]["description"]
    bought = await talk.answer(APPROVE)
    assert bought["flow"] == "ordered"
    order = bought["checkout"]["orders"][0]["order_id"]
    assert order in said(bought)
    assert shop.happened() == ["reserve", "charge", "order", "mail"]

    await talk.say("cancel that order")
    cancelled = await talk.answer(APPROVE)
    assert f"order {order} cancelled" in said(cancelled)
    assert shop.happened() == ["reserve", "charge", "order", "mail", "cancel", "refund"]

    entries = await beside.ledger.entries(talk.thread_id)
    keys = [entry.step_id for entry in entries if entry.event is Event.INTENDED]
    names = [message_id(key) if key.endswith("/send_email/1") else key for key in keys if key]
    assert names == [reference for _, reference in shop.effects()]
    assert await beside.ledger.verify(talk.thread_id) == len(entries)


async def test_the_state_of_a_finished_turn_is_in_postgres_whatever_durability_a_client_asks_for(
    talk: Talk, shop: Shop, served_database: str
):
    await talk.say("add BOOT-013")
    await talk.say("check out", durability="exit")
    with psycopg.connect(served_database) as conn:
        rows = conn.execute(
            "select metadata ->> 'source' from checkpoints where thread_id = %s "
            "order by checkpoint_id",
            (talk.thread_id,),
        ).fetchall()
    # "exit" would have kept one checkpoint of the run; "sync" keeps the input and each super-step.
    last_turn = [source for (source,) in rows]
    newest_input = len(last_turn) - 1 - last_turn[::-1].index("input")
    assert len(last_turn) - newest_input >= 4


async def test_a_client_that_streams_sees_progress_and_the_answer_and_no_raw_decision(talk: Talk):
    answers: dict[str, str] = {}
    progress: list[str] = []
    async for part in talk.client.runs.stream(
        talk.thread_id,
        "shop",
        input={"messages": [{"role": "user", "content": "find wool socks"}]},
        stream_mode=["messages-tuple", "custom"],
    ):
        if part.event == "messages":
            message, _ = part.data
            answers[message["id"]] = answers.get(message["id"], "") + message["content"]
        elif part.event == "custom" and "progress" in part.data:
            progress.append(part.data["progress"])
    assert "reading search products" in progress
    state = await talk.client.threads.get_state(talk.thread_id)
    stored = state["values"]["messages"][-1]
    said = {name: text for name, text in answers.items() if text and not is_called(name)}
    assert said == {stored["id"]: stored["content"]}
    assert "SOCK-" in stored["content"]
