"""What is searched: the parts of a plan, what is promised of its tools, how much may go wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from daybook import Guarantees
from evals.protocol.books import PATIENCE, RETENTION, TICK, D
from evals.protocol.parts import CHARGE, CLASSES, MAIL, ONLY, RESERVE, Part


@dataclass(frozen=True)
class Case:
    """Say what is searched.

    Attributes:
        parts: of the one action of each plan; tools have the names of the parts.
        guarantees: by tool.
        attempts: by generation, how many attempts of a step anything may happen to; beyond them
            all goes well, so that every path comes to an end.
        undos: likewise, of undos.
        workers: at most so many at once.
        cancels: the first plan may be closed from outside at any time.
        stalls: ticks for which a worker may sit on an absence that it saw; then it has died.
        clicks: a person's answer may arrive a second time, however late.
        lies: what is assumed of the other side does not hold: D is no bound.
        odd: how often something is shown that is not ours, or not as it was approved.
        shows_key: rows of a look-up show the key that an effect was made under.
        repeats: how often a page is committed whose worker never hears of it, and writes it again.
        late: a look-up may miss what was done until its attempt has settled.
        doors: requests may be turned away at the door, whatever is kept under their key.
        faults: a look-up may fail by a fault of its own too.
        unproved: after which a person is asked about what cannot be proved; far away unless given.
    """

    name: str
    parts: tuple[Part, ...]
    guarantees: dict[str, Guarantees]
    attempts: tuple[int, ...] = (2,)
    undos: int = 1
    workers: int = 2
    cancels: bool = True
    stalls: int = 2
    clicks: bool = False
    lies: bool = False
    odd: int = 0
    shows_key: bool = True
    repeats: int = 0
    late: bool = False
    doors: bool = False
    faults: bool = False
    unproved: timedelta = PATIENCE.unproved


def _in_ticks(promised: Guarantees) -> Guarantees:
    return replace(
        promised,
        settle=D if promised.settle else None,
        retention=RETENTION if promised.honours_key else promised.retention,
    )


PROMISED = {name: _in_ticks(promised) for name, promised in CLASSES.items()}

UNDOABLE = replace(ONLY, undo="undo")
LAST_CHARGE = replace(CHARGE, pivot=True)


def one(name: str, **bounds: object) -> Case:
    """Search one step of a class, which a person may cancel at any time."""
    return Case(name, (UNDOABLE,), {"only": PROMISED[name]}, **bounds)  # type: ignore[arg-type]


def again(name: str, **bounds: object) -> Case:
    """Search a step that is wanted again once it is over without effect."""
    return replace(one(name, attempts=(1, 1), **bounds), name=f"{name}, two generations")


def two(name: str, **bounds: object) -> Case:
    """Search a hold and a charge of a class."""
    promised = {"reserve": PROMISED[name], "charge": PROMISED[name]}
    parts = (RESERVE, LAST_CHARGE)
    return Case(f"{name}, two steps", parts, promised, attempts=(1,), **bounds)  # type: ignore[arg-type]


def strange(name: str, **bounds: object) -> Case:
    """Search a step of a class before a service that shows what is not ours, or not as approved."""
    return _strange(one(name), attempts=(1,), **bounds)


def _strange(case: Case, **bounds: object) -> Case:
    within: dict[str, object] = {"stalls": 0, "odd": 1, **bounds}
    return replace(case, name=f"{case.name}, strangers", **within)  # type: ignore[arg-type]


MAIL_AFTER_PIVOT = Case(
    "stored key, then a mail",
    (ONLY, MAIL),
    {"only": PROMISED["stored key"], "mail": PROMISED["neither"]},
    attempts=(1,),
    clicks=True,
)

CASES = (
    *(one(name, stalls=0) for name in PROMISED if "probe" not in name),
    one("neither", clicks=True),
    one("probe", stalls=0),
    one("stored key and probe", stalls=0, undos=0),
    one("key and probe", attempts=(1,), undos=0),
    one("key and probe without D", attempts=(1,)),
    one("probe without D", attempts=(1,)),
    *(again(name) for name in ("key", "probe", "neither")),
    *(two(name) for name in ("probe", "neither")),
    MAIL_AFTER_PIVOT,
    *(strange(name, repeats=1) for name in ("key", "neither")),
    *(strange(name) for name in ("probe", "key and probe", "probe without D")),
    _strange(again("key"), workers=1, undos=0),
    _strange(two("probe"), workers=1, undos=0),
    _strange(two("neither"), workers=1, undos=0),
    replace(one("probe", attempts=(1,), stalls=0, late=True), name="probe that is late"),
    replace(one("stored key", stalls=0, doors=True), name="stored key, turned away"),
    replace(
        one("probe", attempts=(1,), stalls=0, faults=True, unproved=TICK),
        name="probe that fails for long",
    ),
)
"""Searched by every run of the tests: seconds."""

LARGER = (
    *(one(name, attempts=(3,), clicks=True) for name in PROMISED if "probe" not in name),
    *(one(name, clicks=True) for name in PROMISED if "probe" in name),
    *(again(name) for name in PROMISED if "probe" not in name),
    *(again(name, stalls=1) for name in PROMISED if "probe" in name),
    *(two(name) for name in ("stored key", "key", "probe", "neither")),
    replace(MAIL_AFTER_PIVOT, attempts=(2,)),
    *(strange(name, repeats=1) for name in PROMISED),
    replace(strange("probe", shows_key=False), name="probe without keys, strangers"),
    replace(strange("probe", odd=2), name="probe, two strangers"),
    _strange(again("probe"), workers=1, undos=0),
    *(_strange(two(name), workers=1) for name in ("key", "probe")),
    *(replace(one(name, doors=True), name=f"{name}, turned away") for name in ("key", "probe")),
    replace(one("probe", late=True), name="probe that is late"),
)
"""Searched by `make model`: minutes."""
