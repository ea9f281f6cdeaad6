"""The ledger of a plan as rows: crash, retry, probe and compensation are told apart."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from daybook.app.console.pages import duration
from daybook.app.console.timeline import Kind, StepRows, Timeline, timeline_of
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


def rows_of(found: Timeline, step: str) -> StepRows:
    """Return the rows of a step."""
    return next(one for one in found.steps if one.step.name == step)


def kinds(found: Timeline, step: str) -> Sequence[Kind]:
    """Return what the rows of a step show, in order."""
    return [row.kind for row in rows_of(found, step).rows]


def test_a_step_that_was_answered_is_an_intent_and_a_call():
    book = Book("pay").approved()
    book.write(Event.ATTEMPTED, "pay")
    book.write(Event.ACKNOWLEDGED, "pay", after=40, attempt=1, payload={"result": {"id": "1"}})
    book.write(Event.SUCCEEDED)
    found = book.timeline()
    assert kinds(found, "pay") == [Kind.INTENDED, Kind.DONE]
    assert found.counts == {}
    call = rows_of(found, "pay").rows[1]
    assert (call.took, call.words) == (
        timedelta(milliseconds=40),
        "Attempt 1 by one: acknowledged",
    )
    assert found.longest == call.took, "the wait for a person is no work"
    decision = next(row for row in found.rows if row.kind is Kind.PERSON)
    assert (decision.took, decision.is_work) == (timedelta(hours=1), False)
    assert decision.words == "Approved by ada (customer)"


def test_an_attempt_without_an_answer_that_another_process_looked_up_is_a_crash_and_a_probe():
    book = Book("pay").approved()
    book.write(Event.ATTEMPTED, "pay")
    book.write(Event.FOUND, "pay", after=400)
    book.write(Event.SUCCEEDED)
    found = book.timeline()
    assert kinds(found, "pay") == [Kind.INTENDED, Kind.CRASH, Kind.PROBE]
    assert found.counts == {"crash": 1, "probe": 1}
    assert [row.is_work for row in rows_of(found, "pay").rows[1:]] == [False, True]


def test_an_attempt_that_another_one_follows_without_an_answer_is_a_crash_and_a_retry():
    book = Book("pay").approved()
    book.write(Event.ATTEMPTED, "pay")
    book.write(Event.ATTEMPTED, "pay", after=300, attempt=2, worker="two")
    book.write(Event.ACKNOWLEDGED, "pay", attempt=2)
    found = book.timeline()
    assert kinds(found, "pay") == [Kind.INTENDED, Kind.CRASH, Kind.DONE]
    assert found.counts == {"crash": 1, "retry": 1}
    words = [row.words for row in rows_of(found, "pay").rows[1:]]
    assert ["by one" in words[0], "by two" in words[1]] == [True, True]


def test_an_attempt_that_had_no_answer_in_time_is_no_crash():
    book = Book("pay").approved()
    book.write(Event.ATTEMPTED, "pay")
    book.write(Event.UNANSWERED, "pay", after=4_000, attempt=1)
    book.write(Event.ABSENT, "pay", after=100)
    book.write(Event.ATTEMPTED, "pay", attempt=2)
    book.write(Event.ACKNOWLEDGED, "pay", attempt=2)
    found = book.timeline()
    assert kinds(found, "pay") == [Kind.INTENDED, Kind.SILENT, Kind.ABSENT, Kind.DONE]
    assert found.counts == {"retry": 1, "probe": 1}
    assert found.longest == timedelta(seconds=4)


def test_a_decline_closes_the_action_and_what_was_done_is_undone():
    book = Book("hold", "pay", "mail").approved()
    book.write(Event.ATTEMPTED, "hold")
    book.write(Event.ACKNOWLEDGED, "hold", attempt=1)
    book.write(Event.VERIFIED, "hold")
    book.write(Event.ATTEMPTED, "pay")
    book.write(Event.DECLINED, "pay", attempt=1)
    book.write(Event.FAILED, "pay", after=0)
    book.write(Event.CLOSING, after=0, detail={"action": 0})
    book.write(Event.CANCELLED, "mail", after=0)
    book.write(Event.UNDO_ATTEMPTED, "hold")
    book.write(Event.UNDONE, "hold")
    book.write(Event.ENDED, after=0)
    found = book.timeline()
    assert (found.ended, found.counts) == ("failed", {"compensation": 1})
    assert kinds(found, "hold") == [Kind.INTENDED, Kind.DONE, Kind.VERIFIED, Kind.UNDONE]
    assert kinds(found, "pay") == [Kind.INTENDED, Kind.REFUSED, Kind.REFUSED]
    assert kinds(found, "mail") == [Kind.INTENDED, Kind.VOID]
    assert Kind.UNDO in [row.kind for row in found.rows]


def test_a_doubt_and_the_word_of_a_person_are_shown():
    book = Book("mail").approved()
    book.write(Event.ATTEMPTED, "mail")
    book.write(Event.UNANSWERED, "mail", attempt=1)
    book.write(Event.IN_DOUBT, "mail")
    book.write(Event.HAPPENED, "mail", after=60_000, author="cleo", role="clerk")
    book.write(Event.SUCCEEDED, after=0)
    found = book.timeline()
    assert kinds(found, "mail")[-2:] == [Kind.DOUBT, Kind.PERSON]
    assert rows_of(found, "mail").rows[-1].words == "cleo said: it happened"
    assert found.counts == {"in doubt": 1}


def test_what_is_not_answered_yet_is_under_way_until_now():
    book = Book("pay").approved()
    book.write(Event.ATTEMPTED, "pay")
    found = book.timeline(later=86_400_000)
    assert kinds(found, "pay") == [Kind.INTENDED, Kind.OPEN]
    assert rows_of(found, "pay").rows[-1].took == timedelta(days=1)
    assert (found.ended, found.is_over) == ("under way", False)
    assert found.end == BEGIN + timedelta(milliseconds=3_600_030 + 86_400_000)


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (0, "0 ms"),
        (999, "999 ms"),
        (1_000, "1 s"),
        (8_240, "8.2 s"),
        (61_000, "1 min 1 s"),
        (120_000, "2 min"),
        (3_600_000, "1 h"),
        (5_400_000, "1 h 30 min"),
        (200_000_000, "2 days 7 h"),
    ],
)
def test_durations_are_written_in_two_units_at_most(ms: int, words: str):
    assert duration(timedelta(milliseconds=ms)) == words
