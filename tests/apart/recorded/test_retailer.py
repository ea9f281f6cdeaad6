"""The retailer of tau-bench: its tools as they were recorded, byte for byte, and its keys."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from evals.tau_retail.data import Run, TauRetail
from evals.tau_retail.outside import Retailer
from evals.tau_retail.retailer import worlds
from evals.tau_retail.retailer.calls import READS, WRITES, answered, parameters
from evals.tau_retail.retailer.worlds import Base, Changed, Overlay

INITIAL = "ae10e8a7f23bedf88c90a528efa2d59d27cae24b5ce1f0d28768b39257bf9f0d"

EVERY = 20

"""One run in so many is looked at by `make test`."""


@pytest.fixture(scope="module")
def base(data: TauRetail) -> Base:
    return Base(data.folder / "db.json")


class Replayed:
    """Hold a world while calls are made in it."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._changed: dict[Any, Any] = {}

    def call(self, tool: str, args: dict[str, Any]) -> tuple[str, bool]:
        """Make a call; return its text and whether it changed the world."""
        changed: Changed = dict(self._changed)
        tables = Overlay(self._base, changed)
        answer = answered(tool, tables, args)
        self._changed |= {(table, key): record for table, key, record in answer.puts}
        return answer.text, any(tables.differs(*put) for put in answer.puts)

    @property
    def sha256(self) -> str:
        return self._base.sha256(self._changed)


def differences(run: Run, base: Base) -> Iterator[str]:
    """Say where a replay of a run differs from what was recorded."""
    world = Replayed(base)
    for number, call in enumerate(run.calls):
        if call.fault or call.rejected:
            continue
        text, changed = world.call(call.name, call.args)
        if (text, changed) != (call.result, call.changed):
            yield f"{run.run_id} call {number}: {text[:200]!r} and not {call.result[:200]!r}"
    if world.sha256 != run.final_db_sha256:
        yield f"{run.run_id} ends in another database"


def none_differs(runs: Iterable[Run], base: Base) -> int:
    """Replay runs, and return how many calls they made."""
    calls = 0
    for run in runs:
        calls += len(run.calls)
        assert list(differences(run, base)) == []
    return calls


def test_the_tools_are_those_of_the_description_with_the_same_arguments(data: TauRetail):
    described = {spec.name: list(spec.parameters["properties"]) for spec in data.tools}
    assert {name: parameters(name) for name in [*READS, *WRITES]} == described
    assert {spec.name for spec in data.tools if spec.is_write} == set(WRITES)


def test_a_fresh_world_has_the_hash_of_the_specification(base: Base):
    assert base.sha256({}) == INITIAL


@pytest.mark.parametrize("recording", ["recorded", "recorded_inexact", "recorded_parallel"])
def test_recorded_calls_are_answered_as_they_were(data, base, recording):
    picked = (run for n, run in enumerate(data.runs(recording)) if n % EVERY == 0)
    assert none_differs(picked, base) > 30


@pytest.mark.long
@pytest.mark.parametrize(
    ("recording", "calls"),
    [("recorded", 14_033), ("recorded_inexact", 1_578), ("recorded_parallel", 1_464)],
)
def test_every_recorded_call_is_answered_as_it_was(data, base, recording, calls):
    assert none_differs(data.runs(recording), base) == calls


def test_the_solutions_of_all_tasks_come_to_their_results_and_databases(data, base):
    actions = 0
    for task in data.tasks():
        world = Replayed(base)
        # Without what would follow the end of the conversation.
        for action in (one for one in task["actions"] if "result_sha16" in one):
            text, changed = world.call(action["name"], action["kwargs"])
            assert hashlib.sha256(text.encode()).hexdigest()[:16] == action["result_sha16"], task
            assert (changed, not text.startswith("Error: ")) == (action["changed"], action["ok"]), (
                task
            )
            actions += 1
        assert world.sha256 == task["gold_db_sha256"], task
    assert actions == 1_371


ORDER = {"order_id": "#W2378156"}

HOME = {
    "user_id": "yusuf_rossi_9620",
    "address1": "763 Broadway",
    "address2": "Süd 135",
    "city": "Philadelphia",
    "state": "PA",
    "country": "USA",
    "zip": "19122",
}

RETURN = {**ORDER, "item_ids": ["1151293680"], "payment_method_id": "credit_card_9513926"}


@dataclass
class World:
    """Hold one world of the retailer."""

    retailer: Retailer
    name: str

    def at(self, path: str) -> str:
        return f"{self.retailer.url}/worlds/{quote(self.name, safe='')}{path}"

    def read(self, tool: str, **args: Any) -> httpx.Response:
        asked = {"args": json.dumps(args)}
        return httpx.get(self.at(f"/reads/{tool}"), params=asked, trust_env=False)

    def write(self, tool: str, key: str = "", **args: Any) -> httpx.Response:
        headers = {"Idempotency-Key": quote(key, safe="/")} if key else {}
        return httpx.post(self.at(f"/writes/{tool}"), json=args, headers=headers, trust_env=False)

    def executions(self, key: str) -> Any:
        found = httpx.get(self.at("/executions"), params={"key": key}, trust_env=False)
        return found.raise_for_status().json()["matches"]

    @property
    def seen(self) -> worlds.World:
        return self.retailer.world(self.name)


@pytest.fixture
def world(retailer: Retailer, request: pytest.FixtureRequest) -> World:
    """Make a world with a name such as a trial of a run has it."""
    world = World(retailer, f"retail/gpt-4o-a/t000.0#{request.node.name}")
    retailer.begin(world.name)
    return world


def test_a_key_that_comes_again_is_answered_as_before_and_nothing_is_executed(world: World):
    key = "turn/ä b#1/0.0/modify"
    first = world.write("return_delivered_order_items", key, **RETURN)
    again = world.write("return_delivered_order_items", key, **RETURN)
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    refused = [world.write("return_delivered_order_items", "second", **RETURN) for _ in range(2)]
    assert [one.status_code for one in refused] == [409, 409]
    assert [one["key"] for one in world.seen.executions] == [key, "second"]
    assert world.seen.repeats == 2


@pytest.mark.parametrize(
    ("tool", "args"),
    [("return_delivered_order_items", {**RETURN, "item_ids": []}), ("modify_user_address", HOME)],
)
def test_a_key_that_comes_with_another_call_is_refused(
    world: World, tool: str, args: dict[str, Any]
):
    world.write("return_delivered_order_items", "k", **RETURN)
    answer = world.write(tool, "k", **args)
    assert (answer.status_code, answer.json()["error"]) == (422, "key_reused")
    assert len(world.seen.executions) == 1


def test_an_execution_can_be_looked_up_by_its_key_unless_it_was_refused(world: World):
    text = world.write("return_delivered_order_items", "a/b", **RETURN).json()["text"]
    world.write("return_delivered_order_items", "c", **RETURN)
    assert world.executions("a/b") == [{"text": text, "key": "a/b"}]
    assert world.executions("c") == world.executions("never") == []
