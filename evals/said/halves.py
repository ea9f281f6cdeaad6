"""The answers of one half, true and false, and what is found in them."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias

from daybook.state.errors import ConfigurationError
from evals.said.answers import Answer, is_held_out
from evals.said.held import held
from evals.said.mutations import mutated
from evals.said.recorded import recorded
from evals.said.written import written
from evals.tau_retail.data import find

Half: TypeAlias = Literal["looked_at", "held_out"]

_FIRST = {"looked_at": 0, "held_out": 5_000}
"""The first seed of the conversations of a half."""


@dataclass(frozen=True)
class Counted:
    """How many answers of a half there are, and in how many something is found, by their ways.

    Attributes:
        without: why recorded runs are not among them, or "".
        failed: true ones that would be altered and false ones that pass, each with what was found.
    """

    true: Counter[str]
    altered: Counter[str]
    false: Counter[str]
    caught: Counter[str]
    without: str
    failed: tuple[str, ...]


def counted(half: Half, conversations: int, seed: int) -> Counted:
    """Hold all answers of a half against what is known.

    Args:
        conversations: to be held with the embedded model.
        seed: of what is made false, and how.
    """
    ours = asyncio.run(held(_FIRST[half], conversations))
    without, theirs = "", list[Answer]()
    try:
        runs = recorded(find())
        theirs = [one for one in runs if is_held_out(one.about) is (half == "held_out")]
    except ConfigurationError as error:
        without = f"Without recorded runs: {error}"
    by_hand = list(written(half))
    true = [*ours, *theirs, *(one for one in by_hand if one.is_true)]
    chance = random.Random(seed)
    false = [
        *(made for one in (*ours, *theirs) if not one.untrue for made in mutated(one, chance)),
        *(one for one in by_hand if not one.is_true),
    ]
    failed = [one for one in true if one.untrue] + [one for one in false if not one.untrue]
    return Counted(
        Counter(one.way for one in true),
        Counter(one.way for one in true if one.untrue),
        Counter(one.way for one in false),
        Counter(one.way for one in false if one.untrue),
        without,
        tuple(map(_shown, failed)),
    )


def _shown(one: Answer) -> str:
    found = [f"  => {wrong.text.strip()}: {wrong.so}" for wrong in one.untrue]
    return "\n".join([f"--- {one.is_true} {one.way} {one.about}", one.text, *found])
