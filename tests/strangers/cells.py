"""The cells: which service, what is bought, and what goes wrong in it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from daybook.state.effects.keys import digest
from daybook.state.fault_points import FaultPoint
from evals.crash.moments import Moment
from tests.strangers.services.stranger import Kind, Mode
from tests.strangers.services.world import SERVICES
from tests.strangers.services.wrong import LIES, Where

Script = Literal["bought", "undone"]
"""What becomes of a purchase: it is made; or its order is declined, so its charge is given back."""

KINDS: dict[Script, tuple[Kind, ...]] = {
    "bought": ("charge", "order"),
    "undone": ("charge", "refund"),
}
"""What each comes to at the service, in order."""


@dataclass(frozen=True)
class Undisturbed:
    """Nothing goes wrong."""

    def __str__(self) -> str:
        return "undisturbed"


@dataclass(frozen=True)
class KilledAt:
    """The runner is killed at a moment."""

    moment: Moment

    def __str__(self) -> str:
        return f"killed:{self.moment}"


@dataclass(frozen=True)
class KilledWhenPerformed:
    """The runner is killed when the service has done it and holds the answer back."""

    kind: Kind

    def __str__(self) -> str:
        return f"performed:{self.kind}"


@dataclass(frozen=True)
class KilledTwice:
    """The same; and the one that takes over is killed at a moment, and a third one takes over."""

    kind: Kind
    moment: Moment

    def __str__(self) -> str:
        return f"performed:{self.kind}+{self.moment}"


@dataclass(frozen=True)
class Suspended:
    """The runner is suspended at a moment, and wakes up when another one has finished its work."""

    moment: Moment

    def __str__(self) -> str:
        return f"suspended:{self.moment}"


@dataclass(frozen=True)
class Faulty:
    """Nobody is killed, and the service, or what stands before it, fails."""

    kind: Kind
    mode: Mode

    def __str__(self) -> str:
        return f"fault:{self.kind}:{self.mode}"


@dataclass(frozen=True)
class Lied:
    """Nobody is killed, and the service answers wrongly after it has done it."""

    kind: Kind
    where: Where
    lie: str

    def __str__(self) -> str:
        return f"lie:{self.kind}:{self.where}:{self.lie}"


Blow: TypeAlias = (
    Undisturbed | KilledAt | KilledWhenPerformed | KilledTwice | Suspended | Faulty | Lied
)


@dataclass(frozen=True)
class Cell:
    """Hold one cell: it can be run alone by its name."""

    service: str
    script: Script
    blow: Blow

    @property
    def name(self) -> str:
        """Name it: `SERVICE.SCRIPT.BLOW`."""
        return f"{self.service}.{self.script}.{self.blow}"

    @property
    def thread(self) -> str:
        """Name its thread, which is what its person is called too."""
        return f"s-{digest(self.name)[:16]}"


def read(name: str) -> Cell:
    """Read the name of a cell.

    Raises:
        ValueError: it is none.
    """
    wrong = f"{name} names no cell: SERVICE.SCRIPT.BLOW, as a run prints it"
    try:
        service, script, blow = name.split(".", 2)
        read = _blow(blow)
    except ValueError as error:
        raise ValueError(wrong) from error
    if service not in {one.name for one in SERVICES} or script not in get_args(Script):
        raise ValueError(wrong)
    return Cell(service, get_args(Script)[script == "undone"], read)


def _blow(written: str) -> Blow:
    kind, _, about = written.partition(":")
    first, _, rest = about.partition(":")
    match kind, about.partition("+"):
        case "undisturbed", _:
            return Undisturbed()
        case "killed", _:
            return KilledAt(Moment.read(about))
        case "suspended", _:
            return Suspended(Moment.read(about))
        case "performed", (performed, "+", moment):
            return KilledTwice(_kind(performed), Moment.read(moment))
        case "performed", _:
            return KilledWhenPerformed(_kind(about))
        case "fault", _ if rest in get_args(Mode):
            return Faulty(_kind(first), get_args(Mode)[get_args(Mode).index(rest)])
        case "lie", _:
            where, _, lie = rest.partition(":")
            return Lied(_kind(first), get_args(Where)[get_args(Where).index(where)], lie)
    raise ValueError(f"{written} is nothing that goes wrong")


def _kind(written: str) -> Kind:
    return get_args(Kind)[get_args(Kind).index(written)]


# -- which there are -------------------------------------------------------------------------------


def undisturbed(services: Iterable[str]) -> list[Cell]:
    """Return the runs that show which moments there are."""
    return [Cell(service, script, Undisturbed()) for service in services for script in KINDS]


def performed(service: str) -> list[Cell]:
    """Return the kills of whoever waits for the answer to what was done."""
    return [
        Cell(service, script, KilledWhenPerformed(kind))
        for script, kind in (("bought", "charge"), ("bought", "order"), ("undone", "refund"))
    ]


def at_moments(service: str, script: Script, moments: Iterable[Moment]) -> list[Cell]:
    """Return a kill at each of some moments."""
    return [Cell(service, script, KilledAt(moment)) for moment in moments]


def suspended(service: str, moments: Iterable[Moment]) -> list[Cell]:
    """Return a suspension before anything is claimed, and around each request."""
    around = (FaultPoint.BEFORE_REQUEST, FaultPoint.AFTER_REPLY)
    return [
        Cell(service, "bought", Suspended(moment))
        for moment in moments
        if moment.point in around or (moment.point, moment.about) == _APPROVED
    ]


_APPROVED = (FaultPoint.AFTER_COMMIT, "decision")


def twice(first: Cell, moments: Iterable[Moment]) -> list[Cell]:
    """Return a second kill at each moment of the one that took over."""
    assert isinstance(first.blow, KilledWhenPerformed)
    kind = first.blow.kind
    return [Cell(first.service, first.script, KilledTwice(kind, moment)) for moment in moments]


def faults(service: str) -> list[Cell]:
    """Return what may go wrong at the service, or before it."""
    places: tuple[tuple[Script, Kind], ...] = (
        ("bought", "charge"),
        ("bought", "order"),
        ("undone", "refund"),
    )
    return [
        Cell(service, script, Faulty(kind, mode))
        for script, kind in places
        for mode in get_args(Mode)
    ]


def lies() -> list[Cell]:
    """Return the wrong answers of the service that gives them."""
    return [
        *(
            Cell("wrong", "bought", Lied(kind, where, lie))
            for kind in KINDS["bought"]
            for where in ("reply", "look")
            for lie in LIES
        ),
        # An id that no look-up has shown, when all is to be given back.
        Cell("wrong", "undone", Lied("charge", "early", "id")),
        # A row that is not what was approved, or not theirs for whom, and is all that is shown.
        *(
            Cell("wrong", "bought", Lied(kind, "alone", lie))
            for kind, some in (("charge", ("amount", "currency", "owner")), ("order", ("owner",)))
            for lie in some
        ),
    ]


def sample(some: Sequence[Cell], number: int, seed: int) -> list[Cell]:
    """Return a few of them, the same ones for the same seed."""
    return random.Random(seed).sample(list(some), min(number, len(some)))
