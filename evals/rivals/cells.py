"""What is played, and what it comes to: a contender, a service, an instant; records and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum

EFFECTS = ("reserve", "charge", "order", "mail")
"""What the purchase does to the world, each once and in this order."""

MODEL_CALLS = len(EFFECTS) + 3
"""Of an undisturbed purchase: search, add to cart, the effects, and the answer."""


class Service(StrEnum):
    """How the service treats what it is sent.

    Attributes:
        KEYED: the same idempotency key performs once and is answered alike.
        BLIND: keys are ignored; what was performed can be looked up at once.
        LATE: keys are ignored, and a request whose sender died is performed later: after somebody
            has looked or sent again, and at the latest after the bound that it declares.
    """

    KEYED = "keyed"
    BLIND = "blind"
    LATE = "late"


class Point(StrEnum):
    """Where in an exchange the process is killed."""

    BEFORE = "before the request"
    ACCEPTED = "accepted, no reply"
    REPLIED = "replied, not recorded"


@dataclass(frozen=True)
class Instant:
    """One instant of a purchase.

    Attributes:
        about: an effect, or "model" for the model's answer that asks for the charge.
    """

    point: Point
    about: str

    def __str__(self) -> str:
        return f"{self.about}: {self.point}"


INSTANTS = (
    *(Instant(point, effect) for effect in EFFECTS for point in Point),
    Instant(Point.REPLIED, "model"),
)


@dataclass(frozen=True)
class Contender:
    """One way to write the purchase.

    Attributes:
        module: of `evals.rivals.contenders`, run as a program.
        packages: whose versions are shown.
        options: what its program is told beside the order.
        is_apart: it runs in the rivals' environment.
        finds: whether what its documentation has for a restart finds unfinished runs by itself;
            else an operator names the run.
    """

    name: str
    module: str
    packages: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    is_apart: bool = True
    finds: bool = False


_AGENT = ("create_agent", ("langchain", "langgraph"))

CONTENDERS = (
    Contender("Daybook", "daybook", ("daybook-agent", "langchain"), is_apart=False, finds=True),
    Contender("create_agent, its defaults", *_AGENT, (("durability", "async"),)),
    Contender("create_agent, sync, keys", *_AGENT, (("durability", "sync"), ("keys", "yes"))),
    Contender("StateGraph with @task, sync, keys", "state_graph", ("langgraph",)),
    Contender("DBOS, keys", "dbos", ("dbos",), finds=True),
    Contender("call4agents", "call4agents", ("call4agents",)),
    Contender("call4agents, no probe", "call4agents", ("call4agents",), (("probe", "no"),)),
)


@dataclass(frozen=True)
class Cell:
    """A contender, a service and an instant; no instant is an undisturbed purchase."""

    contender: Contender
    service: Service
    instant: Instant | None

    def __str__(self) -> str:
        return f"{self.contender.name} / {self.service} / {self.instant or 'undisturbed'}"


@dataclass(frozen=True)
class Record:
    """What a purchase left behind.

    Attributes:
        performed: each effect that really happened, in order.
        held: the holds that were made.
        ordered: the holds that an order took.
        approvals: the effects that a person was asked to approve, in order.
        doubts: how often a person was asked whether something had happened.
        model_calls: how often the model was asked.
        is_finished: the last process came to the model's answer.
        is_named: an operator had to name the run for somebody to go on with it.
    """

    performed: Sequence[str]
    held: Sequence[str]
    ordered: Sequence[str]
    approvals: Sequence[str]
    doubts: int
    model_calls: int
    is_finished: bool
    is_named: bool


@dataclass(frozen=True)
class Counts:
    """What became of some purchases; `+` adds them up."""

    runs: int = 0
    duplicates: int = 0
    lost: int = 0
    holds_left: int = 0
    approvals_again: int = 0
    model_again: int = 0
    doubts: int = 0
    by_itself: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Counts)))

    @property
    def is_broken(self) -> bool:
        """Tell whether something was done twice, lost, or left held."""
        return bool(self.duplicates or self.lost or self.holds_left)


def judge(record: Record) -> Counts:
    """Count what one purchase came to."""
    happened, asked = Counter(record.performed), Counter(record.approvals)
    return Counts(
        runs=1,
        duplicates=sum(count - 1 for count in happened.values()),
        lost=sum(effect not in happened for effect in EFFECTS),
        holds_left=len(set(record.held) - set(record.ordered)),
        approvals_again=sum(count - 1 for count in asked.values()),
        model_again=max(0, record.model_calls - MODEL_CALLS),
        doubts=record.doubts,
        by_itself=int(record.is_finished and not record.is_named and not record.doubts),
    )
