"""What both matrices are made of: scripted decisions, verdicts, a run of cells, and its table."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import typer

from evals.model_server import calls_of, text_of
from evals.report import Screen, console, table

PLAYS = "evals.crash.player:play"

BUDGET = 1.0
"""Seconds that an attempt may take in these runs."""

Call = tuple[str, dict[str, Any]]


class AnyCell(Protocol):
    """A cell: it can be run alone by its name, and is counted in a row."""

    @property
    def name(self) -> str:
        """Name it."""

    @property
    def row(self) -> str:
        """Name the row in which it is counted."""


C = TypeVar("C", bound=AnyCell)


@dataclass(frozen=True)
class Verdict(Generic[C]):
    """What became of a cell.

    Attributes:
        counts: by what is counted.
        wrong: each promise that was broken, as a sentence.
    """

    cell: C
    counts: Mapping[str, int]
    wrong: Sequence[str]


def verdict_of(
    cell: C, counts: Mapping[str, int], promises: Iterable[tuple[bool, str]]
) -> Verdict[C]:
    """Make a verdict of counts, and of promises with whether each was broken."""
    return Verdict(cell, counts, [why for is_broken, why in promises if is_broken])


@dataclass
class Run(Generic[C]):
    """A run of cells: of those that were named, else of all.

    Attributes:
        columns: what is counted, in the order of the table.
        again: the command that runs a cell alone, but for its name.
        named: the cells that were named.
        wrong: what else is not as promised.
        says: what is printed behind the table.
    """

    columns: Sequence[str]
    again: str
    named: Sequence[C] = ()
    verdicts: list[Verdict[C]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    says: list[str] = field(default_factory=list)
    screen: Screen = field(default_factory=lambda: Screen("cells"))

    def tell(self, one: Verdict[C]) -> None:
        """Take a verdict."""
        self.verdicts.append(one)
        again = f"{self.again} --only {one.cell.name}"
        self.screen.advance(*(one.wrong and [again, *(f"  {why}" for why in one.wrong)]))

    def follow(self, running: Coroutine[Any, Any, None]) -> int:
        """Run it, print what it showed, and return the exit code."""
        is_whole, to = self.screen.follow(running), console()
        rows: dict[str, list[Verdict[C]]] = {}
        for one in self.verdicts:
            rows.setdefault(one.cell.row, []).append(one)
        rows["all"] = self.verdicts
        lines = [(row, *self._sums(of_it)) for row, of_it in rows.items()]
        to.print(table(("killed", "cells", *self.columns, "broken promises"), lines))
        for line in (*self.says, *self.wrong):
            to.print(line, soft_wrap=True, markup=False)
        is_wrong = any(one.wrong for one in self.verdicts) or bool(self.wrong)
        return int(is_wrong) if is_whole else 130

    def _sums(self, some: Sequence[Verdict[C]]) -> list[int]:
        sums = Counter[str]()
        for one in some:
            sums.update(one.counts)
        return [len(some), *(sums[name] for name in self.columns), sum(bool(o.wrong) for o in some)]


async def in_lanes(
    lanes: int, wanted: Iterable[C], run: Callable[[C], Coroutine[Any, Any, None]]
) -> None:
    """Run cells, so many at a time, each once."""
    free = asyncio.Semaphore(lanes)

    async def one(cell: C) -> None:
        async with free:
            await run(cell)

    async with asyncio.TaskGroup() as running:
        for cell in dict.fromkeys(wanted):
            running.create_task(one(cell))


def order_of(
    domain: str, thread: str, user: str, says: Sequence[str], where: Mapping[str, Any], **more: Any
) -> dict[str, Any]:
    """Write the order of a process that plays a cell (see `evals.crash.player`).

    Args:
        where: its environment, and the URL of who is bought from.
    """
    about = {"domain": domain, "thread": thread, "user": user, "says": says}
    return {**about, **where, "budget": BUDGET, "at": "", "begins": "", **more}


def cells_named(kind: Any, names: Sequence[str]) -> list[Any]:
    """Return the cells of these names.

    Raises:
        typer.BadParameter: one names none.
    """
    try:
        return [kind.parse(one) for one in names]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


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
        return {"role": "assistant", "content": results_in(since)[-1]}
    return calls_of([calls[done]])


def results_in(since: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the results of tools among messages."""
    return [text_of(one) for one in since if one["role"] == "tool"]
