"""Print the ledger of a thread."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from checkpoints.reads import Read
from graph.resources import open_database
from graph.settings import Settings
from state.entry import Entry
from state.errors import DaybookError
from state.recovery import Event

Line = dict[str, Any]


async def ledger(
    settings: Settings, thread_id: str, show: Callable[[Sequence[Line]], None]
) -> None:
    """Read a thread's ledger and show it.

    Raises:
        DaybookError: there is no such thread.
    """
    async with open_database(settings) as postgres:
        entries = await postgres.ledger.entries(thread_id)
        if not entries:
            raise DaybookError(
                f"There is no ledger of a thread {thread_id} here. `daybook chat` prints the id of "
                "its thread; DATABASE_URL and DAYBOOK_HOME say where it is kept."
            )
        turns = [e.turn_id for e in entries if e.event is Event.RECEIVED and e.turn_id]
        reads = await postgres.reads.of_turns(thread_id, turns)
    lines = [*map(_entry_line, entries), *map(_read_line, reads)]
    show(sorted(lines, key=lambda line: (line["at"], line.get("seq", 0))))


def print_json(lines: Sequence[Line]) -> None:
    """Print one JSON array, an entry a line."""
    entries = ",\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    print(f"[\n{entries}\n]")


def print_lines(lines: Sequence[Line]) -> None:
    """Print one line an entry, for people: number, time (UTC), what happened, to what, by whom."""
    for line in lines:
        number = str(line.get("seq", f"r{line.get('handle')}"))
        about = line["step_id"] or line.get("tool") or line["turn_id"] or ""
        by = line.get("author") or line.get("worker") or ""
        attempt = f" attempt {line['attempt']}" if line.get("attempt") else ""
        parts = (f"{number:>5}", line["at"][11:23], f"{line['event']:<14}", about + attempt)
        rest = "  ".join(part for part in (f"by {by}" if by else "", _brief(line)) if part)
        print("  ".join((*parts, rest)).rstrip())


def _brief(line: Line) -> str:
    body = {**line.get("detail", {}), **(line.get("payload") or {})}
    for long in ("bound_to", "prompt", "actions", "name", "pivot", "kind", "action"):
        body.pop(long, None)
    text = ", ".join(f"{k}={json.dumps(v, ensure_ascii=False)}" for k, v in body.items() if v)
    return text if len(text) <= 300 else f"{text[:297]}..."


def _entry_line(entry: Entry) -> Line:
    assert entry.at is not None
    return {
        "seq": entry.seq,
        "at": _utc(entry.at),
        "event": entry.event.value,
        "turn_id": entry.turn_id,
        "plan_id": entry.plan_id,
        "step_id": entry.step_id,
        "idempotency_key": entry.step_id if entry.event is Event.INTENDED else None,
        "attempt": entry.attempt,
        "worker": entry.worker,
        "author": entry.author,
        "role": entry.role,
        "deadline_at": _utc(entry.deadline_at) if entry.deadline_at else None,
        "settle_at": _utc(entry.settle_at) if entry.settle_at else None,
        "detail": dict(entry.detail),
        "payload": dict(entry.payload) if entry.payload is not None else None,
    }


def _read_line(read: Read) -> Line:
    assert read.read_at is not None
    return {
        "handle": read.handle,
        "at": _utc(read.read_at),
        "event": "read",
        "turn_id": read.turn_id,
        "step_id": None,
        "tool": read.tool,
        "detail": {"cache": read.cache, "args": read.args, "superseded": read.superseded},
    }


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds")
