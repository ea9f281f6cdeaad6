"""The version of the ledger's rows, and how a row of any version is read.

The stored row and its hash stay as they were written; what is folded is upgraded when it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.state.errors import UnknownLedgerVersion
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.versions import Upgrade, stepped

LEDGER_VERSION = 1
"""The version that this release writes."""

UPGRADES: Mapping[int, Upgrade] = {}
"""Version to the step that makes the next version of a row.

A step is given the columns of `ledger_event` with `payload`, which is None where there is none and
where it was erased. Statements in SQL select by event and by the `detail` that indexes name: these
a step cannot rename.
"""


def entry_of(
    row: Mapping[str, Any],
    current: int = LEDGER_VERSION,
    upgrades: Mapping[int, Upgrade] = UPGRADES,
) -> Entry:
    """Make the entry of a row of `ledger_event` with its payload.

    Raises:
        UnknownLedgerVersion: there is no way from the row's version to the current one.
    """
    found = row["ledger_version"]
    now = stepped(row, found, current, upgrades)
    if now is None:
        raise UnknownLedgerVersion(
            f"Entry {row['seq']} of the thread {row['thread_id']} is of ledger version {found}; "
            f"this release reads version {current} and has upgrade steps from "
            f"{sorted(upgrades) or 'no other version'}. Nothing was changed: run the release that "
            "wrote it, or add the upgrade step. `daybook ledger` prints it all the same."
        )
    return Entry(
        event=Event(now["event"]),
        turn_id=now["turn_id"],
        plan_id=now["plan_id"],
        op=now["op"],
        gen=now["gen"],
        attempt=now["attempt"],
        worker=now["worker"],
        author=now["author"],
        role=now["role"],
        deadline_at=now["deadline_at"],
        settle_at=now["settle_at"],
        detail=now["detail"],
        payload=now["payload"],
        seq=now["seq"],
        at=now["at"],
    )
