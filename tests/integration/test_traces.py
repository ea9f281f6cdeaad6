"""Traces: every turn is one, in Postgres, at a collector and at LangSmith; nobody's words in them."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from langchain_core.tracers.langchain import wait_for_all_tracers
from langsmith.utils import get_env_var
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from daybook.app.ledger.traces import Branch, outcome_of, traces_of
from daybook.app.operating.scraper import Scraper
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.checkpoints.postgres import open_postgres
from daybook.checkpoints.telemetry import spans as keeping
from daybook.checkpoints.telemetry.spans import Outbox
from daybook.graph.model.stand_in import keep_stand_in
from daybook.graph.serve import Opened
from daybook.graph.settings.environment import settings_from
from daybook.graph.shop.resources import open_shop_agent
from daybook.graph.telemetry.langsmith import _run
from daybook.graph.telemetry.otel import Processed
from daybook.state.ledger.recovery import Event
from daybook.state.telemetry.spans import Span, SpanKind, SpanStatus, Trace, opaque
from daybook.tools.shop.domain import SHOP
from tests.collector import Collector, collecting
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.remembering import a_fact
from tests.purchases import PURCHASE, asked_to_buy, bought, rebuilt, with_boots
from tests.scripted import last_result

KEY = "lsv2_pt_0123456789abcdef"
"""What a person types that no trace may hold."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as collector:
        yield collector


def known(turn: Branch) -> list[tuple[int, str, str, str]]:
    """Return depth, kind, name and outcome of all spans of a turn but its own."""
    walked = [(depth, one.span) for depth, one in turn.walk()][1:]
    return [(depth, s.kind.value, s.name, outcome_of(s)) for depth, s in walked]


async def arrived(outbox: Outbox) -> None:
    """Let every sink have what waits: sinks work in true seconds, which virtual time passes by."""
    await outbox.flush()
    await asyncio.wait(outbox._sending.values())


async def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
        return await (await conn.execute(query.encode())).fetchall()


async def test_a_turn_is_one_trace_with_all_that_it_did(agent: Agent, shop: Shop):
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
    # Another process takes the turn over, and finds its trace.
    await Conversation(rebuilt(agent).graph, "dan", talk.thread_id).approve()
    _, turn = await traces_of(agent.resources.postgres, talk.thread_id)
    model = (1, "model call", "scripted", "ok")
    assert sorted(known(turn)[1:3]) == [
        (1, "read", "get_product", "miss"),
        (1, "read", "no such tool", "refused"),
    ]
    assert [known(turn)[0], *known(turn)[3:]] == [
        model,
        model,
        (1, "read", "get_product", "hit"),
        model,
        # What a sub-agent is asked stands below the read that asks it.
        (1, "read", "compare_reviews", "miss"),
        (2, "model call", "scripted", "ok"),
        model,
        (1, "approval wait", "question", "approved"),
        (1, "attempt", "reserve_inventory", "confirmed"),
        (2, "probe", "reserve_inventory", "found"),
        (1, "attempt", "charge_payment", "declined"),
        (1, "compensation", "release_inventory", "confirmed"),
        *[one for one in known(turn) if one[2] == "release_inventory" and one[0] == 2],
        model,
    ]
    (below,) = [one for depth, one in turn.walk() if (depth, one.span.kind) == (2, SpanKind.MODEL)]
    assert below.span.about["asks"] == "verdict"
    assert turn.span.status is SpanStatus.OK
    assert {one.span.trace for _, one in turn.walk()} == {
        Trace("default", talk.thread_id, turn.span.trace.turn_id)
    }
    assert [one.entries[0] for _, one in turn.walk() if one.span.kind is SpanKind.TURN] == [6]


async def test_the_ledger_leads_to_the_spans_and_they_to_the_ledger(agent: Agent, shop: Shop):
    talk = await bought(agent)
    postgres = agent.resources.postgres
    entries = await postgres.ledger.entries(talk.thread_id)
    trees = await traces_of(postgres, talk.thread_id)
    traces = [e.detail["trace"] for e in entries if e.event is Event.RECEIVED]
    assert traces == [tree.span.trace.trace_id for tree in trees]
    spans = {one.span.span_id: one for tree in trees for _, one in tree.walk()}
    named = [entry for entry in entries if "span" in entry.detail]
    assert [entry.event.value for entry in named].count("attempted") == len(PURCHASE)
    for entry in named:
        assert entry.seq in spans[entry.detail["span"]].entries
        if entry.step_id is not None:
            about = spans[entry.detail["span"]].span.about
            assert (about["step"], about["key"]) == (entry.step_id, entry.step_id)
            assert (about["attempt"], about["effect"]) == (1, about["effect"])
    numbers = {number for one in spans.values() for number in one.entries}
    assert numbers >= {entry.seq for entry in named}
    (first, *_) = [s.span for s in spans.values() if s.span.kind is SpanKind.MODEL]
    asked = next(entry for entry in entries if entry.event is Event.DECIDED)
    assert first.about["zones"] == asked.detail["zones"]
    assert await postgres.ledger.verify(talk.thread_id) == len(entries)


async def test_no_argument_product_or_amount_stands_in_a_span_of_a_purchase(
    agent: Agent, shop: Shop, postgres_url: str
):
    """Not in what is kept, nor in what a collector or LangSmith is sent; inside it is found."""
    exporter, given = InMemorySpanExporter(), Delivered()
    postgres = agent.resources.postgres
    postgres.outbox.add(Processed(SimpleSpanProcessor(exporter)))
    postgres.outbox.add(given)
    talk = await bought(agent)
    declined = await asked_to_buy(agent, "dan")
    await declined.approve()
    await talk.happens("set-BOOT-013-r3", type="remember", **a_fact().model_dump(mode="json"))
    await arrived(postgres.outbox)
    told = [[one.name, dict(one.attributes or {})] for one in exporter.get_finished_spans()]
    told += [_run(one, one.started) for one in given.spans]
    kept = await rows(postgres_url, "select spans::text from span_batch")
    assert len(told) > 40
    entries = [
        entry for one in (talk, declined) for entry in await postgres.ledger.entries(one.thread_id)
    ]
    steps = {entry.step_id for entry in entries if entry.step_id}
    arguments = {"BOOT-001", "boot-001", "Pebble Strand", "9890", "98.90", "USD", "card_", "addr_"}
    for text in (str(told), str(kept)):
        for word in (*arguments, "reserve/", "charge/", *steps, "4242"):
            assert word not in text, word
    # Inside each digest leads to its step.
    named = {opaque(step): step for step in steps}
    attributes = [dict(one.attributes or {}) for one in exporter.get_finished_spans()]
    sent = {said["daybook.step"] for said in attributes if "daybook.step" in said}
    assert sent
    assert sent <= named.keys()
    (tree,) = [t for t in await traces_of(postgres, talk.thread_id) if "attempt" in str(known(t))]
    shown = {one.span.about.get("step") for _, one in tree.walk()}
    assert {step for step in steps if "reserve" in step} & shown


class Delivered:
    """Keep the spans that it is given."""

    name = "delivered"

    def __init__(self) -> None:
        self.spans: list[Span] = []

    async def deliver(self, spans: Sequence[Span]) -> None:
        """Take spans."""
        self.spans += spans

    async def close(self) -> None:
        """Nothing is left."""


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


async def test_off_keeps_nothing_and_names_nothing(postgres_url: str, shop: Shop, stand_in: str):
    async with opened(postgres_url, shop, stand_in, DAYBOOK_TRACES="off") as agent:
        talk = Conversation(agent.graph)
        await talk.say("hello")
        entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
        assert not any({"trace", "span"} & set(entry.detail) for entry in entries)
    assert await rows(postgres_url, "select count(*) from span_batch") == [(0,)]


async def test_a_thread_keeps_its_last_turns_and_each_that_is_done_in_one_row(
    agent: Agent, shop: Shop, postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(keeping, "MOST_TURNS", 2)
    talk, other = Conversation(agent.graph), Conversation(agent.graph)
    agent.model.then(*["Hello."] * 5)
    for one in (other, talk, talk, talk, talk):
        await one.say("hello")
    await agent.resources.postgres.outbox.flush()
    counted = "select thread_id, count(*) from span_batch group by thread_id"
    assert dict(await rows(postgres_url, counted)) == {other.thread_id: 1, talk.thread_id: 2}
    *_, last = await traces_of(agent.resources.postgres, talk.thread_id)
    assert known(last) == [(1, "model call", "scripted", "ok")]
    assert len(await agent.resources.postgres.spans.of_thread(talk.thread_id)) == 4


async def test_spans_are_one_tenants_and_go_with_what_else_is_erased(agent, shop, postgres_url):
    talk = await with_boots(agent)
    async with open_postgres(postgres_url, tenant_id="other", stored_types=()) as other:
        assert await other.spans.of_thread(talk.thread_id) == []
    async with open_eraser(agent.resources.postgres) as eraser:
        await eraser.erase(talk.thread_id, everything)
    assert await rows(postgres_url, "select count(*) from span_batch") == [(0,)]
    # A runner that was suspended meanwhile has spans left.
    postgres = agent.resources.postgres
    (root, *_) = await traces_of(postgres, talk.thread_id)
    postgres.outbox.put(root.span)
    await postgres.outbox.flush()
    assert await rows(postgres_url, "select count(*) from span_batch") == [(0,)]


async def test_a_store_that_is_locked_or_fails_ends_no_turn_and_is_counted(
    agent: Agent, shop: Shop, postgres_url: str, caplog: pytest.LogCaptureFixture
):
    postgres = agent.resources.postgres
    async with await psycopg.AsyncConnection.connect(postgres_url) as owner:
        await owner.execute("lock table span_batch in access exclusive mode")
        with caplog.at_level(logging.WARNING, "daybook.checkpoints.telemetry.spans"):
            await with_boots(agent)
            await postgres.outbox.flush()
        assert (lost := postgres.outbox.lost["postgres"]) > 0
        await owner.rollback()
    agent.model.then("Hello.")
    talk = Conversation(agent.graph)
    await talk.say("hello")
    await postgres.outbox.flush()
    assert len(await postgres.spans.of_thread(talk.thread_id)) == 2
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as owner:
        await owner.execute("alter table span_batch rename to away")
    with caplog.at_level(logging.WARNING, "daybook.checkpoints.telemetry.spans"):
        await bought(agent)
        await postgres.outbox.flush()
    assert shop.happened() == PURCHASE
    assert [record.levelname for record in caplog.records if "postgres" in record.message] == [
        "WARNING"
    ]
    assert postgres.outbox.lost["postgres"] > lost
    registry = await Scraper(postgres, [agent.domain]).scrape()
    counted = registry.get_sample_value("daybook_spans_lost_total", {"sink": "postgres"})
    assert counted == postgres.outbox.lost["postgres"]


@pytest.mark.parametrize("away", ["refuses", "is gone"])
async def test_a_collector_that_is_away_ends_no_turn(
    postgres_url: str,
    shop: Shop,
    collector: Collector,
    stand_in: str,
    caplog: pytest.LogCaptureFixture,
    away: str,
):
    collector.status = 400
    url = collector.url if away == "refuses" else "http://127.0.0.1:9"
    exports = {"OTEL_EXPORTER_OTLP_ENDPOINT": url}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
        patch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
        async with opened(postgres_url, shop, stand_in, **exports) as agent:
            talk = Conversation(agent.graph)
            await talk.say("add BOOT-001")
            await talk.say("show my cart")
            outbox = agent.resources.postgres.outbox
            await arrived(outbox)
    assert outbox.lost["opentelemetry"] > 0
    assert outbox.lost["postgres"] == 0
    said = [record.message for record in caplog.records if "opentelemetry" in record.message]
    assert len(said) == 1


async def test_a_processor_of_ones_own_is_given_the_spans(agent: Agent, shop: Shop):
    exporter = InMemorySpanExporter()
    agent.resources.postgres.outbox.add(Processed(SimpleSpanProcessor(exporter)))
    talk = await with_boots(agent)
    await arrived(agent.resources.postgres.outbox)
    spans = exporter.get_finished_spans()
    assert [span.name for span in spans] == [
        "chat scripted",
        "chat scripted",
        "invoke_agent daybook",
    ]
    (turn,) = await traces_of(agent.resources.postgres, talk.thread_id)
    assert {f"{span.context.trace_id:032x}" for span in spans} == {turn.span.trace.trace_id}
    assert spans[0].parent is not None
    assert f"{spans[0].parent.span_id:016x}" == turn.span.span_id


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


async def test_a_question_waits_in_the_trace_until_it_is_over(agent: Agent, shop: Shop):
    postgres, given = agent.resources.postgres, Delivered()
    postgres.outbox.add(given)
    talk = await asked_to_buy(agent)
    *_, turn = await traces_of(postgres, talk.thread_id)
    assert (outcome_of(turn.span), known(turn)[-1][1:]) == (
        "not done yet",
        ("approval wait", "question", "waits"),
    )
    agent.model.then("Never mind.")
    await talk.say("rather not")
    *_, turn, _ = await traces_of(postgres, talk.thread_id)
    assert known(turn)[-1][1:] == ("approval wait", "question", "withdrawn")
    # Others are told of it too, once; here it is read from the ledger.
    await postgres.outbox.close()
    told = [one.about["outcome"] for one in given.spans if one.kind is SpanKind.APPROVAL]
    assert told == ["withdrawn"]
