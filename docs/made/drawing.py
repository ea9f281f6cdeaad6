"""The picture of the states of a step: where they stand is chosen here, the arrows are the table's.

A move that leaves a step where it is, because evidence is always kept, has no arrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot

from daybook.state.ledger.recovery import TABLE, TERMINAL, Event, StepState

PLACES: dict[StepState, tuple[int, int]] = {
    StepState.INTENDED: (90, 220),
    StepState.UNKNOWN: (340, 220),
    StepState.DONE: (640, 220),
    StepState.UNDOING: (890, 220),
    StepState.UNDONE: (1110, 220),
    StepState.NEGATIVE: (490, 60),
    StepState.VOID: (90, 390),
    StepState.IN_DOUBT: (490, 390),
    StepState.STUCK: (1000, 390),
}
"""Where the middle of each state's box is, in pixels."""

_WIDE, _HIGH = 110, 44
_APART = 8
"""How far two arrows between the same boxes are from the line between them."""

_S = StepState
WORDS: dict[tuple[StepState, StepState], tuple[int, int]] = {
    (_S.INTENDED, _S.VOID): (140, 333),
    (_S.UNKNOWN, _S.DONE): (442, 213),
    (_S.UNKNOWN, _S.IN_DOUBT): (364, 305),
    (_S.IN_DOUBT, _S.UNKNOWN): (440, 262),
    (_S.DONE, _S.IN_DOUBT): (544, 262),
    (_S.IN_DOUBT, _S.DONE): (636, 320),
    (_S.NEGATIVE, _S.IN_DOUBT): (456, 172),
    (_S.UNDOING, _S.STUCK): (885, 305),
    (_S.STUCK, _S.UNDOING): (1000, 262),
    (_S.STUCK, _S.UNDONE): (1094, 318),
}
"""Where the last word on an arrow stands, for those whose middle is crossed by others."""

_ASKED = {StepState.IN_DOUBT, StepState.STUCK}
"""States in which a person is asked."""

_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1b2430; text-anchor: middle }
  .name { font-weight: 600; font-size: 14px }
  .why { font-size: 12px; fill: #3d4b5c; paint-order: stroke; stroke: #fff; stroke-width: 4px }
  rect { fill: #eef3f9; stroke: #5b6f86 }
  .over { fill: #f0f0ee; stroke: #8a8a84 }
  .asked { fill: #fdf1d8; stroke: #a97912 }
  path { fill: none; stroke: #5b6f86; stroke-width: 1.4 }
"""


@dataclass(frozen=True)
class Arrow:
    """Hold one arrow: from where, to where, and the events that take a step along it."""

    begin: StepState
    end: StepState
    events: tuple[Event, ...]


def arrows() -> list[Arrow]:
    """Return the moves of the table that change a state, or try again, one for each two states."""
    found: dict[tuple[StepState, StepState], list[Event]] = {}
    for row in TABLE:
        if row.state is not None and (row.state is not row.next or _tries_again(row.event)):
            found.setdefault((row.state, row.next), []).append(row.event)
    return [Arrow(begin, end, tuple(events)) for (begin, end), events in found.items()]


def drawing() -> str:
    """Draw the states of a step as SVG."""
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 440" role="img" '
        'aria-label="The states of a step and the events between them">',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" style="fill:#5b6f86"/></marker>'
        "</defs>",
        '<rect width="1200" height="440" style="fill:#fff;stroke:none"/>',
        '<path d="M10 220H31" marker-end="url(#head)"/>',
        *(line for arrow in arrows() for line in _drawn(arrow)),
        *(line for state in StepState for line in _box(state)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _tries_again(event: Event) -> bool:
    return event in (Event.ATTEMPTED, Event.UNDO_ATTEMPTED)


def _box(state: StepState) -> Iterator[str]:
    x, y = PLACES[state]
    kind = "over" if state in TERMINAL else "asked" if state in _ASKED else "way"
    yield (
        f'<rect class="{kind}" x="{x - _WIDE // 2}" y="{y - _HIGH // 2}" width="{_WIDE}" '
        f'height="{_HIGH}" rx="6"/>'
    )
    yield f'<text class="name" x="{x}" y="{y + 5}">{state.value}</text>'


def _drawn(arrow: Arrow) -> Iterator[str]:
    words = [event.value for event in arrow.events]
    if arrow.begin is arrow.end:
        x, y = PLACES[arrow.begin]
        top = y - _HIGH // 2
        yield (
            f'<path d="M{x - 30} {top} C{x - 40} {top - 40} {x} {top - 40} {x - 8} {top - 1}" '
            'marker-end="url(#head)"/>'
        )
        yield from _label(words, x - 24, top - 36)
        return
    (x1, y1), (x2, y2) = _ends(arrow)
    yield f'<path d="M{x1:.0f} {y1:.0f}L{x2:.0f} {y2:.0f}" marker-end="url(#head)"/>'
    middle = (x1 + x2) / 2, (y1 + y2) / 2 + (-7 if y1 == y2 else 4)
    yield from _label(words, *WORDS.get((arrow.begin, arrow.end), middle))


def _label(words: Sequence[str], x: float, y: float) -> Iterator[str]:
    for number, word in enumerate(reversed(words)):
        yield f'<text class="why" x="{x:.0f}" y="{y - 14 * number:.0f}">{word}</text>'


def _has_return(arrow: Arrow) -> bool:
    return any(one.begin is arrow.end and one.end is arrow.begin for one in arrows())


def _normal(arrow: Arrow) -> tuple[float, float]:
    """Return the direction at right angles to an arrow, to its right, of length 1."""
    (x1, y1), (x2, y2) = PLACES[arrow.begin], PLACES[arrow.end]
    far = hypot(x2 - x1, y2 - y1)
    return -(y2 - y1) / far, (x2 - x1) / far


def _ends(arrow: Arrow) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return where an arrow leaves its first box and where it meets the second one."""
    begin, end = PLACES[arrow.begin], PLACES[arrow.end]
    right, up = _normal(arrow)
    aside = _APART if _has_return(arrow) else 0
    shift = (right * aside, up * aside)
    return _border(begin, (up, -right), shift), _border(end, (-up, right), shift)


def _border(
    middle: tuple[float, float], towards: tuple[float, float], shift: tuple[float, float]
) -> tuple[float, float]:
    """Return where a line that passes a box's middle at a distance leaves the box."""
    sides = (_WIDE / 2, _HIGH / 2)
    far = min(
        (side - (by if to > 0 else -by)) / abs(to)
        for side, by, to in zip(sides, shift, towards, strict=True)
        if abs(to) > 1e-9
    )
    x, y = (m + by + to * far for m, by, to in zip(middle, shift, towards, strict=True))
    return x, y
