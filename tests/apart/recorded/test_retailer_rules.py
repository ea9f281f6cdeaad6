"""The retailer's tools, held against every call that was recorded of the reference: byte for byte."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from evals.tau_retail.data import Run, TauRetail
from evals.tau_retail.retailer.calls import READS, WRITES, answered, parameters
from evals.tau_retail.retailer.server import Base, Changed, Overlay
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
        for action in task.actions:
            text, changed = world.call(action.name, action.args)
            assert hashlib.sha256(text.encode()).hexdigest()[:16] == action.result_sha16, task
            assert (changed, not text.startswith("Error: ")) == (action.changed, action.ok), task
            actions += 1
        assert world.sha256 == task.gold_db_sha256, task
    assert actions == 1_371


def test_a_judge_of_results_can_fail(data: TauRetail, base: Base):
    """Hold the check itself to a run of which one write is left out."""
    run = next(run for run in data.runs("recorded") if any(call.changed for call in run.calls))
    first = next(n for n, turn in enumerate(run.turns) if any(c.changed for c in turn.calls))
    left = Run(**{**vars(run), "turns": run.turns[:first] + run.turns[first + 1 :]})
    assert f"{run.run_id} ends in another database" in list(differences(left, base))


@pytest.mark.parametrize(
    ("tool", "args", "text"),
    [
        (
            "get_order_details",
            {},
            "Error: GetOrderDetails.invoke() missing 1 required positional argument: 'order_id'",
        ),
        (
            "cancel_pending_order",
            {},
            "Error: CancelPendingOrder.invoke() missing 2 required positional arguments: "
            "'order_id' and 'reason'",
        ),
        (
            "find_user_id_by_name_zip",
            {},
            "Error: FindUserIdByNameZip.invoke() missing 3 required positional arguments: "
            "'first_name', 'last_name', and 'zip'",
        ),
        (
            "think",
            {"words": "", "more": ""},
            "Error: Think.invoke() got an unexpected keyword argument 'words'",
        ),
        ("create_order", {}, "Unknown action create_order"),
        ("think", {"thought": "hm"}, ""),
        ("transfer_to_human_agents", {"summary": "hm"}, "Transfer successful"),
    ],
)
def test_a_call_that_fits_no_tool_is_told_what_is_wrong(tool, args, text, base):
    assert answered(tool, Overlay(base, {}), args).text == text


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("2 + 2", "4.0"),
        ("(47.84 + 488.81) * 2 - 1", "1072.3"),
        ("2 ** 3 // 3", "2.0"),
        (" -1.005", "-1.0"),
        ("-0.0", "-0.0"),
        ("1 / 0", "Error: division by zero"),
        ("1 +", "Error: invalid syntax (<string>, line 1)"),
        ("9 ** 9 ** 9", "Error: int too large to convert to float"),
        ("2(3)", "Error: 'int' object is not callable"),
        ("1,000", "Error: invalid characters in expression"),
        ("__import__('os')", "Error: invalid characters in expression"),
    ],
)
def test_the_calculator(expression: str, text: str, base: Base):
    assert answered("calculate", Overlay(base, {}), {"expression": expression}).text == text


@pytest.mark.parametrize(
    ("tool", "args", "text"),
    [
        ("get_order_details", {"order_id": ["#W2378156"]}, "Error: unhashable type: 'list'"),
        ("get_order_details", {"order_id": 2378156}, "Error: order not found"),
        ("get_order_details", {"order_id": "W2378156"}, "Error: order not found"),
        ("get_order_details", {"order_id": "#w2378156"}, "Error: order not found"),
        ("find_user_id_by_email", {"email": 7}, "Error: 'int' object has no attribute 'lower'"),
        (
            "exchange_delivered_order_items",
            {
                "order_id": "#W2378156",
                "item_ids": '["1151293680"]',
                "new_item_ids": '["7706410293"]',
                "payment_method_id": "credit_card_9513926",
            },
            "Error: [ not found",
        ),
    ],
)
def test_wrongly_typed_values_are_not_validated(tool, args, text, base):
    assert answered(tool, Overlay(base, {}), args).text == text


def test_what_the_worlds_share_stays_as_it_was(data: TauRetail, base: Base):
    world = Replayed(base)
    for order_id in list(base.tables["orders"])[:200]:
        for _ in range(2):
            world.call("cancel_pending_order", {"order_id": order_id, "reason": "no longer needed"})
    assert world.sha256 != INITIAL
    assert base.tables == Base(data.folder / "db.json").tables
