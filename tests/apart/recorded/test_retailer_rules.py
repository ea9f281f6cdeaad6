"""The retailer's tools, held against every call that was recorded of the reference: byte for byte."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from evals.tau_retail.data import Run, TauRetail
from evals.tau_retail.retailer.calls import READS, WRITES, answered, parameters
from evals.tau_retail.retailer.worlds import Base, Changed, Overlay
from tests.apart.recorded.runs import recorded

INITIAL = "ae10e8a7f23bedf88c90a528efa2d59d27cae24b5ce1f0d28768b39257bf9f0d"

EVERY = 20
"""One run in so many is looked at by `make test`."""


@pytest.fixture(scope="module")
def data() -> TauRetail:
    return recorded()


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
        # What would follow the end of the conversation has no result.
        for action in (one for one in task["actions"] if "result_sha16" in one):
            text, changed = world.call(action["name"], action["kwargs"])
            assert hashlib.sha256(text.encode()).hexdigest()[:16] == action["result_sha16"], task
            is_ok = not text.startswith("Error: ")
            assert (changed, is_ok) == (action["changed"], action["ok"]), task
            actions += 1
        assert world.sha256 == task["gold_db_sha256"], task
    assert actions == 1_371
