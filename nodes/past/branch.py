"""Which decisions of a thread are the past of one branch of it.

Somebody may go back to an old checkpoint and go on otherwise. The ledger keeps what was decided on
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


def of_branch(entries: Sequence[Entry], last: int | None, next_: Place) -> list[Entry]:
    """Drop the decisions of other branches, and the ends of turns that were decided anew since.

    Args:
        entries: of a thread, in order.
        last: the branch's last decision, 0 before the first one; None where no state says, as in
            an agent of `create_agent`.
        next_: where the branch decides next.
    """
    decided = {entry.seq: entry for entry in entries if entry.event is Event.DECIDED}
    path = _unchained(decided, next_) if last is None else _path(decided, last, next_)
    anew = {decided[seq].turn_id: seq for seq in sorted(path)}
    return [
        entry
        for entry in entries
        if (entry.seq in path if entry.event is Event.DECIDED else not _is_undone(entry, anew))
    ]


def decided_next(entries: Sequence[Entry], place: Place, last: int | None) -> list[Entry]:
    """Return the decisions that were taken at a place after the branch's last one, in order."""
    return [
        entry
        for entry in entries
        if entry.event is Event.DECIDED
        and place_decided(entry) == place
        and (last is None or entry.detail.get("after", last) == last)
    ]


def before_decision(entries: Sequence[Entry], last: int) -> int:
    """Return the decision before a branch's last one, 0 before the first.

    Args:
        entries: of the turn in which the last one was taken.
    """
    after = {e.seq: e.detail.get("after", 0) for e in entries if e.event is Event.DECIDED}
    return after.get(last, last) or 0


def before_turn(entries: Sequence[Entry], last: int) -> int:
    """Return a branch's last decision before a turn, 0 where there is none.

    Args:
        entries: of the turn.
        last: the branch's last decision.
    """
    while (before := before_decision(entries, last)) != last:
        last = before
    return last


def fork_of(entries: Sequence[Entry], place: Place) -> int:
    """Number the next decision at a place: 1, and one more for each that was taken there."""
    return 1 + sum(e.event is Event.DECIDED and place_decided(e) == place for e in entries)


def _path(decided: Mapping[int, Entry], last: int, next_: Place) -> set[int]:
    """Follow the decisions back from the last one."""
    path: set[int] = set()
    at = last
    while at in decided:
        path.add(at)
        if "after" not in decided[at].detail:
            return path | _unchained(decided, next_)
        at = decided[at].detail["after"]
    return path


def _unchained(decided: Mapping[int, Entry], next_: Place) -> set[int]:
    """Take the last decision of each place, where decisions do not name the one before them.

    Those of an agent of `create_agent` do not.
    """
    turn_id, ordinal = next_
    early = [entry for entry in decided.values() if "after" not in entry.detail]
    last = {place_decided(entry): entry.seq for entry in early}
    return {seq for (turn, nth), seq in last.items() if turn != turn_id or nth < ordinal}


def _is_undone(entry: Entry, anew: Mapping[str | None, int]) -> bool:
    return entry.event is Event.TURN_DONE and anew.get(entry.turn_id, 0) > entry.seq
