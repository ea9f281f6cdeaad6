"""The version of the ledger's rows: each row says of which it is, and none of another is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.state.errors import UnknownLedgerVersion
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event

LEDGER_VERSION = 1
"""The version of the rows that this release writes.

A later release that changes their form reads this one too: rows stay as they were written, because
the hash chain covers them.
"""


def entry_of(row: Mapping[str, Any]) -> Entry:
    """Make the entry of a row of `ledger_event` with its payload.

    Raises:
        UnknownLedgerVersion: the row is of another version.
    """
    if row["ledger_version"] != LEDGER_VERSION:
        raise UnknownLedgerVersion(
            f"Entry {row['seq']} of the thread {row['thread_id']} is of ledger version "
            f"{row['ledger_version']}; this release reads version {LEDGER_VERSION}. Nothing was "
            "changed: run the release that wrote it. `daybook ledger` prints it all the same."
        )
    return Entry(
        event=Event(row["event"]),
        turn_id=row["turn_id"],
        plan_id=row["plan_id"],
        op=row["op"],
        gen=row["gen"],
        attempt=row["attempt"],
        worker=row["worker"],
        author=row["author"],
        role=row["role"],
        deadline_at=row["deadline_at"],
        settle_at=row["settle_at"],
        detail=row["detail"],
        payload=row["payload"],
        seq=row["seq"],
        at=row["at"],
    )
