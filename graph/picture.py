"""The graph's picture: every way from node to node, the main path before the exceptions.

Whoever lays a graph out begins with its first edges: in the order of the nodes its main path runs
from top to bottom. Studio draws every edge by itself. Our own drawing, in Mermaid, has one arrow
for the ways there and back, and lists the exceptions that would cross the main path beside the node
that they leave.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from langchain_core.runnables.graph import Graph
from langgraph.graph import END, START

Edge = tuple[str, str]

USUAL: Mapping[str, tuple[str, ...]] = {
    START: ("receive",),
    "receive": ("decide",),
    "decide": ("compact", "look", "change", "intend", "respond"),
    "compact": ("decide",),
    "look": ("change", "intend", "decide"),
    "change": ("look", "intend", "decide"),
    "intend": ("approve", "decide"),
    "approve": ("execute",),
    "execute": ("decide",),
    "respond": (END,),
}
"""Where a turn goes that nothing cuts short and nobody holds up."""

BESIDE: Mapping[str, tuple[str, ...]] = {
    "approve": ("approve",),
    "execute": ("doubt", "park"),
    "doubt": ("execute", "doubt"),
    "park": (END,),
}
"""Exceptions that are drawn, as dotted arrows: those that keep clear of the main path."""

_ALIKE, _BOX = ("look", "change"), "calls"
"""Nodes that are entered and left alike: an arrow at their box is one at each of them."""

_IDS, _TEXTS = {START: "begin", END: "over"}, {START: "begin", END: "end"}
"""`end` is a word of Mermaid's own."""

_SETTINGS = "---\nconfig:\n  flowchart:\n    wrappingWidth: 400\n---"
"""Wide enough for a line of a list."""

_HIGH = 3
"""Lines of a list that are as high as a node and its arrow."""


@dataclass(frozen=True)
class _Arrow:
    source: str
    target: str
    why: str
    back: str | None
    is_usual: bool

    def __str__(self) -> str:
        begin = "" if self.back is None else "<"
        line = "-->" if self.is_usual else "-.->"
        words = " / ".join(dict.fromkeys(filter(None, (self.why, self.back))))
        label = f'|"{words}"|' if words else ""
        return f"{_id(self.source)} {begin}{line}{label} {_id(self.target)}"


def in_order(drawn: Graph) -> Graph:
    """Bring a graph's edges into the order of its nodes."""
    place = {name: at for at, name in enumerate(drawn.nodes)}
    drawn.edges.sort(key=lambda edge: (place[edge.source], place[edge.target]))
    return drawn


def mermaid(drawn: Graph) -> str:
    """Write a graph's picture as Mermaid: its nodes, the arrows, and where else each node leads."""
    whys = {(edge.source, edge.target): str(edge.data or "") for edge in drawn.edges}
    arrows = sorted(_arrows(whys), key=lambda arrow: not arrow.is_usual)
    lines = [*_nodes(drawn), *map(str, arrows), *_lists(whys)]
    return "\n".join([_SETTINGS, "flowchart TD", *(f"    {line}" for line in lines)])


def _nodes(drawn: Graph) -> Iterator[str]:
    for name in drawn.nodes:
        if name in _TEXTS:
            yield f"{_id(name)}([{_TEXTS[name]}])"
        elif name not in _ALIKE:
            yield name
        elif name == _ALIKE[0]:
            yield from (f'subgraph {_BOX} [" "]', *(f"    {one}" for one in _ALIKE), "end")


def _arrows(whys: Mapping[Edge, str]) -> list[_Arrow]:
    """Draw what is usual, what leads back there, and what keeps clear of it."""
    ways: dict[Edge, list[str]] = {}
    usual: set[Edge] = set()
    for (source, target), why in whys.items():
        if not _is_drawn((source, target)):
            continue
        ends = (source, target)
        if not set(ends) <= set(_ALIKE):
            ends = (_boxed(source), _boxed(target))
        ways.setdefault(ends, []).append(why)
        if _is_in((source, target), USUAL):
            usual.add(ends)
    arrows: dict[Edge, _Arrow] = {}
    for ends, there in ways.items():
        again = ends[::-1]
        if again in arrows and ends != again:
            continue
        back = _words(ways[again]) if again in ways and ends != again else None
        arrows[ends] = _Arrow(*ends, _words(there), back, not usual.isdisjoint((ends, again)))
    return list(arrows.values())


def _lists(whys: Mapping[Edge, str]) -> Iterator[str]:
    """List the other exceptions beside the nodes that they leave."""
    others: dict[str, list[str]] = {}
    for (source, target), why in whys.items():
        if not _is_drawn((source, target)):
            others.setdefault(source, []).append(f"{why}: {_TEXTS.get(target, target)}")
    for source, ways in others.items():
        lines = [", ".join(ways[at : at + 2]) for at in range(0, len(ways), 2)]
        # A high box stands further down: it would hide the arrows beside it.
        arrow = "-..->" if len(lines) > _HIGH else "-.->"
        yield f'{source} {arrow} from_{source}>"{"<br>".join(lines)}"]'


def _is_drawn(edge: Edge) -> bool:
    source, target = edge
    return _is_in(edge, USUAL) or _is_in((target, source), USUAL) or _is_in(edge, BESIDE)


def _is_in(edge: Edge, table: Mapping[str, tuple[str, ...]]) -> bool:
    source, target = edge
    return target in table.get(source, ())


def _boxed(name: str) -> str:
    return _BOX if name in _ALIKE else name


def _id(name: str) -> str:
    return _IDS.get(name, name)


def _words(whys: list[str]) -> str:
    return ", ".join(dict.fromkeys(whys))
