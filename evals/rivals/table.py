"""The table: one row a contender, each figure for the services in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from evals.rivals.cells import CONTENDERS, INSTANTS, Contender, Counts, Service, total
from evals.rivals.play import Verdict

_COLUMNS: Sequence[tuple[str, Callable[[Counts], str]]] = (
    ("done twice", lambda counts: str(counts.duplicates)),
    ("lost", lambda counts: str(counts.lost)),
    ("holds left", lambda counts: str(counts.holds_left)),
    ("approvals asked again", lambda counts: str(counts.approvals_again)),
    ("model asked again", lambda counts: str(counts.model_again)),
    ("doubts put to a person", lambda counts: str(counts.doubts)),
    ("finishes by itself", lambda counts: str(counts.by_itself)),
)

Rows = Sequence[Sequence[str]]


def rows_of(
    verdicts: Sequence[Verdict], versions: Mapping[str, str], missing: Mapping[str, str]
) -> Rows:
    """Make the lines of the table, its heading first, for all that were played or could not be.

    Args:
        versions: of packages, by their names.
        missing: why a contender could not be played, by its name.
    """
    heading = ["", "of", *(name for name, _ in _COLUMNS)]
    told = {one.cell.contender.name for one in verdicts} | missing.keys()
    some = [one for one in CONTENDERS if one.name in told]
    return [heading, *(_row(one, verdicts, versions, missing) for one in some)]


def _row(
    contender: Contender,
    verdicts: Sequence[Verdict],
    versions: Mapping[str, str],
    missing: Mapping[str, str],
) -> list[str]:
    if contender.name in missing:
        return [contender.name, missing[contender.name], *("-" for _ in _COLUMNS)]
    shown = ", ".join(f"{package} {versions[package]}" for package in contender.packages)
    sums = [
        total(
            one.counts
            for one in verdicts
            if one.cell.contender == contender
            and one.cell.service is service
            and one.cell.instant is not None
            and not one.wrong
        )
        for service in Service
    ]
    return [
        contender.name,
        shown,
        *(" / ".join(of(counts) if counts.runs else "-" for counts in sums) for _, of in _COLUMNS),
    ]


def caption(date: str) -> str:
    """Say how the figures are to be read.

    Args:
        date: of the run.
    """
    return (
        f"{date}: {len(INSTANTS)} kills each; {' / '.join(Service)}: a service that honours keys, "
        "one that does not, and one that performs late."
    )


def as_markdown(rows: Rows) -> str:
    """Write the table for the documentation."""
    heading, *rest = ([*row] for row in rows)
    lines = [heading, ["---"] * len(heading), *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
