"""The result of a crash matrix: a table, and a JUnit file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from daybook.testing.cells import Cell
from daybook.testing.judge import Verdict
from daybook.testing.moments import INSTANTS, instant_of

_COUNTS: tuple[tuple[str, Callable[[Verdict], int]], ...] = (
    ("cells", lambda one: 1),
    ("kills", lambda one: one.kills),
    ("twice", lambda one: one.twice),
    ("lost", lambda one: one.lost),
    ("unreported", lambda one: one.unsaid),
    ("in doubt", lambda one: one.in_doubt),
    ("falsely undone", lambda one: one.falsely_undone),
    ("not as promised", lambda one: bool(one.wrong)),
)

ROWS = (
    "nothing goes wrong",
    *INSTANTS,
    "the successor is killed too",
    "suspended, and overtaken",
    "the provider fails",
    "the provider answers wrongly",
)


def row_of(cell: Cell) -> str:
    """Name the row in which a cell is counted."""
    match cell.blow:
        case "killed" if cell.moment is not None:
            return instant_of(cell.moment)
        case "performed" if cell.moment is not None:
            return "the successor is killed too"
        case "performed":
            return "done by the provider, before the reply"
        case "suspended":
            return "suspended, and overtaken"
        case "fault":
            return "the provider fails"
        case "lie":
            return "the provider answers wrongly"
        case _:
            return "nothing goes wrong"


@dataclass(frozen=True)
class Report:
    """Hold the verdicts of all cells."""

    verdicts: Sequence[Verdict]

    @property
    def ok(self) -> bool:
        """Tell whether nothing was done twice, lost, or left unreported."""
        return bool(self.verdicts) and not self.wrong

    @property
    def wrong(self) -> list[Verdict]:
        """Return the verdicts of the cells that were not as promised."""
        return [verdict for verdict in self.verdicts if verdict.wrong]

    def table(self) -> str:
        """Make a row of each provider and instant, and one of all, as Markdown."""
        rows = [("provider", "killed", *(title for title, _ in _COUNTS))]
        for provider in dict.fromkeys(one.cell.provider for one in self.verdicts):
            for row in ROWS:
                some = [
                    one
                    for one in self.verdicts
                    if (one.cell.provider, row_of(one.cell)) == (provider, row)
                ]
                if some:
                    rows.append((provider, row, *_sums(some)))
        rows.append(("all", "", *_sums(self.verdicts)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        head, *others = (_line(row, widths) for row in rows)
        rule = [":" + "-" * (widths[0] - 1), ":" + "-" * (widths[1] - 1)]
        rule += ["-" * (width - 1) + ":" for width in widths[2:]]
        return "\n".join([head, f"| {' | '.join(rule)} |", *others])

    def show(self) -> None:
        """Print the table, and each cell that was not as promised."""
        lines = [self.table()]
        for verdict in self.wrong:
            lines += [verdict.cell.name, *(f"  {why}" for why in verdict.wrong)]
        sys.stdout.write("\n".join([*lines, self.summary, ""]))

    @property
    def summary(self) -> str:
        """Say in a line what was run."""
        kills = sum(one.kills for one in self.verdicts)
        missed = sum(one.is_missed for one in self.verdicts)
        return (
            f"{len(self.verdicts)} cells, {kills} kills, {len(self.wrong)} cells not as promised; "
            f"{missed} kills found no moment."
        )

    def junit(self, file: Path) -> None:
        """Write a JUnit file, a test case for each cell."""
        suite = ElementTree.Element(
            "testsuite",
            name="daybook.crash_matrix",
            tests=str(len(self.verdicts)),
            failures=str(len(self.wrong)),
            skipped=str(sum(one.is_missed for one in self.verdicts)),
        )
        for one in self.verdicts:
            where = f"daybook.{one.cell.provider}.{one.cell.script}"
            case = ElementTree.SubElement(
                suite, "testcase", classname=where, name=one.cell.name, time=f"{one.seconds:.3f}"
            )
            if one.wrong:
                failure = ElementTree.SubElement(case, "failure", message=one.wrong[0])
                failure.text = "\n".join(one.wrong)
            elif one.is_missed:
                ElementTree.SubElement(case, "skipped", message="the moment was never reached")
        ElementTree.ElementTree(suite).write(file, encoding="utf-8", xml_declaration=True)

    def __str__(self) -> str:
        """Name each cell that was not as promised."""
        wrong = [f"{one.cell.name}: {why}" for one in self.wrong for why in one.wrong]
        return "\n".join([*wrong, self.summary])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    """Write a row; names to the left, counts to the right."""
    cells = [
        cell.ljust(width) if place < 2 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return f"| {' | '.join(cells)} |"


def _sums(some: Sequence[Verdict]) -> list[str]:
    return [f"{sum(count(one) for one in some):,}" for _, count in _COUNTS]
