"""Traces of commands: one that was killed, and a collector that never ends its answer."""

import json

from daybook.state.telemetry.spans import opaque, run_uuid
from tests.apart.test_cli import Terminal, terminal
from tests.collector import Collector, dripping
from tests.conftest import Shop
from tests.integration.test_traces import KEY, collector, rows
from tests.purchases import PURCHASE

__all__ = ["collector", "terminal"]


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


async def test_a_turn_that_was_killed_goes_on_in_its_trace_and_nobodys_words_leave(
    shop: Shop, terminal: Terminal, collector: Collector, postgres_url: str
):
    """With LangSmith and a collector: what they are sent is what was received on their sockets."""
    exports = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_API_KEY": KEY,
        "LANGSMITH_ENDPOINT": collector.url,
        "LANGSMITH_PROJECT": "daybook-tests",
    }
    terminal.environment |= exports
    said = ["show me hiking boots under 100", "add BOOT-001", TOLD, "check out"]
    dies = {"DAYBOOK_DIE_AT": "after_reply:charge_payment"}
    terminal.environment |= dies
    _, _, code = terminal.run("chat", "--yes", "--thread", "killed", lines=said)
    assert code == -9
    cut, _, _ = terminal.run("trace", "killed")
    assert "attempt charge_payment" in cut
    assert "cut off" in cut.splitlines()[-1]
    del terminal.environment["DAYBOOK_DIE_AT"]
    _, err, code = terminal.run("chat", "--yes", "--thread", "killed", lines=[])
    assert (err, code) == ("", 0)
    assert shop.happened() == PURCHASE

    printed, err, code = terminal.run("trace", "killed")
    assert (err, code) == ("", 0)
    (last,) = json.loads(terminal.run("trace", "killed", "--turn", turn_of(printed), "--json")[0])
    kinds = [(one["kind"], one["name"], one["outcome"]) for one in last["within"]]
    assert kinds[1:6] == [
        ("approval wait", "question", "approved"),
        ("attempt", "reserve_inventory", "confirmed"),
        ("attempt", "charge_payment", "cut off"),
        ("recovery", "charge_payment", "found"),
        ("attempt", "place_order", "confirmed"),
    ]
    assert [one["kind"] for one in last["within"][4]["within"]] == ["probe"]
    assert "└─ probe charge_payment" in printed

    trace = bytes.fromhex(last["trace_id"])
    sent = {span.span_id.hex(): span for span in collector.spans if span.trace_id == trace}
    resumed = [*last["within"][4:], last]
    assert sent.keys() >= {one["span_id"] for one in resumed}
    assert sent[last["span_id"]].name == "invoke_agent daybook"
    assert sent[last["within"][5]["span_id"]].parent_span_id.hex() == last["span_id"]
    about = {a.key: a.value.string_value for a in sent[last["within"][5]["span_id"]].attributes}
    assert about["gen_ai.tool.name"] == "place_order"
    # A step stands there as a digest, and inside by its name.
    step = last["within"][5]["about"]["step"]
    assert step.endswith("/place_order/1")
    assert about["daybook.key"] == opaque(step)
    found, err, code = terminal.run("ledger", "killed", "--step", about["daybook.key"])
    assert (err, code) == ("", 0)
    assert found == terminal.run("ledger", "killed", "--step", step)[0]
    assert {line for line in found.splitlines() if "attempted" in line}
    assert "/charge/1" not in found
    _, err, code = terminal.run("ledger", "killed", "--step", opaque("another"))
    assert code == 1
    assert "has no step sha256:" in err
    assert about["gen_ai.conversation.id"] == "killed"

    runs = collector.runs
    ids = {str(run_uuid(one["trace_id"], one["span_id"])) for one in resumed}
    assert runs.keys() >= ids
    root = runs[str(run_uuid(last["trace_id"], last["span_id"]))]
    assert (root["session_name"], root["run_type"]) == ("daybook-tests", "chain")
    assert root["end_time"] > root["start_time"]
    for run_id in ids:
        assert runs[run_id]["dotted_order"].startswith(root["dotted_order"])
        assert runs[run_id]["extra"]["metadata"]["thread_id"] == "killed"
        assert not runs[run_id].get("inputs")
        assert not runs[run_id].get("outputs")
    # Nothing of LangChain's own tracer, which would send the state with every word.
    assert {run["name"] for run in runs.values()} <= {
        *("turn", "daybook-stand-in", "question", "search_products", "get_policy"),
        *("reserve_inventory", "charge_payment", "place_order", "send_email"),
    }

    kept = str(await rows(postgres_url, "select spans from span_batch"))
    for there in (kept, collector.text, cut + printed):
        for word in (*personal(shop), "You are Daybook"):
            assert word not in there, word


def turn_of(printed: str) -> str:
    """Return the id of the last turn that was printed."""
    return [line for line in printed.splitlines() if line.startswith("turn ")][-1].split()[1]


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
