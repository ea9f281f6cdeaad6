"""Find the decisions of a thread that belong to the past of one branch.

Someone may go back to an old checkpoint and go on otherwise. The ledger keeps what was decided on
either way: each decision names the one before it, and the state names its last one. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event

Place = tuple[str, int]
"""A turn, and which decision of it."""


def place_decided(entry: Entry) -> Place:
    """Return where a decision was taken."""
    return entry.turn_id or "", entry.detail["ordinal"]


def of_branch(entries: Sequence[Entry], last: int) -> list[Entry]:
    """Drop the decisions of other branches, and the ends of turns that were decided again since.

    Args:
        entries: of a thread, in order.
        last: the branch's last decision, 0 before the first one.
    """
    decided = {entry.seq: entry for entry in entries if entry.event is Event.DECIDED}
    if any("after" not in entry.detail for entry in decided.values()):
        # Those of an agent of `create_agent` do not name the one before them.
        return list(entries)
    path: set[int] = set()
    while last in decided:
        path.add(last)
        last = decided[last].detail["after"]
    anew = {decided[seq].turn_id: seq for seq in sorted(path)}
    return [
        entry
        for entry in entries
        if (entry.seq in path if entry.event is Event.DECIDED else not _is_undone(entry, anew))
    ]


def decided_at(entries: Sequence[Entry], place: Place) -> list[Entry]:
    """Return the decisions that were taken at a place, on whatever branch, in order."""
    return [e for e in entries if e.event is Event.DECIDED and place_decided(e) == place]


def before_decision(entries: Sequence[Entry], last: int) -> int:
    """Return the decision before a branch's last one, 0 before the first.

    Args:
        entries: of the turn in which the last one was taken.
    """
    after = {e.seq: e.detail.get("after", 0) for e in entries if e.event is Event.DECIDED}
    return after.get(last, last) or 0


def before_turn(entries: Sequence[Entry], last: int) -> int:
    """Return a branch's last decision before a turn, 0 if there is none.

    Args:
        entries: of the turn.
        last: the branch's last decision.
    """
    while (before := before_decision(entries, last)) != last:
        last = before
    return last


def _is_undone(entry: Entry, anew: Mapping[str | None, int]) -> bool:
    return entry.event is Event.TURN_DONE and anew.get(entry.turn_id, 0) > entry.seq
