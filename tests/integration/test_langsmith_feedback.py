"""Verdicts are attached to the runs in LangSmith that they are about."""

import json
import socket
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from langsmith import Client

from daybook.app.grading.langsmith_feedback import attach, feedback_of
from daybook.state.errors import DaybookError, ServiceUnavailable
from daybook.state.ledger.recovery import Event
from daybook.state.trace_ids import Trace, attempt_name, decision_name, run_id
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import PURCHASE
from tests.scripted import last_result

PROJECT = str(uuid.uuid4())
EMAIL = "ada.lovelace@example.org"


@dataclass
class Server:
    """Hold what a LangSmith on a real socket was sent, and answer as it is told.

    Attributes:
        status: of answers to feedback.
    """

    url: str = ""
    status: int = 200
    feedback: list[dict[str, Any]] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    """Run a server that speaks what the client says: /info, /sessions, /feedback."""
    kept = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            about = {"id": PROJECT, "tenant_id": PROJECT, "reference_dataset_id": None}
            found: Any = {} if self.path == "/info" else [{**about, "start_time": "2026-01-01"}]
            self._answer(200, found)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            assert self.path == "/feedback"
            kept.feedback.append(json.loads(body))
            self._answer(kept.status, {})

        def _answer(self, status: int, found: Any) -> None:
            body = json.dumps(found).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        kept.url = f"http://127.0.0.1:{listener.server_address[1]}"
        serving = threading.Thread(target=listener.serve_forever)
        serving.start()
        yield kept
        listener.shutdown()
        serving.join()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    """Yield langsmith's own client, of that server."""
    client = Client(api_url=server.url, api_key="k", auto_batch_tracing=False)
    yield client
    client.close()


async def with_a_mistake(agent: Agent) -> Conversation:
    """Hold a conversation: a wrong product, a search, a purchase."""
    talk = Conversation(agent.graph)
    agent.model.then([("add_to_cart", {"sku": "TENT-003", "note": EMAIL})], "A tent?")
    await talk.say("I need boots")
    agent.model.then([("search_products", {"query": "boots"})], "Here are boots.")
    await talk.say("no, boots")
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], [("checkout", {})], last_result)
    await talk.say("buy BOOT-001")
    await talk.approve()
    return talk


async def test_a_thread_is_graded_without_a_network(
    agent: Agent, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    talk, other = await with_a_mistake(agent), Conversation(agent.graph)
    agent.model.then("Hello.")
    await other.say("hello")

    def refuse(*args: Any) -> None:
        raise AssertionError(f"a socket was opened: {args[1:]}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    postgres = agent.resources.postgres
    graded = await feedback_of(postgres, agent.domain, talk.thread_id)
    steps = {one.value["step"]: one for one in graded}
    assert steps["1/0.0"].score == -1
    assert "invented" in steps["1/0.0"].value["checks"]
    assert steps["3/0.0"].score == 1
    (hello,) = await feedback_of(postgres, agent.domain, other.thread_id)
    assert (hello.score, hello.value["step"], hello.value["tool"]) == (1, "1/0", "answer")
    with pytest.raises(DaybookError, match="no ledger of a thread nowhere"):
        await feedback_of(postgres, agent.domain, "nowhere")


async def test_a_verdict_goes_to_the_run_of_its_attempt_its_read_or_its_model_call(
    agent: Agent, shop: Shop, server: Server, client: Client
):
    talk = await with_a_mistake(agent)
    assert shop.happened() == PURCHASE
    postgres, name = agent.resources.postgres, talk.thread_id
    graded = await feedback_of(postgres, agent.domain, name)
    count = await attach(graded, client)
    assert count == len(server.feedback) == len(graded)
    entries = await postgres.ledger.entries(name)
    turns = [e.turn_id or "" for e in entries if e.event is Event.RECEIVED]
    sent: dict[str, str] = {}
    for entry in entries:
        trace = Trace(postgres.tenant_id, name, entry.turn_id or turns[-1])
        if entry.event is Event.ATTEMPTED:
            assert entry.step_id is not None
            what = attempt_name(entry.step_id, 1, is_undo=False)
            sent[str(run_id(trace.span_id(*what)))] = entry.op or ""
        elif entry.event is Event.DECIDED:
            span = trace.span_id(*decision_name(entry.detail["ordinal"], entry.detail["prompt"]))
            sent[str(run_id(span))] = "decided"
    by = {(one["value"]["tool"], one["run_id"]) for one in server.feedback}
    runs = {tool: sent.get(run, "") for tool, run in by}
    assert runs["charge_payment"].endswith("/charge")
    assert runs["place_order"].endswith("/place_order")
    assert runs["add_to_cart"] == runs["checkout"] == "decided"
    (read,) = [run for tool, run in by if tool == "search_products"]
    searched = Trace(postgres.tenant_id, name, turns[1])
    assert read == str(run_id(searched.span_id("read", "0.0")))
    assert {one["session_id"] for one in server.feedback} == {PROJECT}
    told = json.dumps(server.feedback)
    for words in (EMAIL, "TENT-003", "BOOT-001", "boots"):
        assert words not in told
    # Graded again, it is the same feedback.
    await attach(graded, client)
    ids = [one["id"] for one in server.feedback]
    assert ids[:count] == ids[count:]
    assert len(set(ids)) == count


async def test_a_langsmith_that_refuses_is_told_plainly(
    agent: Agent, shop: Shop, server: Server, client: Client
):
    talk = Conversation(agent.graph)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "In the cart.")
    await talk.say("add BOOT-001")
    graded = await feedback_of(agent.resources.postgres, agent.domain, talk.thread_id)
    server.status = 403
    with pytest.raises(ServiceUnavailable, match="did not take the verdicts"):
        await attach(graded, client)
