"""Entries of earlier versions go through every step to this release's, or stop."""

from typing import Any

import pytest

from daybook.state.errors import LedgerError, UnknownLedgerVersion
from daybook.state.ledger.plan import fold
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.version import LEDGER_VERSION, UPGRADES, entry_of
from daybook.state.versions import Upgrade
from tests.unit.paper import START


def row(version: int, **columns: Any) -> dict[str, Any]:
    """Make a row of `ledger_event` with its payload."""
    empty = dict.fromkeys(
        ("plan_id", "op", "gen", "attempt", "worker", "author", "role", "deadline_at", "settle_at")
    )
    return {
        **empty,
        "thread_id": "thread",
        "seq": 1,
        "turn_id": "turn",
        "event": "received",
        "detail": {},
        "payload": None,
        "at": START,
        "ledger_version": version,
        **columns,
    }


def _renamed(row: dict[str, Any]) -> dict[str, Any]:
    """Version 1 said `begun` for `intended`, and kept the tool's name elsewhere."""
    if row["event"] != "begun":
        return row
    return {**row, "event": "intended", "detail": {"tool": row["detail"]["does"]}}


def _moved(row: dict[str, Any]) -> dict[str, Any]:
    """Version 2 kept a step's arguments at the top of its payload."""
    if row["event"] != "intended" or row["payload"] is None:
        return row
    return {**row, "payload": {"args": row["payload"]}}


STEPS: dict[int, Upgrade] = {1: _renamed, 2: _moved}

OLD = row(
    1,
    event="begun",
    plan_id="plan",
    op="order",
    gen=1,
    detail={"does": "place_order"},
    payload={"total": 5},
)


def test_an_entry_of_an_older_version_goes_through_every_step_in_order_and_its_row_stays():
    before = {**OLD, "detail": dict(OLD["detail"]), "payload": dict(OLD["payload"])}
    entry = entry_of(OLD, 3, STEPS)
    assert entry.event is Event.INTENDED
    assert (entry.detail, entry.payload) == ({"tool": "place_order"}, {"args": {"total": 5}})
    assert entry_of({**OLD, "payload": None}, 3, STEPS).payload is None, "it was erased"
    assert before == OLD


def test_entries_of_several_versions_fold_into_one_plan():
    opened = row(
        3,
        event="opened",
        plan_id="plan",
        detail={"approval": "policy", "actions": [{"call": "0.0", "tool": "place_order"}]},
    )
    plan = fold([entry_of(opened, 3, STEPS), entry_of({**OLD, "seq": 2}, 3, STEPS)])
    assert plan is not None
    _, step = plan.find("order/1")
    assert (step.tool, step.args, step.state) == ("place_order", {"total": 5}, StepState.INTENDED)


@pytest.mark.parametrize(("version", "steps"), [(4, STEPS), (0, STEPS), (1, {1: _renamed})])
def test_an_entry_of_an_unknown_version_stops(version: int, steps: dict[int, Upgrade]):
    with pytest.raises(
        UnknownLedgerVersion,
        match=rf"Entry 1 of the thread thread is of ledger version {version}; this release reads "
        "version 3",
    ) as raised:
        entry_of({**OLD, "ledger_version": version}, 3, steps)
    assert isinstance(raised.value, LedgerError)


def test_this_release_reads_every_version_before_its_own():
    assert sorted(UPGRADES) == list(range(1, LEDGER_VERSION))
