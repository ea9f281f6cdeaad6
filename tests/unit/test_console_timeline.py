"""The ledger of a plan as rows: crash, retry, probe and compensation are told apart."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from daybook.app.console.timeline import StepRows, Timeline, timeline_of
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import fold
from daybook.state.ledger.recovery import Event

BEGIN = datetime(2026, 1, 31, 12, tzinfo=UTC)
BUDGET = timedelta(seconds=5)


class Book:
    """Write the entries of one plan, each some milliseconds after the one before."""

    def __init__(self, *steps: str, approval: str = "asked") -> None:
        self.entries: list[Entry] = []
        self._at = BEGIN
        self.write(Event.RECEIVED, plan=None)
        self.write(
            Event.OPENED, detail={"approval": approval, "actions": [{"call": "0.0", "tool": "buy"}]}
        )
        for step in steps:
            detail = {"tool": step, "name": step, "undo": f"un{step}", "action": 0}
            self.write(Event.INTENDED, step, detail=detail, after=0)

    def write(
        self,
        event: Event,
        step: str | None = None,
        after: float = 10,
        plan: str | None = "p",
        **more: Any,
    ) -> None:
        """Write an entry `after` milliseconds."""
        self._at += timedelta(milliseconds=after)
        if event in (Event.ATTEMPTED, Event.UNDO_ATTEMPTED):
            more = {"attempt": 1, "worker": "one", "deadline_at": self._at + BUDGET, **more}
            more["settle_at"] = more["deadline_at"]
        if event in (Event.FOUND, Event.ABSENT, Event.VERIFIED):
            more.setdefault(
                "detail", {"began_at": (self._at - timedelta(milliseconds=5)).isoformat()}
            )
        about = {"op": f"o/{step}", "gen": 1} if step else {}
        entry = Entry(
            event,
            turn_id="t",
            plan_id=plan,
            seq=len(self.entries) + 1,
            at=self._at,
            **about,
            **more,
        )
        self.entries.append(entry)

    def approved(self) -> "Book":
        """Let a person approve it after an hour."""
        detail = {"decisions": ["approved"], "bound_to": ""}
        self.write(Event.DECISION, after=3_600_000, author="ada", role="customer", detail=detail)
        return self

    def timeline(self, later: float = 0) -> Timeline:
        """Read it so many milliseconds after the last entry."""
        plan = fold(entry for entry in self.entries if entry.plan_id)
        assert plan is not None
        return timeline_of(plan, self.entries, self._at + timedelta(milliseconds=later))


def written(said: str, *steps: str) -> Timeline:
    """Write what a text says: events, the step and attempt, and the milliseconds before it."""
    book = Book(*steps).approved()
    for one in said.split("; "):
        event, step, attempt, after = PHRASE.fullmatch(one).groups()  # type: ignore[union-attr]
        more: dict[str, Any] = {"attempt": int(attempt)} if attempt else {}
        if event == Event.CLOSING:
            more = {"detail": {"action": 0}}
        if event == Event.HAPPENED:
            more = {"author": "cleo", "role": "clerk"}
        book.write(Event(event), step, after=float(after or 10), **more)
    return book.timeline()


PHRASE = re.compile(r"(\w+)(?: ([a-z]+))?(?:#(\d))?(?: \+(\d+))?")


def rows_of(found: Timeline, step: str) -> StepRows:
    """Return the rows of a step."""
    return next(one for one in found.steps if one.step.name == step)


def marks(found: Timeline, step: str) -> Sequence[str]:
    """Return what the rows of a step show, in order."""
    return [row.mark for row in rows_of(found, step).rows]


@pytest.mark.parametrize(
    ("said", "shown", "counts", "took"),
    [
        ("attempted pay; acknowledged pay#1 +40; succeeded", "sent done", {}, 40),
        (
            "attempted pay; found pay +400; succeeded",
            "sent crash probe",
            {"crash": 1, "probe": 1},
            5,
        ),
        (
            "attempted pay; attempted pay#2 +300; acknowledged pay#2",
            "sent crash sent done",
            {"crash": 1, "retry": 1},
            10,
        ),
        (
            "attempted pay; unanswered pay#1 +4000; absent pay +100; attempted pay#2; "
            "acknowledged pay#2 +70",
            "sent silent absent sent done",
            {"retry": 1, "probe": 1},
            70,
        ),
        (
            "attempted pay; unanswered pay#1; in_doubt pay; happened pay +60000; succeeded +0",
            "sent silent doubt person",
            {"in doubt": 1},
            None,
        ),
    ],
    ids=["answered", "crash and probe", "crash and retry", "no answer in time", "in doubt"],
)
def test_crash_retry_probe_and_doubt_are_told_apart(said, shown, counts, took):
    found = written(said, "pay")
    assert " ".join(marks(found, "pay")) == f"intended {shown}"
    assert found.counts == counts
    last = rows_of(found, "pay").rows[-1]
    assert last.took == (timedelta(milliseconds=took) if took else None)
    decision = next(row for row in found.rows if row.mark == "person")
    assert decision.took == timedelta(hours=1)


def test_a_decline_closes_the_action_and_what_was_done_is_undone():
    found = written(
        "attempted hold; acknowledged hold#1; verified hold; attempted pay; declined pay#1; "
        "failed pay +0; closing +0; cancelled mail +0; undo_attempted hold; undone hold; ended +0",
        *("hold", "pay", "mail"),
    )
    assert [one.state for one in found.outcomes] == ["void"]
    assert found.outcomes[0].words.endswith("what was begun is undone")
    assert found.counts == {"compensation": 1}
    assert marks(found, "hold") == ["intended", "sent", "done", "verified", "undo", "undone"]
    assert marks(found, "pay") == ["intended", "sent", "refused", "refused"]
    assert marks(found, "mail") == ["intended", "void"]
    assert "undo" in [row.mark for row in found.rows]
