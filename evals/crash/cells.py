"""The cells of the shop's matrix: what is played, against which shop, and what goes wrong in it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from daybook.state.effects.keys import digest, step_id
from daybook.state.fault_points import FaultPoint
from daybook.state.shop.cart import cart_id, checkout_id
from daybook.tools.services.mail import message_id
from evals.crash.moments import Moment
from evals.crash.script import CANCELLED, DECLINED, PURCHASE, SCRIPTS, SKU, UNDONE, Script
from evals.crash.shop import MODES, Mode

EFFECTS = {
    "holds": "reserve_inventory",
    "charges": "charge_payment",
    "orders": "place_order",
    "mail": "send_email",
}
"""The endpoints of a purchase and the tools that call them, in order."""

Kind = Literal[
    "undisturbed",
    "killed",
    "performed",
    "taken-over",
    "twice",
    "waiting",
    "instant",
    "cancelled-after",
    "time-out",
    "late",
    "outage",
]
"""What goes wrong:

- killed: the runner, at a moment;
- performed: the runner, when the shop has performed an effect and holds the reply back;
- taken-over: the same, to show which moments the one has that takes over: never a worker;
- twice: the same, and the one that takes over is killed at a moment too;
- waiting: the runner, while a question for approval stands;
- instant: the runner, at a random instant;
- cancelled-after: the runner, when an effect was answered, and then the person wants to cancel;
- time-out: an effect is performed and never answered;
- late: an effect is performed after its caller gave up and looked, within the settling time;
- outage: Postgres, the shop or both are killed at a random instant, and started again.
"""

_OF_ENDPOINTS = ("performed", "taken-over", "time-out", "late")
_OUTAGES = ("postgres", "shop", "postgres+shop")


@dataclass(frozen=True)
class Cell:
    """One cell: it can be run alone by its name.

    Attributes:
        about: the endpoint, the tool, or what is killed in an outage.
        moment: of the kill; of the second one, where there are two.
        number: tells random instants apart.
    """

    script: Script
    mode: Mode
    kind: Kind
    about: str = ""
    moment: Moment | None = None
    number: int = 0

    @property
    def blow(self) -> str:
        """Name what goes wrong."""
        match self.kind:
            case "undisturbed" | "waiting":
                return self.kind
            case "killed":
                return str(self.moment)
            case "twice":
                return f"performed:{self.about}+{self.moment}"
            case "instant":
                return f"instant#{self.number}"
            case "outage":
                return f"{self.about}-killed#{self.number}"
            case _:
                return f"{self.kind}:{self.about}"

    @property
    def name(self) -> str:
        """Name it: `SCRIPT.MODE.BLOW`."""
        return f"{self.script.name}.{self.mode}.{self.blow}"

    @classmethod
    def read(cls, name: str) -> Self:
        """Read a name.

        Raises:
            ValueError: it is none.
        """
        try:
            script, mode, blow = name.split(".", 2)
            return cls(SCRIPTS[script], MODES[MODES.index(mode)], **_read_blow(blow))
        except (ValueError, KeyError) as error:
            wrong = f"{name} names no cell: SCRIPT.MODE.BLOW, as a run prints it"
            raise ValueError(wrong) from error

    @property
    def thread(self) -> str:
        """Name its thread, which is what it is called by the person and the model too."""
        return f"c-{digest(self.name)[:16]}"

    @property
    def user(self) -> str:
        """Name its person."""
        return self.script.user or self.thread

    @property
    def checkout(self) -> str:
        """Name its checkout, by which the shop's record tells its effects from others'."""
        return checkout_id(cart_id(self.thread, f"{self.thread}-0", "USD"), 1)

    def reference(self, endpoint: str) -> str:
        """Return the reference of its effect at one of the endpoints of a purchase."""
        ops = {
            "holds": f"reserve/{SKU}",
            "charges": "charge",
            "orders": "place_order",
            "mail": "send_email",
        }
        step = step_id(f"checkout/{self.checkout}/{ops[endpoint]}", 1)
        return message_id(step) if endpoint == "mail" else step

    def instant(self, seed: int) -> float:
        """Choose the instant at which it is killed, as a part of an undisturbed run."""
        return random.Random(f"{seed}/{self.name}").random()


def _read_blow(written: str) -> dict[str, Any]:
    kind, _, about = written.partition(":")
    endpoint, _, moment = about.partition("+")
    outage, _, number = written.partition("-killed#")
    if kind in _OF_ENDPOINTS:
        if endpoint not in EFFECTS or (moment and kind != "performed"):
            raise ValueError(f"{about} is no endpoint of a purchase")
        if moment:
            return {"kind": "twice", "about": endpoint, "moment": Moment.read(moment)}
        return {"kind": kind, "about": endpoint}
    if kind == "cancelled-after":
        return {"kind": kind, "about": about, "moment": Moment(FaultPoint.AFTER_REPLY, about, 1)}
    if written in ("undisturbed", "waiting"):
        return {"kind": written}
    if written.startswith("instant#"):
        return {"kind": "instant", "number": int(written.partition("#")[2])}
    if number and outage in _OUTAGES:
        return {"kind": "outage", "about": outage, "number": int(number)}
    return {"kind": "killed", "moment": Moment.read(written)}


def undisturbed() -> list[Cell]:
    """Return the runs that show which moments there are."""
    scripts = (PURCHASE, UNDONE, DECLINED, CANCELLED)
    return [Cell(script, mode, "undisturbed") for script in scripts for mode in MODES]


def peers_crashes() -> list[Cell]:
    """Return the 13 crashes of the peers' table, in both modes."""
    found = []
    for mode in MODES:
        found += at_moments(PURCHASE, mode, [Moment(FaultPoint.AFTER_MODEL, "", 2)])
        for endpoint, tool in EFFECTS.items():
            before = Moment(FaultPoint.BEFORE_REQUEST, tool, 1)
            after = Moment(FaultPoint.AFTER_REPLY, tool, 1)
            found += [
                Cell(PURCHASE, mode, "killed", moment=before),
                Cell(PURCHASE, mode, "performed", endpoint),
                Cell(PURCHASE, mode, "killed", moment=after),
            ]
    return found


def of_endpoints(kind: Kind) -> list[Cell]:
    """Return a cell of a kind for each endpoint of a purchase; a mail server is never late."""
    return [
        Cell(PURCHASE, mode, kind, endpoint)
        for mode in MODES
        for endpoint in EFFECTS
        if (kind, endpoint) != ("late", "mail")
    ]


def cancelled_after() -> list[Cell]:
    """Return the purchases that are cancelled after a crash."""
    return [
        Cell(CANCELLED, mode, "cancelled-after", tool, Moment(FaultPoint.AFTER_REPLY, tool, 1))
        for mode in MODES
        for tool in EFFECTS.values()
    ]


def waiting() -> list[Cell]:
    """Return the kills while a question stands."""
    return [Cell(PURCHASE, mode, "waiting") for mode in MODES]


def at_moments(script: Script, mode: Mode, moments: Iterable[Moment]) -> list[Cell]:
    """Return a kill at each of some moments."""
    return [Cell(script, mode, "killed", moment=moment) for moment in moments]


def twice(mode: Mode, endpoint: str, moments: Iterable[Moment]) -> list[Cell]:
    """Return a second kill at each moment of a take-over."""
    return [Cell(PURCHASE, mode, "twice", endpoint, moment) for moment in moments]


def at_instants(number: int) -> list[Cell]:
    """Return so many kills at random instants, of purchases and of those that are undone."""
    kinds: Sequence[tuple[Script, Mode]] = [(s, m) for s in (PURCHASE, UNDONE) for m in MODES]
    return [Cell(*kinds[n % len(kinds)], "instant", number=n) for n in range(number)]


def outages(number: int) -> list[Cell]:
    """Return so many kills of Postgres, as many of the shop, and as many of both at once."""
    return [
        Cell(PURCHASE, MODES[n % 2], "outage", what, number=n)
        for n in range(number)
        for what in _OUTAGES
    ]
