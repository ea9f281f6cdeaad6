"""What a model call costs, and how much of its prompt was there before. Pure.

Prices in tokens, as providers of the kind charge: a token read from the cache a tenth, one written
to it five quarters, any other one. With explicit breakpoints what stands before the last one is
read or written and the rest is plain; with implicit caching all of the prompt is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile

READ, WRITE = 0.1, 1.25

LIFETIME = timedelta(minutes=30)
"""How long a provider's cache lives after it was used last."""


@dataclass(frozen=True)
class Asked:
    """One call of a model, as it went over the wire.

    Attributes:
        turn: of the script, from 1.
        tools: the schemas, written.
        messages: each written.
        sizes: tokens of the tools and of each message.
        ends: explicit breakpoints: the number of messages before each; None where there are none
            and caching is implicit.
        revision: of the cart when it was asked.
    """

    turn: int
    at: datetime
    tools: str
    messages: Sequence[str]
    sizes: Sequence[int]
    ends: Sequence[int] | None
    revision: int

    @property
    def tokens(self) -> int:
        """Return the tokens of the prompt, its tools included."""
        return sum(self.sizes)

    def before(self, messages: int) -> int:
        """Return the tokens of the tools and the first messages."""
        return sum(self.sizes[: messages + 1])


@dataclass(frozen=True)
class Priced:
    """What one call came to.

    Attributes:
        shared: tokens of the unchanged prefix of the call before; 0 when the cache was cold.
        cost: in plain tokens.
    """

    asked: Asked
    shared: int
    cost: float

    @property
    def hit(self) -> float:
        """Return the share of the prompt that was there before."""
        return self.shared / self.asked.tokens


def priced(calls: Sequence[Asked]) -> list[Priced]:
    """Price the calls of one thread, in order."""
    before: list[Asked | None] = [None, *calls[:-1]]
    return [_priced(call, last) for call, last in zip(calls, before, strict=True)]


def _priced(call: Asked, last: Asked | None) -> Priced:
    same = _same(call, last)
    shared = 0 if same is None else call.before(same)
    if call.ends is None:
        return Priced(call, shared, READ * shared + WRITE * (call.tokens - shared))
    head = call.before(call.ends[-1])
    ends = (last.ends or ()) if last and same is not None else ()
    read = max((call.before(end) for end in ends if same is not None and end <= same), default=0)
    return Priced(call, shared, READ * read + WRITE * (head - read) + call.tokens - head)


def _same(call: Asked, last: Asked | None) -> int | None:
    """Return how many messages are as they were; None where nothing is in the cache."""
    if last is None or call.at - last.at > LIFETIME or call.tools != last.tools:
        return None
    pairs = zip(call.messages, last.messages, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
