"""What a timeline is drawn of: bars and marks on lanes, each of a kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from daybook.app.console.drawn.axis import Axis


class Kind(StrEnum):
    """What a bar or a mark shows; each has a colour, a shape and a word of its own."""

    SAID = "said"
    MODEL = "model"
    ASKED = "asked"
    PERSON = "person"
    OVER = "over"
    INTENDED = "intended"
    WAIT = "wait"
    SENT = "sent"
    DONE = "done"
    CRASH = "crash"
    RETRY = "retry"
    SILENT = "silent"
    PROBE = "probe"
    VERIFIED = "verified"
    ABSENT = "absent"
    REFUSED = "refused"
    DOUBT = "doubt"
    UNDO = "undo"
    UNDONE = "undone"
    VOID = "void"
    OPEN = "open"
    PROCESS = "process"


WORDS: Mapping[Kind, str] = {
    Kind.SAID: "said by the customer",
    Kind.MODEL: "decided by the model",
    Kind.ASKED: "put to a person",
    Kind.PERSON: "a person's word",
    Kind.OVER: "the plan is over",
    Kind.INTENDED: "written ahead",
    Kind.WAIT: "not begun yet",
    Kind.SENT: "sent, and answered",
    Kind.DONE: "done",
    Kind.CRASH: "crash: its sender never wrote an answer down",
    Kind.RETRY: "retry: sent again",
    Kind.SILENT: "no answer in time",
    Kind.PROBE: "probe: looked up, it is there",
    Kind.VERIFIED: "checked afterwards",
    Kind.ABSENT: "probe: looked up, not seen",
    Kind.REFUSED: "refused or declined",
    Kind.DOUBT: "in doubt",
    Kind.UNDO: "compensation: being undone",
    Kind.UNDONE: "undone",
    Kind.VOID: "never sent",
    Kind.OPEN: "under way",
    Kind.PROCESS: "one process at work",
}
"""What each kind means, for the legend."""


@dataclass(frozen=True)
class Bar:
    """Something that lasted: where it is drawn, in percent, and what it says."""

    left: float
    width: float
    kind: Kind
    says: str
    label: str = ""


@dataclass(frozen=True)
class Mark:
    """Something that happened at an instant: where it is drawn, in percent."""

    left: float
    kind: Kind
    says: str


@dataclass(frozen=True)
class Lane:
    """One line of the drawing.

    Attributes:
        step_id: of the step whose line it is; None for any other.
        state: how it stands, or how it ended.
        says: what else there is to say, in words.
        why: the cause, where it is otherwise than it was meant.
    """

    label: str
    bars: tuple[Bar, ...]
    marks: tuple[Mark, ...]
    step_id: str | None = None
    state: str = ""
    says: str = ""
    why: str = ""


@dataclass
class Strip:
    """Collect what goes into a lane, by time; it is placed when the axis is known."""

    bars: list[tuple[datetime, datetime, Kind, str, str]] = field(default_factory=list)
    marks: list[tuple[datetime, Kind, str]] = field(default_factory=list)

    def bar(self, begin: datetime, end: datetime, kind: Kind, says: str, label: str = "") -> None:
        """Draw what lasted."""
        self.bars.append((begin, max(begin, end), kind, says, label))

    def mark(self, at: datetime, kind: Kind, says: str) -> None:
        """Draw what happened at an instant."""
        self.marks.append((at, kind, says))

    def placed(self, axis: Axis) -> tuple[tuple[Bar, ...], tuple[Mark, ...]]:
        """Return what was drawn, in percent of an axis."""
        bars = []
        for begin, end, kind, says, label in self.bars:
            left = axis.place(begin)
            bars.append(Bar(left, axis.place(end) - left, kind, says, label))
        return tuple(bars), tuple(Mark(axis.place(at), kind, says) for at, kind, says in self.marks)
