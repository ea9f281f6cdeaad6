"""The calls of a decision, divided into what is run together; on paper."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from daybook.nodes.planning.phases import (
    after_effects,
    after_stage,
    barred,
    behind_effects,
    calls_of,
    next_phase,
    stages_of,
)
from daybook.state.agent import Decision
from tests.parcels.domain import HERE, PARCELS

KIND = {"look": "look", "note": "change", "send": "intend", "collect": "intend"}


def decided(*names: str, **more: Any) -> Decision:
    calls: list[Any] = [{"name": name, "args": {}} for name in names]
    made: Any = {"ordinal": 0, "calls": calls, "text": "", "refused": {}, **more}
    decision: Decision = made
    return decision


def run(decision: Decision) -> list[tuple[str, list[int]]]:
    """Walk through a decision and return what is run, phase by phase."""
    found: list[tuple[str, list[int]]] = []
    left: Decision | None = decision
    while left is not None:
        phase = next_phase(PARCELS, left)
        assert phase in ("look", "change", "intend")
        found.append((phase, [at for at, _, _ in calls_of(PARCELS, left, phase)]))  # type: ignore[arg-type]
        left = (
            after_effects(PARCELS, left, None) if phase == "intend" else after_stage(PARCELS, left)
        )
    return found


@given(st.lists(st.sampled_from(sorted(KIND)), min_size=1, max_size=8))
def test_every_call_is_run_once_and_reads_and_changes_in_order(names: list[str]):
    stages = run(decided(*names))
    flat = [position for _, positions in stages for position in positions]
    assert sorted(flat) == list(range(len(names)))
    others = [position for position in flat if KIND[names[position]] != "intend"]
    assert others == sorted(others)
    assert [KIND[names[p]] for phase, ps in stages for p in ps] == [
        phase for phase, positions in stages for _ in positions
    ]
    effects = [at for at, name in enumerate(names) if KIND[name] == "intend"]
    behind = [p for p in others if effects and p > effects[0]]
    assert behind_effects(PARCELS, decided(*names)) == behind


def test_a_decision_of_an_earlier_release_counted_nothing_and_may_name_what_is_gone():
    """It stands behind its effects when these are over, whatever was counted."""
    left = after_effects(PARCELS, decided("look", "send", "look"), None)
    assert left is not None
    assert next_phase(PARCELS, left) == "look"
    assert [position for position, _, _ in calls_of(PARCELS, left, "look")] == [2]
    decision = decided("send", "gone")
    assert [stage.phase for stage in stages_of(PARCELS, decision)] == ["intend", "look"]
    assert "Unknown tool gone" in (barred(PARCELS, decision, 1, HERE) or "")
