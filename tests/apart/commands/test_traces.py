"""Traces of commands: one that was killed, and a collector that never ends its answer."""

import json

from daybook.state.trace_ids import opaque
from tests.apart.terminal import Terminal
from tests.collector import Collector, dripping
from tests.conftest import Shop
from tests.integration.test_traces import KEY, collector
from tests.purchases import PURCHASE

__all__ = ["collector"]


CARD = "4111 1111 1111 1111"


TOLD = f"deliver to 12 Harbour Street, my card is {CARD}"


def personal(shop: Shop) -> list[str]:
    """Return what stands in nobody's trace: who the person is, where they live, what they said."""
    ada = shop.http.get("/users/ada").json()
    (home, *_) = ada["addresses"]
    return [
        ada["name"],
        ada["email"],
        home["street"],
        home["city"],
        "Harbour",
        "4111",
        KEY,
        "hiking",
    ]


def test_a_turn_that_was_killed_goes_on_in_its_trace_and_nobodys_words_leave(
    shop: Shop, terminal: Terminal, collector: Collector
):
    """With LangSmith and a collector: what they are sent is what was received on their sockets."""
    terminal.environment |= {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_API_KEY": KEY,
        "LANGSMITH_ENDPOINT": collector.url,
        "LANGSMITH_PROJECT": "daybook-tests",
    }
    said = ["show me hiking boots under 100", "add BOOT-001", TOLD, "check out"]
    terminal.environment["DAYBOOK_DIE_AT"] = "after_reply:charge_payment"
    _, _, code = terminal.run("chat", "--yes", "--thread", "killed", lines=said)
    assert code == -9
    del terminal.environment["DAYBOOK_DIE_AT"]
    _, err, code = terminal.run("chat", "--yes", "--thread", "killed", lines=[])
    assert (err, code) == ("", 0)
    assert shop.happened() == PURCHASE

    printed, err, code = terminal.run("ledger", "killed", "--json")
    assert (err, code) == ("", 0)
    traces = [one["detail"]["trace"] for one in json.loads(printed) if one["event"] == "received"]
    resumed = [one for one in collector.spans if one.trace_id.hex() == traces[-1]]
    names = [one.name for one in sorted(resumed, key=lambda one: one.start_time_unix_nano)]
    for name in (
        "recovery charge_payment",
        "probe charge_payment",
        "execute_tool place_order",
        "invoke_agent daybook",
    ):
        assert name in names
    spans = {one.name: one for one in resumed}
    placed, root = spans["execute_tool place_order"], spans["invoke_agent daybook"]
    assert placed.parent_span_id == root.span_id
    assert spans["probe charge_payment"].parent_span_id == spans["recovery charge_payment"].span_id
    about = {one.key: one.value.string_value for one in placed.attributes}
    assert about["gen_ai.tool.name"] == "place_order"
    assert about["gen_ai.conversation.id"] == "killed"
    # A step stands there as a digest, and inside by its name.
    found, err, code = terminal.run("ledger", "killed", "--step", about["daybook.key"])
    assert (err, code) == ("", 0)
    assert {line for line in found.splitlines() if "attempted" in line}
    assert "/charge/1" not in found
    _, err, code = terminal.run("ledger", "killed", "--step", opaque("another"))
    assert code == 1
    assert "has no step sha256:" in err

    at = "/otel/v1/traces"
    ids = {one.span_id for one in collector.spans_at(at)}
    assert ids == {one.span_id for one in collector.spans}
    (head,) = {
        (head["x-api-key"], head["langsmith-project"])
        for path, _, head in collector.bodies
        if path == at
    }
    assert head == (KEY, "daybook-tests")
    # Nothing of LangChain's own tracer, which would send the state with every word.
    assert {path for path, _, _ in collector.bodies} == {at, "/v1/traces"}
    for word in (*personal(shop), "You are Daybook"):
        assert word not in collector.text, word


def test_a_collector_that_never_ends_its_answer_keeps_no_process_from_its_end(terminal, shop):
    with dripping() as url:
        terminal.environment |= {
            "OTEL_EXPORTER_OTLP_ENDPOINT": url,
            "LANGSMITH_TRACING": "true",
            "LANGSMITH_API_KEY": KEY,
            "LANGSMITH_ENDPOINT": url,
        }
        _, _, code = terminal.run("chat", "--yes", lines=["add BOOT-001", "check out"])
    assert code == 0
    assert shop.happened() == PURCHASE
