"""What is searched in parts: the classes of tool, and the steps of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from daybook import Guarantees
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event

START = datetime(2025, 3, 1, 12, tzinfo=UTC)
D = timedelta(seconds=10)
RETENTION = timedelta(hours=1)

_KEY = Guarantees(honours_key=True, retention=RETENTION)

# The classes of tool of docs/how_it_works.md, each with and without what else matters.
STORED_KEY = replace(_KEY, stores_failures=True, settle=D)
KEY = replace(_KEY, settle=D)
KEY_WITHOUT_D = _KEY
STORED_KEY_AND_PROBE = replace(STORED_KEY, provable=True)
KEY_AND_PROBE = replace(KEY, provable=True)
KEY_AND_PROBE_WITHOUT_D = replace(_KEY, provable=True)
PROBE = Guarantees(settle=D, provable=True)
PROBE_WITHOUT_D = Guarantees(provable=True)
NEITHER = Guarantees()

CLASSES = {
    "stored key": STORED_KEY,
    "key": KEY,
    "key without D": KEY_WITHOUT_D,
    "stored key and probe": STORED_KEY_AND_PROBE,
    "key and probe": KEY_AND_PROBE,
    "key and probe without D": KEY_AND_PROBE_WITHOUT_D,
    "probe": PROBE,
    "probe without D": PROBE_WITHOUT_D,
    "neither": NEITHER,
}


@dataclass(frozen=True)
class Part:
    """Describe one step of a plan; its tool has the name of the step."""

    name: str
    undo: str | None = None
    pivot: bool = False
    args: Mapping[str, Any] = field(default_factory=dict)
    binds: Mapping[str, Any] = field(default_factory=dict)
    preconditions: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[str, Any] = field(default_factory=dict)


RESERVE = Part("reserve", undo="release")
CHARGE = Part("charge", undo="refund")
ORDER = Part("order", undo="cancel", pivot=True)
MAIL = Part("mail")
ONLY = Part("only", pivot=True)


def opening(
    plan: Plan, *actions: tuple[Part, ...], approval: str = "asked", op: str = "op"
) -> list[Entry]:
    """Make the entries that open a plan and intend its steps.

    Args:
        op: what the operations of its steps are named after; the index of the action follows.
    """
    called = [{"call": f"0.{index}", "tool": "checkout"} for index, _ in enumerate(actions)]
    described: dict[str, Any] = {
        str(index): {"args": {}, "title": f"action {index}", "summary": [], "total": None}
        for index, _ in enumerate(actions)
    }
    opened = plan.entry(
        Event.OPENED,
        turn_id=plan.turn_id,
        detail={"approval": approval, "actions": called},
        payload={"actions": described},
    )
    intents = [
        intent(plan, part, f"{op}/{index}", index)
        for index, parts in enumerate(actions)
        for part in parts
    ]
    return [opened, *intents]


def intent(plan: Plan, part: Part, op: str, action: int = 0, gen: int = 1) -> Entry:
    """Make the entry that intends a step."""
    return plan.entry(
        Event.INTENDED,
        op=f"{op}/{part.name}",
        gen=gen,
        detail={
            "action": action,
            "name": part.name,
            "tool": part.name,
            "pivot": part.pivot,
            "undo": part.undo,
        },
        payload={
            "args": dict(part.args),
            "binds": dict(part.binds),
            "preconditions": dict(part.preconditions),
            "evidence": dict(part.evidence),
        },
    )
