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


_PROVIDERS = {
    "blind": ("it ignores keys", "bad"),
    "late": ("ignores keys, is late", "late"),
    "keys": ("it honours keys", "other"),
}
"""By the word in the head of the peers' table: how a provider behaves, and its colour."""


def peers() -> str:
    """Plot how often effects were done twice in 13 crashes, from the table of the peers."""
    rows = _peers()
    title = "Effects done twice in 13 crashes, by what the provider does"
    kinds = [one for one in _PROVIDERS if any(one in counts for _, counts in rows)]
    found = [text(14, 24, title, "head left")]
    for number, kind in enumerate(kinds):
        x = _LEFT + 170 * number
        words, colour = _PROVIDERS[kind]
        found += [bar(x, 36, 12, 12, colour), text(x + 18, 47, words, "note left")]
    scale = (_WIDE - _LEFT - 60) / max(max(counts.values()) for _, counts in rows)
    y = 60
    for name, counts in rows:
        high = 14 * len(counts)
        found.append(text(_LEFT - 10, y + high / 2 + 4, name, "right"))
        for number, kind in enumerate(one for one in kinds if one in counts):
            wide, top = max(counts[kind] * scale, 2), y + 14 * number
            found += [
                bar(_LEFT, top, wide, 12, _PROVIDERS[kind][1]),
                text(_LEFT + wide + 6, top + 10.5, str(counts[kind]), "note left"),
            ]
        y += high + 8
    return svg(_WIDE, y, title, found)


def _peers() -> list[tuple[str, dict[str, int]]]:
    """Read the peers' table, wherever it stands: a name, and what was done twice by provider.

    Raises:
        LookupError: no page has it.
    """
    for page in ("evidence.md", "comparison.md"):
        path = _DOCS / page
        rows = [*_rows(path.read_text())] if path.exists() else []
        for number, head in enumerate(rows):
            for column, cell in enumerate(head):
                if re.search("13 crashes.*/", cell):
                    return _twice(rows[number:], column)
    raise LookupError("No page has a table with a column of what was repeated in 13 crashes")


def _twice(rows: list[list[str]], column: int) -> list[tuple[str, dict[str, int]]]:
    head, _, *rows = rows
    kinds = re.findall("blind|late|key", head[column])
    found = []
    for row in rows:
        if len(row) != len(head):
            break
        cells = zip(kinds, row[column].split(" / "), strict=True) if "/" in row[column] else ()
        counts = {kind.replace("key", "keys"): int(cell) for kind, cell in cells if cell != "-"}
        name = re.sub(r" \(.*?\)|[*`†]", "", row[0]).strip()
        if len(counts) > 1:
            found.append((name, counts))
    return found


def _rows(page: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if line.startswith("|")
    ]
