"""The cells of a crash matrix: at which provider, what is played, and what goes wrong in it."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from daybook.state.fault_points import FaultPoint
from daybook.testing.moments import Moment
from daybook.testing.provider import Mode
from daybook.testing.wrong_answers import WRONG_ANSWERS, Where

Blow = Literal["undisturbed", "killed", "performed", "suspended", "fault", "lie"]
"""What goes wrong: nothing; the process is killed at a moment; it is killed when the provider has
done an effect and holds the reply back (and the one that takes over, at a moment); it is suspended,
and wakes up when another one has finished its work; a request fails; an answer is wrong."""


@dataclass(frozen=True)
class Cell:
    """Hold one cell: it can be run alone by its name.

    Attributes:
        kind: the kind of effect that a blow is about.
        detail: the mode of a fault, or `WHERE:WRONG_ANSWER`.
    """

    provider: str
    script: str
    blow: Blow = "undisturbed"
    moment: Moment | None = None
    kind: str = ""
    detail: str = ""

    @property
    def name(self) -> str:
        """Name it: `PROVIDER.SCRIPT.BLOW`."""
        about = self.kind + (f":{self.detail}" if self.detail else "")
        if self.moment is not None:
            about = f"{about}+{self.moment}" if about else str(self.moment)
        blow = f"{self.blow}:{about}" if about else self.blow
        return f"{self.provider}.{self.script}.{blow}"

    @property
    def thread(self) -> str:
        """Name its thread, which is its user's name too."""
        return f"s-{hashlib.sha256(self.name.encode()).hexdigest()[:16]}"

    @property
    def is_kill(self) -> bool:
        """Tell whether a process is to be killed."""
        return self.blow in ("killed", "performed")

    @classmethod
    def parse(cls, name: str) -> Cell:
        """Return the cell of a name.

        Raises:
            ValueError: it names none.
        """
        try:
            provider, script, written = name.split(".", 2)
            found = cls(provider, script, *_blow(written))
        except ValueError as error:
            message = f"{name} names no cell: PROVIDER.SCRIPT.BLOW, as a run prints it"
            raise ValueError(message) from error
        return found


def _blow(written: str) -> tuple[Blow, Moment | None, str, str]:
    blow, _, about = written.partition(":")
    kind, _, rest = about.partition(":")
    match blow:
        case "undisturbed" if not about:
            return blow, None, "", ""
        case "killed" | "suspended":
            return blow, Moment.parse(about), "", ""
        case "performed" if about:
            kind, plus, moment = about.partition("+")
            return blow, Moment.parse(moment) if plus else None, kind, ""
        case "fault" if kind and rest in get_args(Mode):
            return blow, None, kind, rest
        case "lie" if kind:
            where, _, wrong = rest.partition(":")
            if where in get_args(Where) and wrong in WRONG_ANSWERS:
                return blow, None, kind, rest
    raise ValueError(f"{written} is nothing that goes wrong")


def performed(provider: str, script: str, kinds: Iterable[str]) -> list[Cell]:
    """Return the kills of the process that waits for the reply to what was done."""
    return [Cell(provider, script, "performed", kind=kind) for kind in kinds]


def twice(first: Cell, moments: Iterable[Moment]) -> list[Cell]:
    """Return a second kill at each moment of the process that took over."""
    return [
        Cell(first.provider, first.script, "performed", moment, first.kind) for moment in moments
    ]


def killed(provider: str, script: str, moments: Iterable[Moment]) -> list[Cell]:
    """Return a kill at each of some moments."""
    return [Cell(provider, script, "killed", moment) for moment in moments]


def suspended(provider: str, script: str, moments: Iterable[Moment]) -> list[Cell]:
    """Return a suspension before anything is claimed, and around each request."""
    around = (FaultPoint.BEFORE_REQUEST, FaultPoint.AFTER_REPLY)
    approved = (FaultPoint.AFTER_COMMIT, "decision")
    return [
        Cell(provider, script, "suspended", moment)
        for moment in moments
        if moment.point in around or (moment.point, moment.about) == approved
    ]


def faults(provider: str, script: str, kinds: Iterable[str]) -> list[Cell]:
    """Return each fault of the provider, or of what stands before it."""
    modes: tuple[Mode, ...] = get_args(Mode)
    return [
        Cell(provider, script, "fault", kind=kind, detail=mode) for kind in kinds for mode in modes
    ]


def wrong_answers(provider: str, script: str, kinds: Iterable[str]) -> list[Cell]:
    """Return each wrong answer, in replies and in look-ups."""
    return [
        Cell(provider, script, "lie", kind=kind, detail=f"{where}:{wrong}")
        for kind in kinds
        for where in ("reply", "look")
        for wrong in WRONG_ANSWERS
    ]


def sample(some: Sequence[Cell], number: int, seed: int) -> list[Cell]:
    """Return a few of them, the same ones for the same seed."""
    return random.Random(seed).sample(list(some), min(number, len(some)))
