"""The ledger as a drawing: crash, retry, probe and compensation are told apart."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from daybook.app.console.drawn.drawing import Kind, Lane
from daybook.app.console.drawn.timeline import Timeline, timeline_of
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

    def drawn(self, later: float = 0) -> Timeline:
        """Draw it so many milliseconds after the last entry."""
        plan = fold(entry for entry in self.entries if entry.plan_id)
        assert plan is not None
        return timeline_of(plan, self.entries, self._at + timedelta(milliseconds=later))


def lane(drawing: Timeline, step: str) -> Lane:
    """Return the lane of a step."""
    return next(lane for lane in drawing.lanes if lane.label == step)


def bars(found: Lane) -> Sequence[Kind]:
    """Return what the bars of a lane show, in order."""
    return [bar.kind for bar in found.bars]


def marks(found: Lane) -> Sequence[Kind]:
    """Return what the marks of a lane show, in order."""
    return [mark.kind for mark in found.marks]


def test_a_step_that_was_answered_is_a_wait_a_call_and_done():
    book = Book("pay").approved()
    book.write(Event.ATTEMPTED, "pay")
    book.write(Event.ACKNOWLEDGED, "pay", after=40, attempt=1, payload={"result": {"id": "1"}})
    book.write(Event.SUCCEEDED)
    drawing = book.drawn()
    found = lane(drawing, "pay")
    assert bars(found) == [Kind.WAIT, Kind.SENT]
    assert marks(found) == [Kind.INTENDED, Kind.DONE]
    assert drawing.found == {}
    assert [pause.pause for pause in drawing.axis.pauses] == ["waiting for approval"]
    call = found.bars[1]
    assert call.width == max(bar.width for bar in found.bars)


def test_an_attempt_without_a_word_that_another_process_looked_up_is_a_crash_and_a_probe():
    book = Book("pay").approved()
    book.write(Event.ATTEMPTED, "pay")
    book.write(Event.FOUND, "pay", after=400, detail={"began_at": "", "matches": 1})
    began = (book.entries[-1].at or BEGIN) - timedelta(milliseconds=5)
    book.entries[-1].detail["began_at"] = began.isoformat()  # type: ignore[index]
    book.write(Event.SUCCEEDED)
    drawing = book.drawn()
    found = lane(drawing, "pay")
    assert bars(found) == [Kind.WAIT, Kind.CRASH, Kind.PROBE]
    assert marks(found) == [Kind.INTENDED, Kind.CRASH, Kind.PROBE]
    assert drawing.found == {"crash": 1, "probe": 1}
    assert "its process was gone" in {pause.pause for pause in drawing.axis.pauses}
    assert len(lane(drawing, "Processes").bars) == 2


def test_an_attempt_that_another_one_follows_without_an_answer_is_a_crash_and_a_retry():
    book = Book("pay").approved()
    book.write(Event.ATTEMPTED, "pay")
    book.write(Event.ATTEMPTED, "pay", after=300, attempt=2, worker="two")
    book.write(Event.ACKNOWLEDGED, "pay", attempt=2)
    drawing = book.drawn()
    assert bars(lane(drawing, "pay")) == [Kind.WAIT, Kind.CRASH, Kind.SENT]
    assert drawing.found == {"crash": 1, "retry": 1}
    says = [bar.says for bar in lane(drawing, "Processes").bars]
    assert says == ["process 1: one", "process 2: two"]


def test_an_attempt_that_had_no_answer_in_time_is_no_crash():
    book = Book("pay").approved()
    book.write(Event.ATTEMPTED, "pay")
    book.write(Event.UNANSWERED, "pay", after=4_000, attempt=1)
    book.write(Event.ABSENT, "pay", after=100)
    book.write(Event.ATTEMPTED, "pay", attempt=2)
    book.write(Event.ACKNOWLEDGED, "pay", attempt=2)
    drawing = book.drawn()
    found = lane(drawing, "pay")
    assert bars(found) == [Kind.WAIT, Kind.SILENT, Kind.ABSENT, Kind.SENT]
    assert drawing.found == {"retry": 1, "probe": 1}
    # Somebody waited for it all the time: it is to scale.
    assert found.bars[1].width > 50


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
    drawing = book.drawn()
    assert drawing.ended == "failed"
    assert drawing.found == {"compensation": 1}
    assert bars(lane(drawing, "hold")) == [Kind.WAIT, Kind.SENT, Kind.VERIFIED, Kind.UNDO]
    assert marks(lane(drawing, "hold"))[-1] is Kind.UNDONE
    assert bars(lane(drawing, "pay")) == [Kind.WAIT, Kind.REFUSED]
    assert marks(lane(drawing, "mail")) == [Kind.INTENDED, Kind.VOID]


def test_a_doubt_and_the_word_of_a_person_are_shown_and_the_wait_between_is_a_pause():
    book = Book("mail").approved()
    book.write(Event.ATTEMPTED, "mail")
    book.write(Event.UNANSWERED, "mail", attempt=1)
    book.write(Event.IN_DOUBT, "mail")
    book.write(Event.HAPPENED, "mail", after=60_000, author="cleo", role="clerk")
    book.write(Event.SUCCEEDED, after=0)
    drawing = book.drawn()
    found = lane(drawing, "mail")
    assert marks(found)[-2:] == [Kind.DOUBT, Kind.PERSON]
    assert found.marks[-1].says == "cleo said: it happened"
    assert drawing.found == {"in doubt": 1}
    assert "waiting for a person's word" in {pause.pause for pause in drawing.axis.pauses}


def test_what_is_not_answered_yet_is_under_way_until_now():
    book = Book("pay").approved()
    book.write(Event.ATTEMPTED, "pay")
    drawing = book.drawn(later=86_400_000)
    found = lane(drawing, "pay")
    assert bars(found) == [Kind.WAIT, Kind.OPEN]
    assert drawing.ended == "under way"
    assert drawing.end == BEGIN + timedelta(milliseconds=3_600_030 + 86_400_000)


def test_every_part_lies_within_the_drawing_and_has_a_word():
    book = Book("hold", "pay").approved()
    book.write(Event.ATTEMPTED, "hold")
    book.write(Event.FOUND, "hold", after=90_000_000)
    book.write(Event.ATTEMPTED, "pay", attempt=1)
    drawing = book.drawn(later=10)
    for found in drawing.lanes:
        for bar in found.bars:
            assert bar.says
            assert -0.001 <= bar.left <= bar.left + bar.width <= 100.001
        for mark in found.marks:
            assert mark.says
            assert -0.001 <= mark.left <= 100.001
    assert drawing.kinds
