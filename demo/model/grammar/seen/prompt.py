"""Read the prompt: what stands under "# Now", the turns before, and this turn so far."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from daybook.demo.model.grammar.seen.digest import HEAD, Digest, Known, known_in, read_digest
from daybook.demo.model.wire import Message

_HANDED_OVER: Final = "[handed over"
"""Begins what stands in the place of a message where the work was handed over within a turn."""

_LINE: Final = re.compile(r"^  (\S+) x(\d{1,6}) @ (\d+\.\d\d) = (\d+\.\d\d) \| (.*)$")
_TAIL: Final = "# Now"
_CART: Final = re.compile(r"^cart r\d+ \(([A-Z]{3})\):")


@dataclass(frozen=True)
class Line:
    """One line of the cart; prices as they are written, without the currency."""

    sku: str
    quantity: int
    each: str
    price: str
    name: str


@dataclass(frozen=True)
class Order:
    """One order of the user as the tail names it."""

    order_id: str
    status: str
    total: str


@dataclass(frozen=True)
class Now:
    """The volatile tail of the prompt: the truth about cart, orders and flow."""

    flow: str = ""
    user: str = ""
    currency: str = "USD"
    cart: tuple[Line, ...] = ()
    total: str = ""
    removed: Mapping[str, str] = field(default_factory=dict)  # sku -> name
    orders: tuple[Order, ...] = ()
    pending: str = ""
    superseded: frozenset[str] = frozenset()  # handles of reads that are out of date
    owner: str = ""
    brief: str = ""
    news: tuple[Known, ...] = ()  # what is known of the person from elsewhere, and new


@dataclass(frozen=True)
class Call:
    """A call that was made, and its result."""

    tool: str
    args: Mapping[str, Any]
    result: str

    @property
    def handle(self) -> str:
        """Return the handle that the result of a read begins with."""
        return self.result.partition(" ")[0]


@dataclass
class Turn:
    """What a user said, the calls that followed, and the answer ("" while there is none).

    Where the prompt begins in the middle of a turn, what the user said is not in it.
    """

    text: str
    calls: list[Call] = field(default_factory=list)
    decisions: int = 0
    answer: str = ""


@dataclass(frozen=True)
class Prompt:
    """All that the model knows."""

    now: Now
    past: tuple[Turn, ...]
    turn: Turn
    digest: Digest = field(default_factory=Digest)
    system: str = ""


def read_prompt(messages: Sequence[Message]) -> Prompt:
    """Read a prompt; what is missing in it is empty, what is unknown is left out."""
    instructions = [m.text for m in messages if m.role in ("system", "developer")]
    tail = next((text for text in reversed(instructions) if text.startswith(_TAIL)), "")
    digest = next((text for text in instructions if text.startswith(HEAD)), "")
    turns = _turns(messages)
    current = turns.pop() if turns else Turn("")
    return Prompt(
        read_now(tail),
        tuple(turns),
        current,
        read_digest(digest),
        next(iter(instructions), ""),
    )


def read_now(tail: str) -> Now:
    """Read the text of the last zone, line by line."""
    currency = "USD"
    lines: list[Line] = []
    named: dict[str, str] = {}
    for line in tail.split("\n"):
        row, cart = _LINE.match(line), _CART.match(line)
        if row:
            lines.append(Line(row[1].upper(), int(row[2]), row[3], row[4], row[5]))
        elif cart:
            currency = cart[1]
        elif ": " in line and not line.startswith(" "):
            name, _, value = line.partition(": ")
            named.setdefault(name, "" if value.strip() == "none" else value.strip())
    return Now(
        flow=named.get("flow", ""),
        user=named.get("user", ""),
        currency=currency,
        cart=tuple(lines),
        total=named.get("total", ""),
        removed=_removed(named.get("removed", "")),
        orders=_orders(named.get("orders", "")),
        pending=named.get("pending", ""),
        superseded=frozenset(named.get("superseded", "").split()),
        owner=named.get("owner", ""),
        brief=named.get("brief", ""),
        news=_news(named.get("facts since", "")),
    )


def question_of(turn: Turn) -> str:
    """Return the last line of a turn's answer: where the model asks, it asks there."""
    return turn.answer.strip().split("\n")[-1].strip()


def _removed(text: str) -> dict[str, str]:
    # A name may hold "; " itself: an entry begins where a sku and the separator stand.
    entries = re.split(r"; (?=[A-Za-z]+-\d+ \| )", text)
    pairs = (entry.partition(" | ") for entry in entries)
    return {sku.strip().upper(): name for sku, _, name in pairs if name}


def _orders(text: str) -> tuple[Order, ...]:
    parts = (entry.split(" ", 2) for entry in text.split("; "))
    return tuple(Order(p[0].upper(), p[1], p[2]) for p in parts if len(p) == 3)


def _news(text: str) -> tuple[Known, ...]:
    # A value may hold "; " itself: an entry begins where a subject and the separator stand.
    entries = re.split(r"; (?=[^:;]{1,60}: )", text)
    return tuple(known for entry in entries for known in known_in(entry))


def _without_runs(text: str) -> str:
    """Leave two of a row of line ends, one of a row of blanks, and three of a row of one sign.

    Rows of hundreds, as they stand in what is pasted, kept the readers busy for minutes.
    """
    return _SIGNS.sub(r"\1\1\1", _LINE_ENDS.sub("\n\n", _BLANKS.sub(" ", text)))


_BLANKS: Final = re.compile(r"[^\S\n]{2,}")
_SIGNS: Final = re.compile(r"([^\w\s])(?:\s?\1){3,}")
_LINE_ENDS: Final = re.compile(r"\s*\n\s*\n\s*")


def _turns(messages: Iterable[Message]) -> list[Turn]:
    turns: list[Turn] = []
    made: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for message in messages:
        match message.role:
            case "user":
                handed = message.text.startswith(_HANDED_OVER)
                turns.append(Turn("" if handed else _without_runs(message.text)))
                made = {}
            case "assistant":
                if not turns:
                    turns.append(Turn(""))
                calls = {
                    one.id: (one.function.name, args)
                    for one in message.tool_calls or ()
                    if (args := one.args) is not None
                }
                made |= calls
                turns[-1].decisions += bool(calls)
                turns[-1].answer = message.text if not calls else turns[-1].answer
            case "tool" if message.tool_call_id in made:
                turns[-1].calls.append(Call(*made[message.tool_call_id], message.text))
    return turns
