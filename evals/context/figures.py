"""What a replay came to: tokens, hit, cost, stale, facts. Pure.

Tokens are those of o200k_base, of messages and tools as they go over the wire. Prices are in
tokens, as providers of the kind charge: a token read from the cache a tenth, one written to it five
quarters, any other one. With explicit breakpoints what stands before the last one is read or
written and the rest is plain; with implicit caching all of the prompt is written.
"""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import takewhile
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_openai.chat_models.base import _convert_message_to_dict
from rs_bpe.bpe import openai

from evals.context.script import Stated

_AROUND = 4
"""Tokens that the provider puts around a message: its role, its begin and its end."""

_TOKENISER = openai.o200k_base()


@lru_cache(maxsize=65_536)
def tokens(text: str) -> int:
    """Count the tokens of a text."""
    counted: int = _TOKENISER.count(text)
    return counted


def wire(message: BaseMessage) -> str:
    """Write a message as it goes over the wire; equal texts are equal messages."""
    return json.dumps(_convert_message_to_dict(message), ensure_ascii=False)


def wire_tools(tools: Sequence[Any]) -> str:
    """Write the schemas of tools as they go over the wire."""
    schemas = [convert_to_openai_tool(tool) for tool in tools]
    return json.dumps(schemas, ensure_ascii=False, separators=(",", ":"))


def message_tokens(written: str) -> int:
    """Count what a written message takes: its text and its calls, not the JSON around them."""
    message = json.loads(written)
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    return (
        _AROUND
        + tokens(text_of(written))
        + sum(_AROUND + tokens(call["name"]) + tokens(call["arguments"]) for call in calls)
    )


@lru_cache(maxsize=65_536)
def text_of(written: str) -> str:
    """Return the text of a written message."""
    content = json.loads(written).get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(block.get("text", "") for block in content)


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


_REVISION = re.compile(r'"revision": ?(\d+)|^cart r(\d+) \(', re.MULTILINE)
"""How a snapshot of the cart begins: as JSON, and as compact lines."""

_LINE = re.compile(r"^\s*-? ?[A-Z]+-\d+ x\d+ @ ", re.MULTILINE)
"""A compact line of a cart, wherever it stands."""


@dataclass(frozen=True)
class Replay:
    """What one contender was asked.

    Attributes:
        asked: its model, call by call.
        aside: cost of calls beside those, such as for summaries, by turn.
    """

    name: str
    asked: Sequence[Asked]
    aside: Sequence[tuple[int, float]] = ()


@dataclass(frozen=True)
class Figures:
    """The figures of a contender up to a turn.

    Attributes:
        tokens: of the last prompt of each of the marked turns.
        fixed: tokens of system text and tools.
        calls: of its model, summaries included.
        hit: mean share of a prompt that was there before.
        cost: per call, in plain tokens.
        total: of all calls.
        stale: outdated snapshots of the cart, mean per call.
        facts: of those said so far, how many stand in the last prompt.
        said: facts said so far.
        largest: prompt in tokens.
    """

    name: str
    tokens: dict[int, int]
    fixed: int
    calls: int
    hit: float
    cost: float
    total: float
    stale: float
    facts: int
    said: int
    largest: int


def figures(replay: Replay, facts: Sequence[Stated], marks: Sequence[int]) -> Figures:
    """Take the figures up to the last mark.

    Args:
        facts: said up to then.
        marks: turns, the last one included.
    """
    until = marks[-1]
    calls = [one for one in priced(replay.asked) if one.asked.turn <= until]
    aside = [cost for turn, cost in replay.aside if turn <= until]
    total = sum(one.cost for one in calls) + sum(aside)
    last = calls[-1].asked
    text = "\n".join(map(text_of, last.messages)).lower()
    return Figures(
        name=replay.name,
        tokens={m: [c.asked.tokens for c in calls if c.asked.turn <= m][-1] for m in marks},
        fixed=last.before(1),
        calls=len(calls) + len(aside),
        hit=statistics.mean(one.hit for one in calls),
        cost=total / (len(calls) + len(aside)),
        total=total,
        stale=statistics.mean(stale(one.asked) for one in calls),
        facts=sum(fact.value.lower() in text for fact in facts),
        said=len(facts),
        largest=max(one.asked.tokens for one in calls),
    )


def stale(call: Asked) -> int:
    """Count the messages of a prompt that show the cart as it is no more."""
    return sum(_is_outdated(text_of(message), call.revision) for message in call.messages)


def _is_outdated(text: str, revision: int) -> bool:
    told = {int(json or lines) for json, lines in _REVISION.findall(text)}
    if told:
        return told != {revision}
    return _LINE.search(text) is not None
