"""What a replay came to: tokens, hit, cost, stale, facts. Pure."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from evals.context.cost import Asked, Priced, priced
from evals.context.counting import text_of
from evals.context.facts import Stated

_REVISION = re.compile(r'"revision": ?(\d+)|^cart r(\d+) \(', re.MULTILINE)
"""How a snapshot of the cart begins: as JSON, and as compact lines."""

_LINE = re.compile(r"^\s*-? ?[A-Z]+-\d+ x\d+ @ ", re.MULTILINE)
"""A compact line of a cart, wherever it stands."""


@dataclass(frozen=True)
class Replay:
    """What one contender was asked.

    Attributes:
        budget: tokens that its prompts may take; None where it has none.
        asked: its model, call by call.
        aside: cost of calls beside those, such as for summaries, by turn.
    """

    name: str
    budget: int | None
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
        words: of what was said besides, and remembered by no call, how much stands there.
        spoken: said besides so far.
    """

    name: str
    budget: int | None
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
    words: int = 0
    spoken: int = 0


def figures(
    replay: Replay, facts: Sequence[Stated], marks: Sequence[int], words: Sequence[Stated] = ()
) -> Figures:
    """Take the figures up to the last mark.

    Args:
        facts: said up to then.
        marks: turns, the last one included.
        words: said up to then and remembered by no call.
    """
    until = marks[-1]
    calls = [one for one in priced(replay.asked) if one.asked.turn <= until]
    aside = [cost for turn, cost in replay.aside if turn <= until]
    total = sum(one.cost for one in calls) + sum(aside)
    last = calls[-1].asked
    text = "\n".join(map(text_of, last.messages)).lower()
    return Figures(
        name=replay.name,
        budget=replay.budget,
        tokens={mark: _at(calls, mark) for mark in marks},
        fixed=last.before(1),
        calls=len(calls) + len(aside),
        hit=statistics.mean(one.hit for one in calls),
        cost=total / (len(calls) + len(aside)),
        total=total,
        stale=statistics.mean(stale(one.asked) for one in calls),
        facts=sum(fact.value.lower() in text for fact in facts),
        said=len(facts),
        largest=max(one.asked.tokens for one in calls),
        words=sum(word.value.lower() in text for word in words),
        spoken=len(words),
    )


def stale(call: Asked) -> int:
    """Count the messages of a prompt that show the cart as it is no more."""
    return sum(_is_outdated(text_of(message), call.revision) for message in call.messages)


def _is_outdated(text: str, revision: int) -> bool:
    told = {int(json or lines) for json, lines in _REVISION.findall(text)}
    if told:
        return told != {revision}
    return _LINE.search(text) is not None


def _at(calls: Sequence[Priced], turn: int) -> int:
    return [one.asked.tokens for one in calls if one.asked.turn <= turn][-1]
