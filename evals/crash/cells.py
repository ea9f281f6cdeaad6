"""The cells of the matrix: what is played, against which shop, and what goes wrong in it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

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
        return str(self.moment)


@dataclass(frozen=True)
class KilledWhenPerformed:
    """The runner is killed when the shop has performed an effect and holds the reply back."""

    endpoint: str

    def __str__(self) -> str:
        return f"performed:{self.endpoint}"


@dataclass(frozen=True)
class TakenOver:
    """The same, to show which moments the one has that takes over: never a worker."""

    endpoint: str

    def __str__(self) -> str:
        return f"taken-over:{self.endpoint}"


@dataclass(frozen=True)
class KilledTwice:
    """The same; and the one that takes over is killed at a moment, and a third one takes over."""

    endpoint: str
    moment: Moment

    def __str__(self) -> str:
        return f"performed:{self.endpoint}+{self.moment}"


@dataclass(frozen=True)
class KilledWaiting:
    """The runner is killed while a question for approval stands."""

    def __str__(self) -> str:
        return "waiting"


@dataclass(frozen=True)
class KilledAtInstant:
    """The runner is killed at a random instant."""

    number: int

    def __str__(self) -> str:
        return f"instant#{self.number}"


@dataclass(frozen=True)
class KilledThenCancelled:
    """The runner is killed when an effect was answered, and then the person wants to cancel."""

    tool: str

    @property
    def moment(self) -> Moment:
        """Return the moment of the kill."""
        return Moment(FaultPoint.AFTER_REPLY, self.tool, 1)

    def __str__(self) -> str:
        return f"cancelled-after:{self.tool}"


@dataclass(frozen=True)
class TimedOut:
    """An effect is performed and never answered."""

    endpoint: str

    def __str__(self) -> str:
        return f"time-out:{self.endpoint}"


@dataclass(frozen=True)
class Late:
    """An effect is performed after its caller gave up and looked, within the settling time."""

    endpoint: str

    def __str__(self) -> str:
        return f"late:{self.endpoint}"


@dataclass(frozen=True)
class Outage:
    """Postgres, the shop or both are killed at a random instant, and started again."""

    postgres: bool
    shop: bool
    number: int

    def __str__(self) -> str:
        what = [name for name in ("postgres", "shop") if getattr(self, name)]
        return f"{'+'.join(what)}-killed#{self.number}"


Blow: TypeAlias = (
    Undisturbed
    | KilledAt
    | KilledWhenPerformed
    | TakenOver
    | KilledTwice
    | KilledWaiting
    | KilledAtInstant
    | KilledThenCancelled
    | TimedOut
    | Late
    | Outage
)


def read_blow(written: str) -> Blow:
    """Read what `str` wrote.

    Raises:
        ValueError: it is none.
    """
    kind, _, about = written.partition(":")
    outage, _, number = written.partition("-killed#")
    endpoint, _, moment = about.partition("+")
    if kind in ("performed", "taken-over", "time-out", "late") and endpoint not in EFFECTS:
        raise ValueError(f"{about} is no endpoint of a purchase")
    match kind:
        case "undisturbed":
            return Undisturbed()
        case "waiting":
            return KilledWaiting()
        case "performed" if moment:
            return KilledTwice(endpoint, Moment.read(moment))
        case "performed":
            return KilledWhenPerformed(about)
        case "taken-over":
            return TakenOver(about)
        case "cancelled-after":
            return KilledThenCancelled(about)
        case "time-out":
            return TimedOut(about)
        case "late":
            return Late(about)
        case _ if written.startswith("instant#"):
            return KilledAtInstant(int(written.partition("#")[2]))
        case _ if number:
            return Outage("postgres" in outage, "shop" in outage, int(number))
        case _:
            return KilledAt(Moment.read(written))


@dataclass(frozen=True)
class Cell:
    """One cell: it can be run alone by its name."""

    script: Script
    mode: Mode
    blow: Blow

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
        wrong = f"{name} names no cell: SCRIPT.MODE.BLOW, as a run prints it"
        try:
            script, mode, blow = name.split(".", 2)
            read = read_blow(blow)
        except ValueError as error:
            raise ValueError(wrong) from error
        if script not in SCRIPTS or mode not in MODES:
            raise ValueError(wrong)
        return cls(SCRIPTS[script], MODES[MODES.index(mode)], read)

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


def undisturbed() -> list[Cell]:
    """Return the runs that show which moments there are."""
    return [
        Cell(script, mode, Undisturbed())
        for script in (PURCHASE, UNDONE, DECLINED, CANCELLED)
        for mode in MODES
    ]


def peers_crashes() -> list[Cell]:
    """Return the 13 crashes of the peers' table, in both modes."""
    model = KilledAt(Moment(FaultPoint.AFTER_MODEL, "", 2))
    blows: list[Blow] = [model]
    for endpoint, tool in EFFECTS.items():
        before, after = FaultPoint.BEFORE_REQUEST, FaultPoint.AFTER_REPLY
        blows += [
            KilledAt(Moment(before, tool, 1)),
            KilledWhenPerformed(endpoint),
            KilledAt(Moment(after, tool, 1)),
        ]
    return _both(PURCHASE, blows)


def taken_over() -> list[Cell]:
    """Return the take-overs that show their moments, in both modes."""
    return _both(PURCHASE, [TakenOver(endpoint) for endpoint in EFFECTS])


def time_outs() -> list[Cell]:
    """Return the 4 time-outs of the peers' table, in both modes."""
    return _both(PURCHASE, [TimedOut(endpoint) for endpoint in EFFECTS])


def late_effects() -> list[Cell]:
    """Return the effects that come after the probe has looked; a mail server is never late."""
    return _both(PURCHASE, [Late(endpoint) for endpoint in EFFECTS if endpoint != "mail"])


def cancelled_after() -> list[Cell]:
    """Return the purchases that are cancelled after a crash."""
    return _both(CANCELLED, [KilledThenCancelled(tool) for tool in EFFECTS.values()])


def waiting() -> list[Cell]:
    """Return the kills while a question stands."""
    return _both(PURCHASE, [KilledWaiting()])


def at_moments(script: Script, mode: Mode, moments: Iterable[Moment]) -> list[Cell]:
    """Return a kill at each of some moments."""
    return [Cell(script, mode, KilledAt(moment)) for moment in moments]


def twice(mode: Mode, endpoint: str, moments: Iterable[Moment]) -> list[Cell]:
    """Return a second kill at each moment of a take-over."""
    return [Cell(PURCHASE, mode, KilledTwice(endpoint, moment)) for moment in moments]


def at_instants(number: int) -> list[Cell]:
    """Return so many kills at random instants, of purchases and of those that are undone."""
    kinds = [(script, mode) for script in (PURCHASE, UNDONE) for mode in MODES]
    return [Cell(*kinds[n % len(kinds)], KilledAtInstant(n)) for n in range(number)]


def outages(number: int) -> list[Cell]:
    """Return so many kills of Postgres, as many of the shop, and as many of both at once."""
    return [
        Cell(PURCHASE, MODES[n % 2], Outage(postgres, shop, n))
        for n in range(number)
        for postgres, shop in ((True, False), (False, True), (True, True))
    ]


def _both(script: Script, blows: Sequence[Blow]) -> list[Cell]:
    return [Cell(script, mode, blow) for mode in MODES for blow in blows]
