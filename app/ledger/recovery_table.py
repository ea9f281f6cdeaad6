"""Print the recovery and transition tables of docs/how_it_works.md and docs/protocol.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from daybook.app.output import tell
from daybook.state.ledger.recovery import RECOVERY, TABLE, Row


def print_tables() -> None:
    """Print what recovery does in each state of a step, and the moves between the states."""
    tell("\n".join([*recovery(), "", *moves()]))


def recovery() -> Iterator[str]:
    """Write what recovery does about a step, a line for every state that the ledger can hold."""
    yield from _heads("state", "known", "forward", "after the pivot", "rolling back")
    for row in RECOVERY.values():
        yield _line(row.state.value, row.known, row.forward, row.after_pivot, row.closing)


def moves() -> Iterator[str]:
    """Write the moves that exist; events that lead to the same state under one guard in a line."""
    yield from _heads("state", "event", "next", "guard")
    for (state, after, guard), rows in groupby(TABLE, key=_same_move):
        events = ", ".join(row.event.value for row in rows)
        yield _line(state or "-", events, after, guard)


def _same_move(row: Row) -> tuple[str | None, str, str]:
    return (row.state.value if row.state else None, row.next.value, row.guard)


def _heads(*names: str) -> Sequence[str]:
    return _line(*names), "|" + "---|" * len(names)


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
