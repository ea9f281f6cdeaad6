"""Open questions, read from the ledger: approvals, and steps in doubt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event

_ANSWERS_A_PLAN = (Event.DECISION, Event.SUCCEEDED, Event.ENDED)
"""A question that nobody answered in time ends with its plan."""

_ANSWERS_A_DOUBT = (Event.HAPPENED, Event.NOT_HAPPENED, Event.ACKNOWLEDGED, Event.FOUND)


@dataclass(frozen=True)
class Wait:
    """A wait for a person.

    Attributes:
        asked: the entry that asks: a plan that was opened, or a step in doubt.
        answer: the entry that ended it; None while it lasts.
    """

    asked: Entry
    answer: Entry | None

    @property
    def is_doubt(self) -> bool:
        """Tell whether it is about a step in doubt, and not about an approval."""
        return self.asked.event is not Event.OPENED

    @property
    def started(self) -> datetime:
        """Return when it was asked (UTC)."""
        return _at(self.asked)

    @property
    def ended(self) -> datetime | None:
        """Return when it was answered (UTC), if it was."""
        return _at(self.answer) if self.answer is not None else None

    @property
    def outcome(self) -> str:
        """Return what was answered; "" while nothing was."""
        if self.answer is None:
            return ""
        if self.is_doubt:
            return self.answer.event.value.replace("_", " ")
        return ", ".join(self.answer.detail.get("decisions", ())) or "expired"


def waits(entries: Sequence[Entry]) -> list[Wait]:
    """Read for whom was waited when."""
    found: list[Wait] = []
    for position, asked in enumerate(entries):
        later = entries[position + 1 :]
        if asked.event is Event.OPENED and str(asked.detail["approval"]).startswith("asked"):
            of_plan = [one for one in later if one.plan_id == asked.plan_id and not one.step_id]
            found.append(Wait(asked, _first(of_plan, _ANSWERS_A_PLAN)))
        elif asked.event in (Event.IN_DOUBT, Event.UNDO_STUCK):
            of_step = [one for one in later if one.step_id == asked.step_id]
            found.append(Wait(asked, _first(of_step, _ANSWERS_A_DOUBT)))
    return found


def _first(entries: Sequence[Entry], events: Collection[Event]) -> Entry | None:
    return next((one for one in entries if one.event in events), None)


def _at(entry: Entry) -> datetime:
    assert entry.at is not None, "it was read from the ledger"
    return entry.at
