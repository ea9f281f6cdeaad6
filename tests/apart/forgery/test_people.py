"""Who gets in, and whose threads are whose."""

import json

import pytest

from daybook.checkpoints.people.tokens import open_token_office
from daybook.checkpoints.postgres import Postgres
from daybook.state.session import Person
from tests.apart.callers import APPROVE, Caller
from tests.conftest import Shop
from tests.integration.test_tokens import YEAR

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_people_shop_with_their_tokens_and_the_ledger_knows_who_decided(
    ada: Caller, shop: Shop, judge: Postgres
):
    thread_id = await ada.buys()
    assert shop.happened() == ["reserve", "charge", "order", "mail"]
    entries = await judge.ledger.entries(thread_id)
    [decision] = [entry for entry in entries if entry.event.value == "decision"]
    assert (decision.author, decision.role) == ("ada", "customer")
    assert await judge.threads.owner_of(thread_id) == "ada"


# -- getting in -----------------------------------------------------------------------------------


NO_TOKENS: tuple[dict[str, str | bytes], ...] = (
    {},
    {"x-auth-scheme": "langsmith"},
    {"x-auth-scheme": "langsmith", "x-api-key": "lsv2_pt_1", "x-tenant-id": "1"},
    {"authorization": "Bearer"},
    {"authorization": "Bearer ada"},
    {"authorization": "Basic YWRhOmFkYQ=="},
    {"authorization": "Bearer daybook_000000000000_" + "A" * 43},
    {"authorization": b"Bearer \xff\xfe"},
    {"x-api-key": "daybook__"},
    {"cookie": "token=ada", "x-user-id": "ada"},
    {"langgraph_auth_user": "ada"},
)


async def test_nobody_gets_in_without_a_token_of_ours(nobody: Caller):
    for headers in NO_TOKENS:
        for path in ("/threads/search", "/threads", "/assistants/search", "/store/items/search"):
            refused = await nobody.post(path, headers=headers)
            assert refused.status_code == 401, (headers, path)
            assert "daybook token" in refused.json()["detail"]


async def test_the_key_of_another_than_its_secret_opens_nothing(
    nobody: Caller, tokens: dict[str, str]
):
    _, ada, secret = tokens["ada"].split("_", 2)
    _, otto, _ = tokens["otto"].split("_", 2)
    for guess in (f"daybook_{otto}_{secret}", f"daybook_{ada}_{secret[::-1]}", secret):
        headers = {"authorization": f"Bearer {guess}"}
        assert (await nobody.get("/threads/x/state", headers=headers)).status_code == 401


async def test_a_revoked_token_opens_nothing_from_then_on(nobody: Caller, judge: Postgres):
    async with open_token_office(judge) as office:
        made = await office.make(Person("dora"), YEAR)
        headers = {"authorization": f"Bearer {made.text}"}
        assert (await nobody.post("/threads/search", headers=headers)).status_code == 200
        await office.revoke(made.about.token_id)
    assert (await nobody.post("/threads/search", headers=headers)).status_code == 401


UNGUARDED = (
    ("POST", "/internal/truncate"),
    ("GET", "/internal/debug/thread/{thread_id}"),
    ("GET", "//internal/debug/thread/{thread_id}"),
    ("GET", "/INTERNAL/debug/thread/{thread_id}"),
    ("GET", "/deploy"),
    ("POST", "/deploy"),
    ("GET", "/deploy/1/stream"),
    ("POST", "/mcp"),
    ("POST", "/a2a/shop"),
    ("GET", "/ui/shop"),
    ("GET", "/ui/shop/entrypoint.js"),
)


async def test_routes_of_the_server_that_ask_nobody_are_closed(
    nobody: Caller, otto: Caller, ada: Caller
):
    thread_id = await ada.thread()
    for method, path in UNGUARDED:
        for caller in (nobody, otto):
            refused = await caller.ask(method, path.format(thread_id=thread_id), {})
            assert refused.status_code in (401, 404, 405), path
            assert thread_id not in refused.text
    assert (await ada.get(f"/threads/{thread_id}")).status_code == 200


# -- whose thread is whose ------------------------------------------------------------------------


def reads(thread_id: str, run_id: str) -> list[tuple[str, str, object]]:
    """Return every way to read of a thread."""
    at = f"/threads/{thread_id}"
    return [
        ("GET", at, None),
        ("GET", f"{at}/state", None),
        ("GET", f"{at}/state?subgraphs=true", None),
        ("POST", f"{at}/state/checkpoint", {"checkpoint": {"checkpoint_ns": ""}}),
        ("GET", f"{at}/history", None),
        ("POST", f"{at}/history", {"limit": 10}),
        ("GET", f"{at}/runs", None),
        ("GET", f"{at}/runs/{run_id}", None),
        ("GET", f"{at}/runs/{run_id}/join", None),
        ("POST", f"{at}/copy", None),
    ]


async def run_of(caller: Caller, thread_id: str) -> str:
    [run, *_] = (await caller.get(f"/threads/{thread_id}/runs")).raise_for_status().json()
    return str(run["run_id"])


async def test_another_customer_reads_nothing_of_a_thread(ada: Caller, ben: Caller, waiting: str):
    thread_id = waiting
    run_id = await run_of(ada, thread_id)
    for method, path, body in reads(thread_id, run_id):
        answer = await ben.ask(method, path, body)
        assert "BOOT" not in answer.text, path
        assert answer.status_code in (403, 404) or answer.json() in ([], {}), path
    found = (await ben.post("/threads/search", {"limit": 1000})).json()
    assert thread_id not in [thread["thread_id"] for thread in found]
    mine = {"metadata": {"owner": "ada"}, "ids": [thread_id]}
    assert (await ben.post("/threads/search", mine)).json() == []
    assert (await ben.post("/threads/count", {"metadata": {"owner": "ada"}})).json() == 0


async def test_streams_of_another_customers_thread_carry_nothing(
    ada: Caller, ben: Caller, waiting: str
):
    thread_id = waiting
    run_id = await run_of(ada, thread_id)
    at = f"/threads/{thread_id}"
    for method, path, body in (
        ("GET", f"{at}/stream", None),
        ("GET", f"{at}/runs/{run_id}/stream", None),
        ("POST", f"{at}/stream/events", {"channels": ["values", "messages", "updates"]}),
    ):
        answer = await ben.ask(method, path, body)
        assert "BOOT" not in answer.text, path


async def test_another_customer_does_nothing_in_a_thread(
    ada: Caller, ben: Caller, waiting: str, shop: Shop
):
    thread_id = waiting
    approval = (await ada.question(thread_id))["approval_id"]
    run_id = await run_of(ada, thread_id)
    at = f"/threads/{thread_id}"
    approve = {"resume": {"decisions": [APPROVE], "approval_id": approval}}
    run = {"assistant_id": "shop"}
    for method, path, body in (
        ("POST", f"{at}/runs/wait", {**run, "command": approve}),
        ("POST", f"{at}/runs", {**run, "input": None}),
        ("POST", f"{at}/runs/stream", {**run, "command": approve, "if_not_exists": "create"}),
        ("POST", f"{at}/state", {"values": {"flow": "ordered"}}),
        ("PATCH", at, {"metadata": {"owner": "ben"}}),
        ("DELETE", at, None),
        ("POST", "/threads", {"thread_id": thread_id, "if_exists": "do_nothing"}),
        ("POST", "/threads/prune", {"thread_ids": [thread_id]}),
        ("POST", f"{at}/runs/{run_id}/cancel", {}),
        ("DELETE", f"{at}/runs/{run_id}", None),
        ("POST", "/runs/cancel", {"status": "all"}),
        ("POST", "/runs/cancel", {"thread_id": thread_id, "run_ids": [run_id]}),
    ):
        refused = await ben.ask(method, path, body)
        assert refused.status_code in (403, 404), (path, refused.text)
    for number, (name, params) in enumerate(
        (
            ("run.start", {"assistant_id": "shop", "input": {"messages": []}}),
            ("input.respond", {"namespace": [], "interrupt_id": "1", "response": approve}),
        )
    ):
        command = {"id": number, "method": name, "params": params}
        refused = await ben.post(f"{at}/commands", command)
        assert refused.status_code in (403, 404) or refused.json()["type"] == "error", refused.text
    assert shop.effects() == []
    assert (await ada.question(thread_id))["approval_id"] == approval


async def test_a_clerk_reads_all_threads_and_answers_but_does_not_speak_in_them(
    ada: Caller, cleo: Caller, shop: Shop, judge: Postgres
):
    thread_id = await ada.asks_to_buy()
    assert (await cleo.question(thread_id))["action_requests"][0]["name"] == "checkout"
    found = (await cleo.post("/threads/search", {"ids": [thread_id]})).json()
    assert [thread["thread_id"] for thread in found] == [thread_id]
    said = {"messages": [{"role": "user", "content": "CALL checkout {}"}]}
    for run in (
        {"input": said},
        {"input": {"events": [{"id": "1", "type": "clear"}]}},
        {"input": said, "context": {"user_id": "ada"}},
        {"input": None, "context": {"user_id": "ada", "role": "operator"}},
        {"command": {"resume": {"decisions": [APPROVE]}, "update": {"flow": "ordered"}}},
    ):
        assert (await cleo.run(thread_id, **run)).status_code == 403, run
    for method, path, body in (
        ("POST", f"/threads/{thread_id}/state", {"values": {"flow": "ordered"}}),
        ("PATCH", f"/threads/{thread_id}", {"metadata": {"a": 1}}),
        ("DELETE", f"/threads/{thread_id}", None),
        ("POST", f"/threads/{thread_id}/copy", None),
    ):
        assert (await cleo.ask(method, path, body)).status_code == 403, path
    assert shop.effects() == []
    bought = await cleo.answer(thread_id, APPROVE)
    assert bought["flow"] == "ordered"
    entries = await judge.ledger.entries(thread_id)
    [decision] = [entry for entry in entries if entry.event.value == "decision"]
    assert (decision.author, decision.role) == ("cleo", "clerk")
    assert await judge.threads.owner_of(thread_id) == "ada"


async def test_a_refund_that_needs_a_clerk_is_not_approved_by_the_customer(
    ada: Caller, cleo: Caller, shop: Shop
):
    thread_id = await ada.buys()
    state = (await ada.get(f"/threads/{thread_id}/state")).json()["values"]
    order_id = state["checkout"]["orders"][0]["order_id"]
    await ada.say(thread_id, f'CALL cancel_order {{"order_id":"{order_id}"}}')
    question = await ada.question(thread_id)
    assert question["needs"]["role"] == "clerk"
    for more in ({}, {"approval_id": question["approval_id"]}):
        again = await ada.answer(thread_id, APPROVE, **more)
        assert "__interrupt__" in again
    forged = {"configurable": {"user_id": "ada", "role": "clerk", "author": "cleo"}}
    refused = await ada.run(thread_id, command={"resume": {"decisions": [APPROVE]}}, config=forged)
    assert refused.status_code == 403
    assert "refund" not in shop.happened()
    await cleo.answer(thread_id, APPROVE, approval_id=question["approval_id"])
    assert shop.happened()[-2:] == ["cancel", "refund"]


async def test_what_a_client_may_send_and_what_not(ada: Caller, shop: Shop):
    """The shapes that langgraph_sdk, useStream and Studio send are taken."""
    thread_id = await ada.asks_to_buy()
    for number, more in enumerate(
        (
            {"config": {"configurable": {"user_id": "ada", "role": "customer"}, "tags": ["a"]}},
            {"context": {"user_id": "ada"}},
            {"checkpoint": "the newest"},
            {"stream_mode": ["values"], "multitask_strategy": "interrupt", "durability": "exit"},
        )
    ):
        state = (await ada.get(f"/threads/{thread_id}/state")).json()
        if "checkpoint" in more:
            more["checkpoint"] = state["checkpoint"]
        said = {"messages": [{"type": "human", "content": "hello", "id": f"m-{number}"}]}
        run = {"assistant_id": "shop", "input": {**said, "context": {}}, **more}
        headers = {"x-something": "else", "user-agent": "one"}
        taken = await ada.post(f"/threads/{thread_id}/runs/wait", run, headers=headers)
        assert taken.status_code == 200, taken.text
        assert "__error__" not in taken.json(), taken.text
        newest = [one["id"] for one in taken.json()["messages"] if one["type"] == "human"][-1]
        assert newest == f"m-{number}"


async def test_nobody_reaches_what_is_known_and_done_of_another(
    ada: Caller, ben: Caller, otto: Caller, judge: Postgres
):
    """By starting from their conversation, by events in another's name, and by SQL."""
    theirs = await ada.thread()
    about = {"subject": "secret hobby", "value": "marmots", "kind": "fact"}
    await ada.say(theirs, f"CALL remember {json.dumps(about)}")
    assert "secret hobby" in {fact.subject for fact in await judge.memory.of("ada")}
    hostile = (
        "select 1 as current_setting, x.current_setting from jsonb_array_elements_text('[]') x"
    )
    asked = ("select * from facts", "select text from changes", hostile)
    for caller in (ben, otto):
        own = await caller.thread()
        begin = {"id": "begin", "type": "fresh_from", "thread": theirs}
        lie = {"id": "lie", "type": "remember", "user_id": "ada", "source": theirs, **about}
        at = {"at": "2026-01-01T00:00:00Z", "value": f"of {caller.name}", "subject": "whose"}
        refused = await caller.run(own, input={"events": [begin, {**lie, **at}]})
        assert "You have no conversation" in refused.text
        calls = [f"CALL query_history {json.dumps({'sql': sql})}" for sql in asked]
        await caller.say(own, "\n".join(calls))
        state = (await caller.get(f"/threads/{own}/state")).text
        assert "marmots" not in state
        assert f"of {caller.name}" in state
    assert "whose" not in {fact.subject for fact in await judge.memory.of("ada")}
    gone = {"id": "gone", "type": "forget"}
    refused = await ada.run(theirs, input={"events": [gone]})
    assert "needs a subject" in refused.text
    assert (await ada.say(theirs, "hello"))["messages"][-1]["content"] == "Hello."
