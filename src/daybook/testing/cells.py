"""The cells of a crash matrix: the provider, the script, and what goes wrong."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from daybook.testing.moments import Moment
from daybook.testing.provider import Mode

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
            message = f"{name} is not a cell: write PROVIDER.SCRIPT.BLOW, as a run prints it"
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
        case "lie" if kind and ":" in rest:
            return blow, None, kind, rest
    raise ValueError(f"{written} is not a known failure")


def sample(some: Sequence[Cell], number: int, seed: int) -> list[Cell]:
    """Return a few of them, the same ones for the same seed."""
    return random.Random(seed).sample(list(some), min(number, len(some)))
