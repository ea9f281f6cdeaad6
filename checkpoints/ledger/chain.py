"""The hash chain of a thread: every entry's hash covers the entry and the hash before it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from daybook.state.effects.keys import canonical, salted
from daybook.state.errors import ChainBroken

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
    covered = {name: _plain(row[name]) for name in COVERED}
    return hashlib.sha256(prev_hash + canonical(covered).encode()).digest()


def verify(rows: Iterable[Mapping[str, Any]], head: Mapping[str, Any]) -> int:
    """Check the rows of one thread, in order, against each other and against its head.

    An erased payload does not break the chain; a changed one does.

    Args:
        rows: columns of `ledger_event` with `salt` and `payload` (None when erased).
        head: `seq` and `hash` of the thread's row in `thread_head`.

    Returns:
        How many entries were checked.

    Raises:
        ChainBroken: an entry is missing, was changed, or does not fit its payload.
    """
    hash_, count = b"", 0
    for row in rows:
        count += 1
        where = f"entry {row['seq']}"
        if row["seq"] != count:
            raise ChainBroken(f"{where}: entry {count} is missing. Restore it from a backup.")
        if link(row, hash_) != bytes(row["hash"]):
            raise ChainBroken(f"{where}: the entry was changed after it was written.")
        if row["payload"] is not None and salted(row["payload"], bytes(row["salt"])) != bytes(
            row["payload_hash"] or b""
        ):
            raise ChainBroken(f"{where}: the payload was changed after it was written.")
        hash_ = bytes(row["hash"])
    if (count, hash_) != (head["seq"], bytes(head["hash"])):
        raise ChainBroken(
            f"The head stands at entry {head['seq']} and the ledger ends at {count}: "
            "entries are missing at the end. Restore them from a backup."
        )
    return count


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    return value
