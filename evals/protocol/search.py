"""Search a case whole, breadth first, and hold every state and every page against the promise."""

from __future__ import annotations

import gc
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from daybook.state.errors import IllegalTransition

What: TypeAlias = tuple[Any, ...]


class Searched(Protocol):
    """Tell what can happen, as things with `what` happened and the `world` after it; and judge."""

    def first(self) -> Any:
        """Return the first state."""

    def next(self, world: Any) -> Iterable[Any]:
        """Return everything that can happen."""

    def is_asking(self, world: Any) -> bool:
        """Tell whether a person is asked."""

    def is_at_rest(self, world: Any) -> bool:
        """Tell whether nothing is left to do or to arrive."""

    def wrong_state(self, world: Any) -> str | None:
        """Say what a state breaks."""

    def wrong_page(self, before: Any, happened: Any) -> str | None:
        """Say what a page breaks that was written just now."""


@dataclass
class Found:
    """Hold what a search found.

    Attributes:
        asking: states in which a person is asked.
        at_rest: states in which nothing is left to do and nothing can arrive any more.
        longest: how far the farthest state is from the first.
        wrong: what does not hold; nothing where all holds.
        trace: the shortest way there.
    """

    states: int = 0
    moves: int = 0
    asking: int = 0
    at_rest: int = 0
    longest: int = 0
    wrong: str = ""
    trace: tuple[What, ...] = ()

    def __str__(self) -> str:
        """Write what does not hold with its trace."""
        return "\n".join([self.wrong, *(f"  {n}. {what}" for n, what in enumerate(self.trace, 1))])


def search(model: Searched, most: int = 5_000_000) -> Found:
    """Visit every state, and stop at the first thing that does not hold.

    Args:
        most: a case with more states than that is refused.
    """
    # Millions of tuples that live until the end: looking for cycles among them takes a third more.
    gc.disable()
    try:
        return _Search(model, most).run()
    finally:
        gc.enable()


class _Search:
    """Keep what was visited: worlds by number, and how each was reached first."""

    def __init__(self, model: Searched, most: int) -> None:
        self.model, self.most, self.found = model, most, Found()
        first = model.first()
        self.numbers: dict[Hashable, int] = {first: 0}
        self.worlds = [first]
        self.came: list[tuple[int, What]] = [(0, ())]
        self.leads: list[list[int]] = [[]]
        self.resting: list[int] = []

    def run(self) -> Found:
        for number, world in enumerate(self.worlds):
            try:
                self._visit(number, world)
            except IllegalTransition as error:
                self._wrong(f"a page is refused: {error}", number)
            if self.found.wrong:
                break
        else:
            self._hold_that_it_comes_to_rest()
        self.found.states = len(self.worlds)
        self.found.longest = len(self._trace(len(self.worlds) - 1))
        return self.found

    def _visit(self, number: int, world: Any) -> None:
        model = self.model
        assert len(self.worlds) <= self.most, f"more than {self.most} states: search less"
        self.found.asking += model.is_asking(world)
        if model.is_at_rest(world):
            self.resting.append(number)
            self.found.at_rest += 1
        if why := model.wrong_state(world):
            self._wrong(why, number)
        for happened in model.next(world):
            self.found.moves += 1
            if why := model.wrong_page(world, happened):
                self._wrong(why, number, happened.what)
            after = self.numbers.setdefault(happened.world, len(self.worlds))
            if after == len(self.worlds):
                self.worlds.append(happened.world)
                self.came.append((number, happened.what))
                self.leads.append([])
            self.leads[after].append(number)

    def _hold_that_it_comes_to_rest(self) -> None:
        reached, queue = set(self.resting), self.resting
        while queue:
            queue = [b for after in queue for b in self.leads[after] if b not in reached]
            reached.update(queue)
        never = next((n for n, _ in enumerate(self.worlds) if n not in reached), None)
        if never is not None:
            self._wrong("it never comes to rest from here", never)

    def _wrong(self, why: str, number: int, *more: What) -> None:
        if not self.found.wrong:
            self.found.wrong, self.found.trace = why, (*self._trace(number), *more)

    def _trace(self, number: int) -> list[What]:
        trace = []
        while number:
            number, what = self.came[number]
            trace.append(what)
        return trace[::-1]
