"""Where a process stands, kept outside it: who was killed cannot tell.

One byte in a mapped file, written at every fault point; it is there when the process is not.
"""

from __future__ import annotations

import mmap
import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from daybook.state.fault_points import FaultPoint


class Place(StrEnum):
    """Where a kill can fall, in the order of the table.

    Of several that are open at once the first one counts: a checkpoint may be written beside.
    """

    CLAIMED = "between claim and request"
    REQUEST = "in the request"
    REPLIED = "between reply and record"
    MODEL = "in the model call"
    READ = "in a read"
    COMMIT = "in a page of the ledger"
    CHECKPOINT = "in a checkpoint"
    ELSEWHERE = "elsewhere"
    OVER = "after its end"


_PLACES = tuple(Place)


class Marks:
    """Mark in a file where this process stands.

    Args:
        file: made anew.
        dies_in: the process kills itself when it comes to this place.
    """

    def __init__(self, file: Path, dies_in: Place | None = None) -> None:
        self._dies_in = dies_in
        file.write_bytes(b"\0")
        with file.open("r+b") as opened:
            self._byte = mmap.mmap(opened.fileno(), 1)
        self._open: Counter[Place] = Counter()
        self._mark()

    def __call__(self, point: FaultPoint, about: str) -> None:
        """Pass one fault point of Daybook's (see `daybook.state.fault_points.arm`)."""
        match point:
            case FaultPoint.BEFORE_MODEL:
                self.enter(Place.MODEL)
            case FaultPoint.AFTER_MODEL:
                self.leave(Place.MODEL)
            case FaultPoint.BEFORE_CHECKPOINT:
                self.enter(Place.CHECKPOINT)
            case FaultPoint.AFTER_CHECKPOINT:
                self.leave(Place.CHECKPOINT)
            case FaultPoint.BEFORE_COMMIT:
                self.enter(Place.COMMIT)
            case FaultPoint.AFTER_COMMIT:
                self.leave(Place.COMMIT)
                self.recorded()
                if about.startswith("attempted/"):
                    self.enter(Place.CLAIMED)
            case FaultPoint.BEFORE_REQUEST:
                self.leave(Place.CLAIMED)
                self.enter(Place.REQUEST)
            case FaultPoint.AFTER_REPLY:
                self.leave(Place.REQUEST)
                self.enter(Place.REPLIED)
            case _:
                pass

    def enter(self, place: Place) -> None:
        """Come to a place."""
        self._open[place] += 1
        self._mark()
        if place is self._dies_in:
            os.kill(os.getpid(), signal.SIGKILL)

    def leave(self, place: Place) -> None:
        """Leave a place."""
        self._open[place] -= 1
        self._mark()

    def recorded(self) -> None:
        """Note that what was replied is recorded."""
        self._open[Place.REPLIED] = 0
        self._mark()

    @property
    def is_replied(self) -> bool:
        """Tell whether a reply waits for its record."""
        return self._open[Place.REPLIED] > 0

    @contextmanager
    def within(self, place: Place) -> Iterator[None]:
        """Stand in a place as long as the block takes."""
        self.enter(place)
        try:
            yield
        finally:
            self.leave(place)

    def over(self) -> None:
        """Note that all is done."""
        self._byte[0] = _PLACES.index(Place.OVER)

    def _mark(self) -> None:
        here = (place for place in _PLACES if self._open[place] > 0)
        self._byte[0] = _PLACES.index(next(here, Place.ELSEWHERE))


def place_in(file: Path) -> Place:
    """Read where the process stood that marked in a file."""
    return _PLACES[file.read_bytes()[0]]
