"""Small SVG parts that are readable on light and on dark pages: boxes, words, arrows, bars."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_STYLE = """
  svg { background: #fff }
  text { font: 13px system-ui, sans-serif; fill: #1b2430; text-anchor: middle }
  .head { font-weight: 600; font-size: 14px }
  .note { font-size: 12px; fill: #4a5868 }
  .left { text-anchor: start }
  .right { text-anchor: end }
  rect { fill: #eef3f9; stroke: #5b6f86 }
  .ours { fill: #dff1ec; stroke: #10705e }
  .bar { fill: #10705e; stroke: none }
  .other { fill: #8a97a8; stroke: none }
  .bad { fill: #c0392b; stroke: none }
  .late { fill: #d08a1d; stroke: none }
  .fail { fill: #b3261e; font-weight: 600 }
  path { fill: none; stroke: #5b6f86; stroke-width: 1.5 }
  .dash { stroke-dasharray: 5 4 }
  .cut { stroke: #b3261e; stroke-width: 2.5 }
  #head path { fill: #5b6f86; stroke: none }
  @media (prefers-color-scheme: dark) {
    svg { background: #1d2127 }
    text { fill: #e8ecf1 }
    .note { fill: #aeb9c6 }
    rect { fill: #2a323c; stroke: #8fa2b8 }
    .ours { fill: #173d36; stroke: #55bfa6 }
    .bar { fill: #55bfa6 }
    .other { fill: #77879a }
    .bad { fill: #f0776b }
    .late { fill: #e5b45c }
    .fail { fill: #f0776b }
    path { stroke: #8fa2b8 }
    .cut { stroke: #f0776b }
    #head path { fill: #8fa2b8 }
  }
"""


def svg(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """Return a whole picture; its title is what a screen reader says."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(title)}">',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>',
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def text(x: float, y: float, words: str, kind: str = "") -> str:
    """Write words with their base line at a height."""
    return f'<text{_kind(kind)} x="{x:g}" y="{y:g}">{escape(words)}</text>'


def box(x: int, y: int, width: int, height: int, lines: Iterable[str], kind: str = "") -> str:
    """Draw a box with its first line as a heading and the others below."""
    head, *notes = lines
    middle, top = x + width / 2, y + (height - 17 * len(notes)) / 2 + 5
    return "\n".join(
        [
            f'<rect{_kind(kind)} x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>',
            text(middle, top, head, "head"),
            *(text(middle, top + 17 * (n + 1), note, "note") for n, note in enumerate(notes)),
        ]
    )


def arrow(*points: tuple[float, float], kind: str = "", both: bool = False) -> str:
    """Draw an arrow through points."""
    way = "L".join(f"{x:g} {y:g}" for x, y in points)
    start = ' marker-start="url(#head)"' if both else ""
    return f'<path{_kind(kind)} d="M{way}"{start} marker-end="url(#head)"/>'


def line(begin: tuple[float, float], end: tuple[float, float], kind: str = "") -> str:
    """Draw a line."""
    return f'<path{_kind(kind)} d="M{begin[0]:g} {begin[1]:g}L{end[0]:g} {end[1]:g}"/>'


def bar(x: float, y: float, width: float, height: int, kind: str) -> str:
    """Draw a horizontal bar."""
    return f'<rect{_kind(kind)} x="{x:g}" y="{y:g}" width="{width:g}" height="{height}"/>'


def _kind(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
