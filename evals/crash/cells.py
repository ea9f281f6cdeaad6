"""What is played at the shop, and the cells: a script, how keys are treated, what goes wrong."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

from daybook.state.effects.keys import digest, step_id
from daybook.state.fault_points import FaultPoint
from daybook.state.shop.cart import cart_id, checkout_id
from daybook.testing.moments import Moment
from daybook.tools.services.mail import message_id
from evals.crash.run import Call, last_said, next_of, results_in
from evals.servers import SKU

Mode = Literal["keyed", "blind"]
MODES: tuple[Mode, ...] = ("keyed", "blind")
"""Whether the shop honours idempotency keys, or ignores them."""


@dataclass(frozen=True)
class Script:
    """One conversation.

    Attributes:
        says: what the person says, one thing after the other.
        decides: what the model calls on each of them, one after the other; then it says the last
            result.
        happens: what must have happened in the end, each of it once and nothing else.
        refuses: an endpoint that is out of order for this conversation.
        user: who shops; else a person of its own.
        kills_from: the thing said from which on it is killed.
    """

    name: str
    says: tuple[str, ...]
    decides: tuple[tuple[Call, ...], ...]
    happens: tuple[str, ...]
    refuses: str = ""
    user: str = ""
    kills_from: int = 0

    def said(self, thread: str) -> list[str]:
        """Write what the person of a thread says."""
        return [f"[{self.name} {n} {thread}] {words}" for n, words in enumerate(self.says)]

    @property
    def calls(self) -> int:
        """Count the model calls of an undisturbed run: each decision, and the answers."""
        return sum(len(decides) + 1 for decides in self.decides)


_BUYS: tuple[Call, ...] = (
    ("search_products", {"query": "waterproof hiking boots"}),
    ("add_to_cart", {"sku": SKU}),
    ("checkout", {}),
)
_BUY = "find me waterproof hiking boots, put them into the cart and check out"

PURCHASE = Script("purchase", (_BUY,), (_BUYS,), ("reserve", "charge", "order", "mail"))
UNDONE = Script(
    "undone", (_BUY,), (_BUYS,), ("reserve", "charge", "refund", "release"), refuses="orders"
)
DECLINED = Script("declined", (_BUY,), (_BUYS,), ("reserve", "release"), user="gita")
CANCELLED = Script(
    "cancelled",
    (_BUY, "cancel that order"),
    (_BUYS, (("list_orders", {}), ("cancel_order", {}))),
    ("reserve", "charge", "order", "mail", "cancel", "refund"),
    kills_from=1,
)
SCRIPTS = {one.name: one for one in (PURCHASE, UNDONE, DECLINED, CANCELLED)}

_SAID = re.compile(r"\[(?P<script>\w+) (?P<which>\d+) (?P<thread>[\w-]+)\]")
_ORDER = re.compile(r"DB-\d+")


class Model:
    """Decide from the messages alone, as any model does, and count who asked."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def asked(self, thread: str) -> int:
        """Tell how often a thread's model was asked."""
        with self._lock:
            return self._asked[thread]

    def reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one request."""
        told, since = last_said(request, _SAID)
        with self._lock:
            self._asked[told["thread"]] += 1
        calls: Sequence[Call] = SCRIPTS[told["script"]].decides[int(told["which"])]
        listed = _ORDER.findall(" ".join(results_in(since)[-1:]))
        if calls[-1][0] == "cancel_order" and listed:
            calls = [*calls[:-1], ("cancel_order", {"order_id": listed[-1]})]
        return next_of(calls, since)


EFFECTS = {
    "holds": ("reserve_inventory", f"reserve/{SKU}"),
    "charges": ("charge_payment", "charge"),
    "orders": ("place_order", "place_order"),
    "mail": ("send_email", "send_email"),
}
"""The endpoints of a purchase, in order: the tools that call them and their operations."""

Kind = Literal[
    "undisturbed",
    "killed",
    "performed",
    "twice",
    "waiting",
    "instant",
    "cancelled-after",
    "time-out",
    "late",
    "outage",
]
"""What goes wrong, and what it is about:

- killed: the runner, at a moment;
- performed: the runner, when the shop has performed an effect and holds the reply back;
- twice: the same, and the one that takes over is killed at a moment too (`ENDPOINT+MOMENT`);
- waiting: the runner, while a question for approval stands;
- instant: the runner, at a random instant (a number);
- cancelled-after: the runner, when a tool was answered, and then the person wants to cancel;
- time-out: an effect is performed and never answered;
- late: an effect is performed after its caller gave up and looked, within the settling time;
- outage: Postgres, the shop or both are killed at a random instant and started again (`WHAT#n`).
"""

_ROWS: Mapping[str, str] = {
    "undisturbed": "nothing",
    "performed": "performed, no reply",
    "waiting": "while a question waits",
    "cancelled-after": "and then the order is cancelled",
    "twice": "the one that takes over, too",
    "instant": "at a random instant",
    "time-out": "nothing; no reply in time",
    "late": "nothing; performed after the look",
    "postgres": "Postgres",
    "shop": "the shop",
    "postgres+shop": "Postgres and the shop",
}
_OUTAGES = ("postgres", "shop", "postgres+shop")


@dataclass(frozen=True)
class Cell:
    """One cell: `SCRIPT.MODE.KIND`, and behind a colon what it is about."""

    script: str
    mode: Mode
    kind: Kind
    about: str = ""

    @property
    def name(self) -> str:
        """Name it."""
        about = f":{self.about}" if self.about else ""
        return f"{self.script}.{self.mode}.{self.kind}{about}"

    @classmethod
    def parse(cls, name: str) -> Self:
        """Return the cell of a name.

        Raises:
            ValueError: it names none.
        """
        script, _, rest = name.partition(".")
        mode, _, blow = rest.partition(".")
        kind, _, about = blow.partition(":")
        found = cls(script, mode, kind, about)  # type: ignore[arg-type]
        try:
            is_one = script in SCRIPTS and mode in MODES and found._is_about_something()
        except ValueError:
            is_one = False
        if not is_one:
            raise ValueError(f"{name} names no cell: SCRIPT.MODE.KIND, as a run prints it")
        return found

    def _is_about_something(self) -> bool:
        match self.kind:
            case "killed" | "cancelled-after":
                return self.moment is not None
            case "twice":
                return self.endpoint in EFFECTS and self.moment is not None
            case "performed" | "time-out" | "late":
                return self.about in EFFECTS
            case "instant":
                return self.about.isdigit()
            case "outage":
                return self.struck in _OUTAGES
            case kind:
                return kind in get_args(Kind) and not self.about

    @property
    def moment(self) -> Moment | None:
        """Return the moment of the kill; of the second one, where there are two."""
        match self.kind:
            case "killed":
                return Moment.parse(self.about)
            case "twice":
                return Moment.parse(self.about.partition("+")[2])
            case "cancelled-after":
                return Moment(FaultPoint.AFTER_REPLY, self.about, 1)
        return None

    @property
    def endpoint(self) -> str:
        """Return the endpoint at which something goes wrong."""
        return self.about.partition("+")[0]

    @property
    def struck(self) -> str:
        """Return what is killed in an outage."""
        return self.about.partition("#")[0]

    @property
    def row(self) -> str:
        """Name the row in which it is counted."""
        if self.kind == "killed" and self.moment is not None:
            return self.moment.point.value
        return _ROWS[self.struck if self.kind == "outage" else self.kind]

    @property
    def plays(self) -> Script:
        """Return what is played."""
        return SCRIPTS[self.script]

    @property
    def thread(self) -> str:
        """Name its thread, which is what it is called by the person and the model too."""
        return f"c-{digest(self.name)[:20]}"

    @property
    def user(self) -> str:
        """Name its person."""
        return self.plays.user or self.thread

    @property
    def checkout(self) -> str:
        """Name its checkout, by which the shop's record tells its effects from others'."""
        return checkout_id(cart_id(self.thread, f"{self.thread}-0", "USD"), 1)

    def reference(self, endpoint: str) -> str:
        """Return the reference of its effect at one of the endpoints of a purchase."""
        step = step_id(f"checkout/{self.checkout}/{EFFECTS[endpoint][1]}", 1)
        return message_id(step) if endpoint == "mail" else step


def undisturbed() -> list[Cell]:
    """Return the runs that show which moments there are."""
    return [Cell(script, mode, "undisturbed") for script in SCRIPTS for mode in MODES]


def of_endpoints(kind: Kind) -> list[Cell]:
    """Return a cell of a kind for each endpoint of a purchase; a mail server is never late."""
    return [
        Cell("purchase", mode, kind, endpoint)
        for mode in MODES
        for endpoint in EFFECTS
        if (kind, endpoint) != ("late", "mail")
    ]


def peers_crashes() -> list[Cell]:
    """Return the 13 crashes of the peers' table, in both modes."""
    around = (FaultPoint.BEFORE_REQUEST, FaultPoint.AFTER_REPLY)
    moments = [Moment(point, tool, 1) for tool, _ in EFFECTS.values() for point in around]
    moments.append(Moment(FaultPoint.AFTER_MODEL, "", 2))
    killed = [cell for mode in MODES for cell in at_moments("purchase", mode, moments)]
    return [*killed, *of_endpoints("performed")]


def cancelled_after() -> list[Cell]:
    """Return the purchases that are cancelled after a crash."""
    tools = [tool for tool, _ in EFFECTS.values()]
    return [Cell("cancelled", mode, "cancelled-after", tool) for mode in MODES for tool in tools]


def waiting() -> list[Cell]:
    """Return the kills while a question stands."""
    return [Cell("purchase", mode, "waiting") for mode in MODES]


def at_moments(script: str, mode: Mode, moments: Iterable[Moment]) -> list[Cell]:
    """Return a kill at each of some moments."""
    return [Cell(script, mode, "killed", str(moment)) for moment in moments]


def at_instants(number: int) -> list[Cell]:
    """Return so many kills at random instants, of purchases and of those that are undone."""
    kinds = [(script, mode) for script in ("purchase", "undone") for mode in MODES]
    return [Cell(*kinds[n % len(kinds)], "instant", str(n)) for n in range(number)]


def outages(number: int) -> list[Cell]:
    """Return so many kills of Postgres, as many of the shop, and as many of both at once."""
    return [
        Cell("purchase", MODES[n % 2], "outage", f"{what}#{n}")
        for n in range(number)
        for what in _OUTAGES
    ]
