"""The shop's agent through a server's API: a conversation, refusals, stops, and runs that are dropped."""

import asyncio
import re
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from langgraph_sdk.client import LangGraphClient

from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import ThreadBusy
from daybook.state.ledger.recovery import Event
from daybook.state.people.tool_messages import is_called
from daybook.tools.services.mail import message_id
from tests.apart.served.conftest import (
    OF_ONE_PROCESS,
    Talk,
    buying,
    is_refused_as,
    receipts_in,
    said,
    skus,
)
from tests.apart.servers import PROJECT
from tests.conftest import Shop, shop_agent
from tests.conversation import Conversation
from tests.dev_server import DevServer
from tests.production_server import PYTHON
from tests.purchases import PURCHASE, hurry, until

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


async def test_a_thread_that_another_process_works_on_is_busy_and_that_is_said(
    talk: Talk, beside: Postgres
):
    await talk.say("add BOOT-013")
    async with beside.locks.hold(talk.thread_id):
        refused = await talk.say("show my cart")
    assert is_refused_as(refused, "ThreadBusy")
    assert "Nothing was done" in refused["__error__"]["message"]
    assert skus(await talk.say("show my cart")) == ["BOOT-013"]


async def test_a_process_beside_the_server_is_told_while_the_server_works(
    talk: Talk, shop: Shop, beside: Postgres
):
    await talk.say("add BOOT-013")
    await talk.say("check out")
    shop.fault("charges", "slow", seconds=2)
    async with shop_agent(beside, shop) as agent:
        other = Conversation(agent.graph, thread=talk.thread_id)
        approving = asyncio.create_task(talk.answer({"type": "approve"}))
        await until(lambda: "reserve" in shop.happened(), "the first hold")
        with pytest.raises(ThreadBusy, match="Nothing was done"):
            await other.approve()
        bought = await approving
    assert bought["flow"] == "ordered"
    assert shop.happened() == ["reserve", "charge", "order", "mail"]


@OF_ONE_PROCESS
async def test_a_wrong_persons_answer_leaves_the_question_where_lists_find_it(
    talk: Talk, shop: Shop
):
    await talk.say("add BOOT-013")
    await talk.say("check out")
    answer = {"command": {"resume": {"decisions": [APPROVE]}}}
    words = {"input": {"messages": [{"role": "user", "content": "yes"}]}}
    mallory, clerk = {"user_id": "mallory"}, {"user_id": "cleo", "role": "clerk"}
    for who, given in ((mallory, answer), (mallory, words), (clerk, words)):
        with pytest.raises(httpx.HTTPStatusError, match="403"):
            await talk.client.runs.wait(
                talk.thread_id, "shop", config={"configurable": who}, **given
            )
        thread = await talk.client.threads.get(talk.thread_id)
        assert thread["status"] == "interrupted"
    assert (await talk.question())["action_requests"][0]["name"] == "checkout"
    assert shop.effects() == []


async def test_a_graph_that_lacks_what_it_deals_with_says_what_to_set(client: LangGraphClient):
    thread = await client.threads.create()
    said = {"messages": [{"role": "user", "content": "hello"}]}
    told: Any = await client.runs.wait(
        thread["thread_id"], "merchants", input=said, raise_error=False
    )
    assert "DAYBOOK_MERCHANTS" in told["__error__"]["message"]
    assert "Nothing was done" in told["__error__"]["message"]


CARD, TOKEN = "4242 4242 4242 4242", "sk-proj-Zx81kfJq02LmNvTy77PbQw55RsDc"


@pytest.mark.skipif(bool(PYTHON), reason="tests/apart/production looks at its tables")
async def test_a_card_number_and_a_token_stand_in_no_file_of_the_server(
    served: DevServer, client: LangGraphClient
):
    talk = await Talk.begun(client)
    marker = "hiking in Patagonia"
    await talk.say(f"{marker}: pay with {CARD} and {TOKEN}")
    folder = served.folder / ".langgraph_api"

    def kept() -> bytes:
        return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())

    # The server writes its registry down every ten seconds; what was said stands in it then.
    await until(lambda: marker.encode() in kept(), "the registry is written")
    held = kept()
    for secret in (CARD, CARD.replace(" ", ""), TOKEN):
        assert secret.encode() not in held
    assert b"4242" in held, "the last four digits say which card was meant"
    assert served.calls_out == [], "nothing leaves the machine"


@OF_ONE_PROCESS
async def test_a_message_that_rolls_a_purchase_back_goes_on_with_it(
    client: LangGraphClient, talk: Talk, shop: Shop
):
    await buying(client, talk, shop, "charges")
    run = await client.runs.create(
        talk.thread_id,
        "shop",
        input={"messages": [{"role": "user", "content": "show my cart"}]},
        context={"user_id": "ada"},
        multitask_strategy="rollback",
    )
    hurry(shop)
    await client.runs.join(talk.thread_id, run["run_id"])
    assert shop.happened() == PURCHASE
    values = await talk.run(input={"events": []})
    assert "__error__" not in values
    assert "place order: done, DB-" in receipts_in(values)


@OF_ONE_PROCESS
async def test_a_purchase_whose_run_is_rolled_back_is_gone_on_with(
    client: LangGraphClient, talk: Talk, shop: Shop
):
    run_id = await buying(client, talk, shop, "charges")
    await client.runs.cancel(talk.thread_id, run_id, wait=True, action="rollback")
    hurry(shop)
    values = await talk.run(input={"events": []})
    assert "place order: done, DB-" in receipts_in(values)
    assert shop.happened() == PURCHASE


async def test_a_run_that_is_deleted_leaves_the_conversation_as_it_is(
    client: LangGraphClient, talk: Talk, shop: Shop
):
    await talk.say("add BOOT-013")
    [run] = await client.runs.list(talk.thread_id)
    await client.runs.delete(talk.thread_id, run["run_id"])
    assert "BOOT-013" in said(await talk.say("show my cart"))


async def told(client: LangGraphClient, talk: Talk) -> str:
    """Return the receipts of the thread."""
    state = await client.threads.get_state(talk.thread_id)
    return receipts_in(state["values"])  # type: ignore[arg-type]


async def test_a_client_stops_what_a_run_carries_out(
    client: LangGraphClient, talk: Talk, served: DevServer, shop: Shop
):
    run_id = await buying(client, talk, shop, "holds")
    async with httpx.AsyncClient(base_url=served.url) as http:
        place = f"/daybook/threads/{talk.thread_id}/stop"
        for body, status in (
            ({"id": "s-1", "user_id": "ben"}, 404),
            ({}, 422),
            ([], 422),
            ({"id": "s-1", "role": "king"}, 422),
        ):
            assert (await http.post(place, json=body)).status_code == status
        answered = await http.post(place, json={"id": "s-1"})
        assert answered.status_code == 200
        assert answered.json()["message"].startswith("Stopped by ada: Check out for ")
        hurry(shop)
        await client.runs.join(talk.thread_id, run_id)
        assert shop.happened() == ["reserve", "release"]
        assert (await told(client, talk)).startswith("Stopped by ada: Check out for ")
        # The same wish once more is no wish for another time; another one finds nothing.
        assert "Undone: " in (await http.post(place, json={"id": "s-1"})).json()["message"]
        nothing = await http.post(place, json={"id": "s-2"})
        assert (nothing.status_code, "Nothing is in progress" in nothing.text) == (409, True)


PAGE = Path(PROJECT).with_name("docs") / "http_api.md"


async def test_the_pages_example_buys_through_the_server(served: DevServer, shop: Shop, capsys):
    [code] = re.findall(r"```python\n(import asyncio.*?)```", PAGE.read_text(), re.DOTALL)
    body = code.replace("http://127.0.0.1:2024", served.url).replace("asyncio.run(main())", "")
    namespace: dict = {}
    exec(compile(body, "http_api.md", "exec"), namespace)
    await namespace["main"]()
    printed = capsys.readouterr().out
    assert "Check out for 131.90 USD" in printed
    assert "Your order is placed" in printed
    assert shop.happened() == ["reserve", "charge", "order", "mail"]
