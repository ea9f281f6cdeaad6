"""A time axis to scale, in which long pauses are cut short and marked as such."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

_LEAST_PAUSE = timedelta(milliseconds=250)
_WIDEST_PAUSE = 11.0
_PAUSES_IN_ALL = 40.0
_SCALES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000)


@dataclass(frozen=True)
class Span:
    """What went on between two instants (UTC), in words."""

    begin: datetime
    end: datetime
    why: str

    def covers(self, begin: datetime, end: datetime) -> bool:
        """Tell whether it lasted through all of that time."""
        return self.begin <= begin and end <= self.end


@dataclass(frozen=True)
class Stretch:
    """A piece of the axis: where it is drawn, in percent, and which time it shows.

    Attributes:
        pause: what was waited for, where the piece is not to scale; else "".
    """

    begin: datetime
    end: datetime
    left: float
    width: float
    pause: str = ""

    @property
    def lasted(self) -> timedelta:
        """Return the time that it shows."""
        return self.end - self.begin


@dataclass(frozen=True)
class Axis:
    """An axis: its pieces in order, without gaps, over 0 to 100 percent.

    Attributes:
        per_second: percent of the width that a second takes where it is to scale; 0 where no
            piece is.
    """

    stretches: tuple[Stretch, ...]
    per_second: float

    def place(self, at: datetime) -> float:
        """Return where an instant is drawn, in percent; before and after the axis, its ends."""
        index = bisect_right([s.begin for s in self.stretches], at) - 1
        if index < 0:
            return 0.0
        piece = self.stretches[index]
        share = (at - piece.begin) / piece.lasted if piece.lasted else 0.0
        return piece.left + piece.width * min(share, 1.0)

    @property
    def pauses(self) -> list[Stretch]:
        """Return the pieces that are not to scale."""
        return [piece for piece in self.stretches if piece.pause]

    @property
    def ruler(self) -> tuple[str, float] | None:
        """Return a round duration and its width in percent, for the eye to measure with."""
        if not self.per_second:
            return None
        fitting = [ms for ms in _SCALES if ms / 1000 * self.per_second <= 22]
        ms = fitting[-1] if fitting else _SCALES[0]
        return duration(timedelta(milliseconds=ms)), ms / 1000 * self.per_second


def axis_of(instants: Sequence[datetime], work: Sequence[Span], waits: Sequence[Span]) -> Axis:
    """Lay out an axis over these instants.

    What somebody was at work in stays to scale, however long; of the rest, what is long beside
    everything else becomes a pause.

    Args:
        instants: when something happened; at least one.
        work: when somebody was at work.
        waits: what was waited for when nobody was; the first that fits names a pause.
    """
    gaps = list(pairwise(sorted({*instants})))
    idle = [gap for gap in gaps if not any(span.covers(*gap) for span in work)]
    paused = _paused(idle, sum((e - b for b, e in gaps if (b, e) not in idle), timedelta()))
    scaled = sum((e - b for b, e in gaps if (b, e) not in paused), timedelta()).total_seconds()
    pause = min(_WIDEST_PAUSE, _PAUSES_IN_ALL / len(paused)) if paused else 0.0
    per_second = (100.0 - pause * len(paused)) / scaled if scaled else 0.0
    pieces: list[Stretch] = []
    left = 0.0
    for begin, end in gaps:
        is_pause = (begin, end) in paused
        width = pause if is_pause else (end - begin).total_seconds() * per_second
        if not is_pause and pieces and not pieces[-1].pause:
            last = pieces.pop()
            begin, left, width = last.begin, last.left, last.width + width
        why = next((s.why for s in waits if s.covers(begin, end)), "nothing happened")
        pieces.append(Stretch(begin, end, left, width, why if is_pause else ""))
        left += width
    if not pieces:
        pieces.append(Stretch(instants[0], instants[0], 0.0, 100.0))
    return Axis(tuple(pieces), per_second)


Gap = tuple[datetime, datetime]


def _paused(idle: Sequence[Gap], scaled: timedelta) -> set[Gap]:
    """Choose the gaps that would leave no room for the rest."""
    ascending = sorted(idle, key=lambda gap: gap[1] - gap[0])
    for index, (begin, end) in enumerate(ascending):
        # Something is to scale, or there would be no scale.
        if scaled and end - begin > max(_LEAST_PAUSE, scaled / 2):
            return set(ascending[index:])
        scaled += end - begin
    return set()


def duration(lasted: timedelta) -> str:
    """Say how long something lasted, in the two largest units that matter."""
    ms = round(lasted.total_seconds() * 1000)
    if ms < 1_000:
        return f"{ms} ms"
    seconds = ms / 1000
    if seconds < 60:
        return f"{seconds:.1f}".removesuffix(".0") + " s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days} days {hours} h" if hours else f"{days} days"
