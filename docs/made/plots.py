"""Two plots, of figures that the pages hold: what a step costs, and the peers under kills."""

from __future__ import annotations

import re
from pathlib import Path

from docs.made.svg import bar, line, svg, text

_DOCS = Path(__file__).parents[1]
_STEPS = {
    "read": "read",
    "auto write": "write without approval",
    "approved write": "write with approval",
}
_WIDE, _LEFT, _HIGH = 884, 300, 20


def cost() -> str:
    """Plot the time of a step of Daybook as a multiple of create_agent's, from docs/cost.md."""
    rows = {(row[0], row[1]): row for row in _rows((_DOCS / "cost.md").read_text())}
    head = next(row for row in rows.values() if row[2:4] == ["1-50", "151-200"])
    found = [text(14, 24, "Time of a step, as a multiple of create_agent's", "head left")]
    ratios = [
        (f"{name}, steps {head[n]}", float(rows[step, "daybook"][n]) / float(peer[n]))
        for step, name in _STEPS.items()
        for peer in [rows[step, "create_agent"]]
        for n in (2, 3)
    ]
    scale = (_WIDE - _LEFT - 80) / max(ratio for _, ratio in ratios)
    for number, (name, ratio) in enumerate(ratios):
        y = 44 + number * (_HIGH + 8)
        found += [
            text(_LEFT - 10, y + 15, name, "right"),
            bar(_LEFT, y, ratio * scale, _HIGH, "bar"),
            text(_LEFT + ratio * scale + 8, y + 15, f"{ratio:.2f}", "left"),
        ]
    bottom = 44 + len(ratios) * (_HIGH + 8)
    found += [
        line((_LEFT + scale, 38), (_LEFT + scale, bottom), "dash"),
        text(_LEFT + scale, bottom + 16, "1.00: create_agent", "note"),
    ]
    return svg(_WIDE, bottom + 28, "Time of a step as a multiple of create_agent's", found)


def peers() -> str:
    """Plot how many effects were done twice in 13 crashes, from the table of the peers."""
    rows = _peers()
    title = "Effects done twice in 13 crashes"
    found = [
        text(14, 24, title, "head left"),
        bar(330, 13, 14, 14, "bad"),
        text(350, 25, "the provider ignores idempotency keys", "note left"),
        bar(610, 13, 14, 14, "other"),
        text(630, 25, "it honours them", "note left"),
    ]
    scale = (_WIDE - _LEFT - 60) / max(max(twice) for _, twice in rows)
    for number, (name, twice) in enumerate(rows):
        y = 44 + number * 36
        found.append(text(_LEFT - 10, y + 18, name.replace("`", ""), "right"))
        for (count, kind), top in zip(
            zip(twice, ("bad", "other"), strict=True), (y, y + 14), strict=True
        ):
            found += [
                bar(_LEFT, top, max(count * scale, 2), 12, kind),
                text(_LEFT + max(count * scale, 2) + 6, top + 10.5, str(count), "note left"),
            ]
    return svg(_WIDE, 54 + len(rows) * 36, title, found)


def _peers() -> list[tuple[str, tuple[int, int]]]:
    """Read the peers' table, wherever it stands: name, and done twice with keys ignored, honoured.

    What was measured in one of the two ways alone is left out.
    """
    for page in ("comparison.md", "evidence.md"):
        path = _DOCS / page
        rows = [*_rows(path.read_text())] if path.exists() else []
        heads = [n for n, row in enumerate(rows) if "13 crashes, blind / keyed" in "|".join(row)]
        if heads:
            return _twice(rows[heads[0] :])
    raise LookupError(
        "No page has a table of the peers with `13 crashes, blind / keyed` in its head"
    )


def _twice(rows: list[list[str]]) -> list[tuple[str, tuple[int, int]]]:
    head, *rows = rows
    at = next(n for n, cell in enumerate(head) if "13 crashes, blind / keyed" in cell)
    found = []
    for row in rows:
        if len(row) != len(head):
            break
        if counts := re.fullmatch(r"(\d+) / (\d+)", row[at]):
            found.append(
                (re.sub(r"[*`]|\(.*?\)", "", row[0]).strip(), (int(counts[1]), int(counts[2])))
            )
    return found


def _rows(page: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if line.startswith("|")
    ]
