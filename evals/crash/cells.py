"""What is played at the shop, and the cells: a script, how keys are treated, what goes wrong."""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from daybook.state.effects.keys import digest, step_id
from daybook.state.fault_points import FaultPoint
from daybook.state.shop.cart import cart_id, checkout_id
from daybook.testing.moments import Moment
from daybook.tools.services.mail import message_id
from evals.model_server import calls_of, text_of
from evals.servers import SKU

Call = tuple[str, dict[str, Any]]

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
        listed = _ORDER.findall(" ".join(_results(since)[-1:]))
        if calls[-1][0] == "cancel_order" and listed:
            calls = [*calls[:-1], ("cancel_order", {"order_id": listed[-1]})]
        return next_of(calls, since)


def last_said(
    request: Mapping[str, Any], form: re.Pattern[str]
) -> tuple[re.Match[str], Sequence[Mapping[str, Any]]]:
    """Return what the person said last, by its form, and the messages since then."""
    messages = request["messages"]
    last = max(at for at, one in enumerate(messages) if one["role"] == "user")
    told = form.search(text_of(messages[last]))
    assert told is not None, "whoever speaks in the matrix says in which cell"
    return told, messages[last + 1 :]


def next_of(calls: Sequence[Call], since: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the next of some calls, or the last result when all were made."""
    done = sum(bool(one.get("tool_calls")) for one in since)
    if done == len(calls):
        return {"role": "assistant", "content": _results(since)[-1]}
    return calls_of([calls[done]])


def _results(since: Sequence[Mapping[str, Any]]) -> list[str]:
    return [text_of(one) for one in since if one["role"] == "tool"]


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
    def name(self) -> str:
        """Name it: `SCRIPT.MODE.BLOW`."""
        match self.kind:
            case "undisturbed" | "waiting":
                blow: object = self.kind
            case "killed":
                blow = self.moment
            case "twice":
                blow = f"performed:{self.about}+{self.moment}"
            case "instant":
                blow = f"instant#{self.number}"
            case "outage":
                blow = f"{self.about}-killed#{self.number}"
            case _:
                blow = f"{self.kind}:{self.about}"
        return f"{self.script.name}.{self.mode}.{blow}"

    @classmethod
    def parse(cls, name: str) -> Self:
        """Return the cell of a name.

        Raises:
            ValueError: it names none.
        """
        try:
            script, mode, blow = name.split(".", 2)
            return cls(SCRIPTS[script], MODES[MODES.index(mode)], **_blow(blow))
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
        step = step_id(f"checkout/{self.checkout}/{EFFECTS[endpoint][1]}", 1)
        return message_id(step) if endpoint == "mail" else step

    def instant(self, seed: int) -> float:
        """Choose the instant at which it is killed, as a part of an undisturbed run."""
        return random.Random(f"{seed}/{self.name}").random()


def _blow(written: str) -> dict[str, Any]:
    kind, _, about = written.partition(":")
    endpoint, _, moment = about.partition("+")
    outage, _, number = written.partition("-killed#")
    if kind in _OF_ENDPOINTS:
        if endpoint not in EFFECTS or (moment and kind != "performed"):
            raise ValueError(f"{about} is no endpoint of a purchase")
        if moment:
            return {"kind": "twice", "about": endpoint, "moment": Moment.parse(moment)}
        return {"kind": kind, "about": endpoint}
    if kind == "cancelled-after":
        return {"kind": kind, "about": about, "moment": Moment(FaultPoint.AFTER_REPLY, about, 1)}
    if written in ("undisturbed", "waiting"):
        return {"kind": written}
    if written.startswith("instant#"):
        return {"kind": "instant", "number": int(written.partition("#")[2])}
    if number and outage in _OUTAGES:
        return {"kind": "outage", "about": outage, "number": int(number)}
    return {"kind": "killed", "moment": Moment.parse(written)}


def undisturbed() -> list[Cell]:
    """Return the runs that show which moments there are."""
    return [Cell(script, mode, "undisturbed") for script in SCRIPTS.values() for mode in MODES]


def peers_crashes() -> list[Cell]:
    """Return the 13 crashes of the peers' table, in both modes."""
    found = []
    for mode in MODES:
        found += at_moments(PURCHASE, mode, [Moment(FaultPoint.AFTER_MODEL, "", 2)])
        for endpoint, (tool, _) in EFFECTS.items():
            around = (FaultPoint.BEFORE_REQUEST, FaultPoint.AFTER_REPLY)
            found += at_moments(PURCHASE, mode, [Moment(point, tool, 1) for point in around])
            found.append(Cell(PURCHASE, mode, "performed", endpoint))
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
        for tool, _ in EFFECTS.values()
    ]


def waiting() -> list[Cell]:
    """Return the kills while a question stands."""
    return [Cell(PURCHASE, mode, "waiting") for mode in MODES]


def at_moments(script: Script, mode: Mode, moments: Iterable[Moment]) -> list[Cell]:
    """Return a kill at each of some moments."""
    return [Cell(script, mode, "killed", moment=moment) for moment in moments]


def at_instants(number: int) -> list[Cell]:
    """Return so many kills at random instants, of purchases and of those that are undone."""
    kinds = [(script, mode) for script in (PURCHASE, UNDONE) for mode in MODES]
    return [Cell(*kinds[n % len(kinds)], "instant", number=n) for n in range(number)]


def outages(number: int) -> list[Cell]:
    """Return so many kills of Postgres, as many of the shop, and as many of both at once."""
    return [
        Cell(PURCHASE, MODES[n % 2], "outage", what, number=n)
        for n in range(number)
        for what in _OUTAGES
    ]
