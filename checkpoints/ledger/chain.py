"""The hash chain of a thread, and the rows derived from it.

Every entry's hash covers the entry and the hash before it. That says that no entry was changed. The
thread's row, its head and its work list are a projection that the ledger writes along with its
entries, and that anything else which writes to the database can spoil.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from daybook.state.effects.keys import canonical, salted
from daybook.state.errors import ChainBroken, LedgerError, ProjectionWrong
from daybook.state.ledger.entry import entry_of
from daybook.state.ledger.plan import fold
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.work_list import OpenStep, open_steps

COVERED = (
    "thread_id",
    "seq",
    "tenant_id",
    "user_id",
    "ledger_version",
    "event",
    "turn_id",
    "plan_id",
    "op",
    "gen",
    "attempt",
    "worker",
    "author",
    "role",
    "deadline_at",
    "settle_at",
    "detail",
    "payload_hash",
    "at",
)
"""Columns that the hash covers, besides the hash before it."""


def link(row: Mapping[str, Any], prev_hash: bytes) -> bytes:
    """Hash one row of `ledger_event` onto the hash before it: SHA-256."""
    return hashlib.sha256(prev_hash + canonical(covered(row)).encode()).digest()


def covered(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the hash covers as JSON values: times as ISO 8601 in UTC, bytes in hex."""
    return {name: _plain(row[name]) for name in COVERED}


def verify(
    rows: Iterable[Mapping[str, Any]],
    head: Mapping[str, Any],
    first: int = 1,
    prev_hash: bytes = b"",
) -> int:
    """Check the rows of one thread, in order, against each other and against its head.

    An erased payload does not break the chain; a changed one does.

    Args:
        rows: columns of `ledger_event` with `salt` and `payload` (None when erased).
        head: `seq` and `hash` of the thread's row in `thread_head`.
        first, prev_hash: where they begin within the chain, and the hash before that.

    Returns:
        How many entries were checked.

    Raises:
        ChainBroken: an entry is missing, was changed, or does not fit its payload.
    """
    hash_, last = prev_hash, first - 1
    for row in rows:
        last += 1
        where = f"entry {row['seq']}"
        if row["seq"] != last:
            raise ChainBroken(f"{where}: entry {last} is missing. Restore it from a backup.")
        if link(row, hash_) != bytes(row["hash"]):
            raise ChainBroken(f"{where}: the entry was changed after it was written.")
        if row["payload"] is not None and salted(row["payload"], bytes(row["salt"])) != bytes(
            row["payload_hash"] or b""
        ):
            raise ChainBroken(f"{where}: the payload was changed after it was written.")
        hash_ = bytes(row["hash"])
    if last == head["seq"] and hash_ != bytes(head["hash"]):
        raise ChainBroken(f"entry {last}: its hash is not the head's. The chain was rewritten.")
    if (last, hash_) != (head["seq"], bytes(head["hash"])):
        raise ChainBroken(
            f"The head is at entry {head['seq']} but the ledger ends at entry {last}: the last "
            "entries are missing. Restore them from a backup."
        )
    return last - first + 1


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    return value


Row = Mapping[str, Any]


def audit(rows: Sequence[Row], beside: Mapping[str, Any], work: Sequence[Row]) -> None:
    """Check what stands beside entries whose chain verifies.

    Args:
        rows: columns of `ledger_event`, in order, with `payload` (None when erased).
        beside: `has_thread`, `has_head`, and the head's `open_plan`.
        work: the thread's rows of `open_step`.

    Raises:
        ProjectionWrong: something does not agree with the entries; they are what holds.
    """
    faults = [*_faults_of_rows(rows, beside), *_faults_of_work_list(rows, work)]
    if faults:
        raise ProjectionWrong(
            f"{'; '.join(faults)}. The entries are intact and authoritative; `daybook ledger "
            "rebuild` rebuilds the work list, restore the rest from a backup."
        )


def _faults_of_rows(rows: Sequence[Row], beside: Mapping[str, Any]) -> Iterable[str]:
    if not beside["has_thread"]:
        yield "its row in the table thread is missing"
    if not beside["has_head"]:
        yield "its row in the table thread_head is missing"
        return
    open_plan = _open_plan(rows)
    if beside["open_plan"] != open_plan:
        yield f"its head names the open plan {beside['open_plan']} and the entries {open_plan}"


def _open_plan(rows: Sequence[Row]) -> str | None:
    open_plan: str | None = None
    for row in rows:
        if row["event"] == Event.OPENED.value:
            open_plan = row["plan_id"]
        elif row["event"] in (Event.SUCCEEDED.value, Event.ENDED.value):
            open_plan = None if row["plan_id"] == open_plan else open_plan
    return open_plan


def _faults_of_work_list(rows: Sequence[Row], work: Sequence[Row]) -> Iterable[str]:
    wanted, unreadable = work_of_plans(rows)
    found = {*listed(work, but_not=unreadable)}
    for one in sorted(wanted ^ found, key=lambda one: (one.op, one.gen)):
        must = "must have" if one in wanted else "has"
        yield f"the work list {must} {one.op}/{one.gen} as {one.state}"


def work_of_plans(rows: Sequence[Row]) -> tuple[set[OpenStep], set[str]]:
    """Tell from a thread's entries what the work list must have.

    Returns:
        And the plans of which that cannot be told: their payloads were erased, or this release
        cannot read them.
    """
    plans: dict[str, list[Row]] = {}
    for row in rows:
        if row["plan_id"] is not None:
            plans.setdefault(row["plan_id"], []).append(row)
    wanted, unreadable = set[OpenStep](), set[str]()
    for plan_id, entries in plans.items():
        is_erased = any(row["payload_hash"] and row["payload"] is None for row in entries)
        try:
            plan = None if is_erased else fold(map(entry_of, entries))
        except LedgerError:
            plan = None
        if plan is None:
            unreadable.add(plan_id)
        else:
            wanted |= {*open_steps(plan).values()}
    return wanted, unreadable


def listed(work: Iterable[Row], *, but_not: Collection[str]) -> Iterator[OpenStep]:
    """Read the rows of the work list, without those of some plans."""
    for row in work:
        if row["plan_id"] not in but_not:
            yield OpenStep(**{name: row[name] for name in OpenStep.__dataclass_fields__})
