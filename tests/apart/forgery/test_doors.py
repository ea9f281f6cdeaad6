"""What is sent to the server's doors is answered in words, and writes no line into its log."""

import uuid

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from daybook.checkpoints.postgres import Postgres
from tests.apart.callers import Caller
from tests.apart.forgery.test_lapsed import sent, signed_in
from tests.conftest import Shop, shop_agent
from tests.dev_server import DevServer
from tests.purchases import asked_to_buy

pytestmark = pytest.mark.asyncio(loop_scope="session")


def log_of(server: DevServer) -> str:
    return (server.folder.parent / "log").read_text(errors="replace")


def forged_in(log: str) -> set[str]:
    """Return what stands before each FORGED that is no sign of a quoted path."""
    before = [part[-1:] for part in log.split("FORGED")[:-1]]
    assert before
    return set(before).difference("0123456789ABCDEF;")


SIGNS = ("%0a", "%0d", "%0b", "%1b]0;", "%00", "%7f", "%c2%85", "%e2%80%a8", "%e2%80%ae")


async def test_a_path_writes_no_line_and_no_control_character_into_the_log(
    nobody: Caller, ada: Caller, server: DevServer, waiting: str
):
    places = ("/", "/threads/", f"/threads/{waiting}/state/", "/console/", "/internal/", "/ucp/")
    for caller in (nobody, ada):
        for place in places:
            for sign in SIGNS:
                url = f"{server.url}{place}x{sign}FORGED"
                assert (await caller.http.get(url)).status_code < 500, url
    log = log_of(server)
    assert forged_in(log) == set()
    assert "\x1b]0;" not in log


DEEP = ("[" * 100_000, "[" * 30_000, '{"a":' * 30_000, "[" * 900 + "]" * 900)


async def test_a_body_that_is_nested_without_end_is_refused_wherever_one_is_read(
    ada: Caller, otto: Caller, server: DevServer, tokens: dict[str, str], waiting: str
):
    at = f"/threads/{waiting}"
    ways = ("runs", "runs/wait", "runs/stream", "state", "state/checkpoint", "history", "commands")
    paths = [*(f"{at}/{way}" for way in ways), f"{at}/stream/events", f"/daybook{at}/stop"]
    paths += ["/threads", "/threads/search", "/assistants", "/assistants/search", "/store/items"]
    for caller in (ada, otto):
        for path in paths:
            for method in ("POST", "PUT", "PATCH", "DELETE"):
                for body in DEEP:
                    headers = {"content-type": "application/json"}
                    answer = await caller.http.request(method, path, content=body, headers=headers)
                    assert 400 <= answer.status_code < 500, (method, path)
    async with signed_in(server, tokens["ada"]) as http:
        for body in DEEP:
            for event in (body, f'{{"type": "add", "line": {body}}}'):
                if len(event) < 60_000:
                    pressed = await sent(http, f"threads/{waiting}/press", event=event)
                    assert 400 <= pressed.status_code < 500
    assert "Recursion" not in log_of(server)


async def test_a_websocket_of_nobody_or_on_the_thread_of_another_is_refused_before_it_is_accepted(
    ada: Caller, server: DevServer, tokens: dict[str, str], waiting: str
):
    for thread_id in (waiting, waiting.upper(), await ada.thread()):
        url = f"ws{server.url.removeprefix('http')}/threads/{thread_id}/stream/events"
        for name, is_let_in in (("", False), ("ben", False), ("ada", True), ("cleo", True)):
            headers = {"authorization": f"Bearer {tokens[name]}"} if name else {}
            if is_let_in:
                async with connect(url, additional_headers=headers, proxy=None):
                    pass
            else:
                with pytest.raises(InvalidStatus) as refused:
                    await connect(url, additional_headers=headers, proxy=None)
                assert refused.value.response.status_code == 403
    assert "thread stream failed" not in log_of(server)


async def test_a_graph_without_its_settings_says_so(
    ada: Caller, otto: Caller, judge: Postgres, shop: Shop
):
    thread_id = str(uuid.uuid4())
    async with shop_agent(judge, shop) as agent:
        talk = await asked_to_buy(agent, "ada", thread_id)
        checkpoint = (await talk.state()).config["configurable"]["checkpoint_id"]
    begun = {"thread_id": thread_id, "metadata": {"graph_id": "merchants"}}
    (await ada.post("/threads", begun)).raise_for_status()
    at = f"/threads/{thread_id}"
    for caller, method, path, body in (
        (ada, "GET", f"{at}/state", None),
        (ada, "GET", f"{at}/state/{checkpoint}", None),
        (ada, "GET", f"{at}/history", None),
        (ada, "POST", f"{at}/state/checkpoint", {"checkpoint": {"checkpoint_id": checkpoint}}),
        (otto, "POST", f"{at}/state", {"values": {"messages": []}}),
    ):
        answer = await caller.ask(method, path, body)
        assert answer.status_code == 503, path
        assert "DAYBOOK_MERCHANTS" in answer.json()["detail"]
