"""Traces: every turn is one, at a collector and at LangSmith; nobody's words in them."""

import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from langchain_core.tracers.langchain import wait_for_all_tracers
from langsmith.utils import get_env_var
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from opentelemetry.util._once import Once

from daybook.graph.model.stand_in import keep_stand_in
from daybook.graph.serve import Opened
from daybook.graph.settings.environment import settings_from
from daybook.graph.shop.resources import open_shop_agent
from daybook.graph.telemetry import TurnIds
from daybook.state.ledger.recovery import Event
from daybook.state.trace_ids import Trace, opaque
from daybook.testing.model import last_result
from daybook.tools.shop.domain import SHOP
from tests.collector import Collector, collecting
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.test_memory import a_fact
from tests.purchases import PURCHASE, asked_to_buy, bought, rebuilt, with_boots

KEY = "lsv2_pt_0123456789abcdef"
"""What a person types that no trace may hold."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as collector:
        yield collector


@pytest.fixture(autouse=True)
def _no_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test install a provider: a process may do so once."""
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", None)
    monkeypatch.setattr(trace, "_TRACER_PROVIDER_SET_ONCE", Once())


@pytest.fixture
def sent(_no_provider: None) -> InMemorySpanExporter:
    """Install a provider of one's own, as an application does."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(id_generator=TurnIds(), shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


def said(span: ReadableSpan) -> dict[str, Any]:
    return {name.removeprefix("daybook."): v for name, v in (span.attributes or {}).items()}


def of_turn(sent: InMemorySpanExporter, of: Trace) -> list[ReadableSpan]:
    """Return the spans of a turn, in the order in which they began."""
    found = [one for one in sent.get_finished_spans() if one.context.trace_id == of.trace_id]
    return sorted(found, key=lambda one: one.start_time or 0)


async def turns_of(agent: Agent, thread_id: str) -> list[Trace]:
    postgres = agent.resources.postgres
    entries = await postgres.ledger.entries(thread_id)
    ids = [one.turn_id or "" for one in entries if one.event is Event.RECEIVED]
    return [Trace(postgres.tenant_id, thread_id, one) for one in ids]


async def test_a_turn_is_one_trace_with_all_that_it_did(agent: Agent, shop: Shop, sent):
    """The card is declined: what was reserved is given back."""
    talk = await with_boots(agent, "dan")
    agent.model.then([("get_product", {"sku": "BOOT-001"}), ("no such thing", {})])
    agent.model.then([("get_product", {"sku": "BOOT-001"})])
    agent.model.then([("compare_reviews", {"skus": ["BOOT-001"], "question": "dry?"})])
    agent.model.then(
        [("verdict", {"products": [{"sku": "BOOT-001", "rating": 4}], "summary": "Fine."})]
    )
    agent.model.then([("checkout", {"card_id": "card_dan_1"})], last_result)
    await talk.say("check out if it keeps dry")
    # Another process takes the turn over, and goes on in its trace.
    await Conversation(rebuilt(agent).graph, "dan", talk.thread_id).approve()
    turn = (await turns_of(agent, talk.thread_id))[-1]
    spans = of_turn(sent, turn)
    named = [
        (said(one)["kind"], one.name.split(" ", 1)[1], said(one).get("outcome", ""))
        for one in spans
    ]
    counted = {kind: [one[1:] for one in named if one[0] == kind] for kind, *_ in named}
    assert counted["model call"] == [("scripted", "")] * 6
    assert sorted(counted["read"]) == [
        ("compare_reviews", ""),
        ("get_product", ""),
        ("get_product", ""),
        ("no such tool", "refused"),
    ]
    assert counted["approval wait"] == [("wait question", "approved")]
    assert counted["attempt"] == [
        ("reserve_inventory", "confirmed"),
        ("charge_payment", "declined"),
    ]
    assert counted["compensation"] == [("release_inventory", "confirmed")]
    assert ("reserve_inventory", "found") in counted["probe"]
    cached = [said(one).get("cache") for one in spans if one.name == "execute_tool get_product"]
    assert sorted(cached) == ["hit", "miss"]
    by_id = {one.context.span_id: one for one in spans}
    (root,) = [one for one in spans if one.parent is None]
    assert (root.name, root.context.span_id) == ("invoke_agent daybook", turn.root_id)
    # What a sub-agent is asked stands below the read that asks it, and a probe below its attempt.
    above = {
        (said(one)["kind"], by_id[one.parent.span_id].name)
        for one in spans
        if one.parent is not None and one.parent.span_id != turn.root_id
    }
    assert above >= {
        ("model call", "execute_tool compare_reviews"),
        ("probe", "execute_tool reserve_inventory"),
    }
    failed = [one.name for one in spans if one.status.status_code is StatusCode.ERROR]
    assert failed == ["execute_tool no such tool", "execute_tool charge_payment"]


async def test_no_argument_product_or_amount_stands_in_a_span_of_a_purchase(
    agent: Agent, shop: Shop, sent
):
    talk = await bought(agent)
    declined = await asked_to_buy(agent, "dan")
    await declined.approve()
    await talk.happens("set-BOOT-013-r3", type="remember", **a_fact().model_dump(mode="json"))
    told = [[one.name, dict(one.attributes or {})] for one in sent.get_finished_spans()]
    assert len(told) > 20
    postgres = agent.resources.postgres
    entries = [
        entry for one in (talk, declined) for entry in await postgres.ledger.entries(one.thread_id)
    ]
    steps = {entry.step_id for entry in entries if entry.step_id}
    arguments = {"BOOT-001", "boot-001", "Pebble Strand", "9890", "98.90", "USD", "card_", "addr_"}
    for word in (*arguments, "reserve/", "charge/", *steps, "4242"):
        assert word not in str(told), word
    # Inside each digest leads to its step.
    named = {said(one)["step"] for one in sent.get_finished_spans() if "step" in said(one)}
    assert named
    assert named <= {opaque(step) for step in steps}


@asynccontextmanager
async def opened(postgres_url: str, shop: Shop, home: str, **more: str) -> AsyncIterator[Opened]:
    """Open the shop's agent from settings, as the application does, with the stand-in."""
    given = {"DATABASE_URL": postgres_url, "SHOP_URL": shop.url, "SMTP_URL": shop.smtp_url}
    given["DAYBOOK_HOME"] = home
    async with open_shop_agent(settings_from({**given, **more})) as agent:
        yield agent


async def test_with_nothing_configured_nobody_but_database_shop_mail_and_stand_in_is_called(
    postgres_url: str, shop: Shop, stand_in: str, monkeypatch: pytest.MonkeyPatch
):
    with keep_stand_in(Path(stand_in), SHOP.stand_in) as kept:
        model = str(kept.answer)
    ports = {urlsplit(url).port for url in (shop.url, shop.smtp_url, model)}
    refused: list[Any] = []
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        # Postgres is reached by libpq, which knows no socket of Python's.
        if self.family != socket.AF_UNIX and address[1] not in ports:
            refused.append(address)
            raise ConnectionRefusedError(address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded)
    async with opened(postgres_url, shop, stand_in) as agent:
        talk = Conversation(agent.graph)
        await talk.say("add BOOT-001")
        await talk.say("check out")
        await talk.approve()
    assert shop.happened() == PURCHASE
    assert refused == []


@pytest.mark.parametrize("away", ["refuses", "is gone"])
async def test_a_collector_that_is_away_ends_no_turn(
    postgres_url: str,
    shop: Shop,
    collector: Collector,
    stand_in: str,
    caplog: pytest.LogCaptureFixture,
    away: str,
    monkeypatch: pytest.MonkeyPatch,
):
    collector.status = 400
    url = collector.url if away == "refuses" else "http://127.0.0.1:9"
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    with caplog.at_level(logging.ERROR):
        async with opened(postgres_url, shop, stand_in, OTEL_EXPORTER_OTLP_ENDPOINT=url) as agent:
            talk = Conversation(agent.graph)
            await talk.say("add BOOT-001")
            assert "BOOT-001" in str(await talk.say("show my cart"))
    assert [one for one in caplog.records if one.name.startswith("opentelemetry")]


async def test_langchains_own_tracer_stays_out_of_every_run(agent, shop, collector, monkeypatch):
    """It adds itself where LangSmith is switched on, and would send the whole state."""
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", collector.url)
    monkeypatch.setenv("LANGSMITH_API_KEY", KEY)
    get_env_var.cache_clear()
    try:
        await with_boots(agent)
        wait_for_all_tracers()
    finally:
        monkeypatch.undo()
        get_env_var.cache_clear()
    assert collector.bodies == []
