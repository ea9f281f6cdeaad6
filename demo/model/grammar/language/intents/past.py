"""What a clause can mean about the person, the past, and a need that is not clear yet."""

from dataclasses import dataclass
from typing import Literal

FactKind = Literal["fact", "preference", "constraint"]


@dataclass(frozen=True)
class Remember:
    """State something about oneself."""

    subject: str
    value: str
    kind: FactKind = "fact"


@dataclass(frozen=True)
class Forget:
    """Want something forgotten that was said about oneself."""

    subject: str


@dataclass(frozen=True)
class ForgetAll:
    """Want all of it forgotten; `vague` leaves open whether the cart is meant."""

    vague: bool = False


@dataclass(frozen=True)
class AskKnown:
    """Hear what is known of oneself: all of it, or what has to do with `words`."""

    words: tuple[str, ...] = ()
    kinds: tuple[FactKind, ...] = ()


@dataclass(frozen=True)
class Reopen:
    """See an earlier result again: by its handle, its place among the lists, or its kind.

    A place counts from 1, and from the end below 0: -2 is the list before the last one.
    """

    handle: int | None = None
    place: int | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Period:
    """A span of time up to now, as it is said.

    `which` 0 is the one under way and 1 the one before it; `last` of a unit are counted from now.
    """

    unit: Literal["day", "week", "month", "year"]
    which: int = 0
    last: int | None = None
    month: int | None = None


PastTopic = Literal[
    "orders",
    "cancelled",
    "spent",
    "removed",
    "failed payments",
    "bought",
    "everything",
    "count",
    "searches",
]


@dataclass(frozen=True)
class AskPast:
    """Ask what happened before. `kind` and `sku` say of which goods."""

    about: PastTopic
    period: Period | None = None
    kind: str = ""
    sku: str = ""


@dataclass(frozen=True)
class Advise:
    """Want to be asked what is needed, for a `goal` in one's own words."""

    goal: str = ""


@dataclass(frozen=True)
class NoMatter:
    """Have no wish on what was asked, in these words."""

    text: str = ""


@dataclass(frozen=True)
class NoteBrief:
    """Answer the interviewer: slots of the brief, None where nothing was said of them."""

    goal: str | None = None
    category: str | None = None
    max_price: int | None = None
    size: str | None = None
    for_whom: str | None = None
    must_have: tuple[str, ...] = ()


@dataclass(frozen=True)
class GoOn:
    """Be asked the next question of the interview, or leave it.

    `skipped` says that the last question shall stay open, `declined` that all shall, `wish` what
    is wanted instead.
    """

    skipped: bool = False
    declined: bool = False
    wish: str = ""


@dataclass(frozen=True)
class OverBudget:
    """Name a limit in cents that the cart is above."""

    limit: int


@dataclass(frozen=True)
class AskedAgain:
    """Leave a question of the machine open."""

    question: str


PastIntent = (
    Remember
    | Forget
    | ForgetAll
    | AskKnown
    | Reopen
    | AskPast
    | Advise
    | NoMatter
    | NoteBrief
    | GoOn
    | OverBudget
    | AskedAgain
)
