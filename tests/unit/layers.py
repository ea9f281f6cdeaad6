"""How many arrows cross in a picture: it is laid out in layers, as Mermaid and Studio do it.

Cycles are broken by a walk from the first node, layers are the longest way from the top, long arrows
get a bend in each layer, and the order within the layers is improved by the median of neighbours
(Sugiyama's way, of which dagre is one form).
"""

from collections.abc import Sequence
from itertools import combinations, pairwise
from statistics import median_low

Edge = tuple[str, str]
Spot = str | tuple[int, int]
"""A node, or the bend of an arrow in a layer."""

_SWEEPS = 24


def crossings(nodes: Sequence[str], edges: Sequence[Edge]) -> int:
    """Count how often arrows cross when a graph is drawn from top to bottom.

    Args:
        nodes: in the order in which the picture has them.
        edges: one for each arrow, in that order too.
    """
    down = _without_cycles(nodes, [edge for edge in edges if edge[0] != edge[1]])
    layer = _layers(nodes, down)
    rows: list[list[Spot]] = [[] for _ in range(max(layer.values()) + 1)]
    for name in nodes:
        rows[layer[name]].append(name)
    between: list[list[tuple[Spot, Spot]]] = [[] for _ in rows]
    for number, (source, target) in enumerate(down):
        bends: list[Spot] = [(number, at) for at in range(layer[source] + 1, layer[target])]
        for at, bend in enumerate(bends, layer[source] + 1):
            rows[at].append(bend)
        for at, ends in enumerate(pairwise([source, *bends, target]), layer[source]):
            between[at].append(ends)
    return _fewest(rows, between)


def _without_cycles(nodes: Sequence[str], edges: Sequence[Edge]) -> list[Edge]:
    """Turn the edges round that lead back to where a walk along the edges came from."""
    seen: set[str] = set()
    turned: set[Edge] = set()

    def walk(name: str, behind: frozenset[str]) -> None:
        seen.add(name)
        for source, target in edges:
            if source == name and target in behind:
                turned.add((source, target))
            elif source == name and target not in seen:
                walk(target, behind | {target})

    for name in nodes:
        if name not in seen:
            walk(name, frozenset({name}))
    return [(t, s) if (s, t) in turned else (s, t) for s, t in edges]


def _layers(nodes: Sequence[str], down: Sequence[Edge]) -> dict[str, int]:
    layer = dict.fromkeys(nodes, 0)
    for _ in nodes:
        for source, target in down:
            layer[target] = max(layer[target], layer[source] + 1)
    return layer


def _fewest(rows: list[list[Spot]], between: list[list[tuple[Spot, Spot]]]) -> int:
    fewest = _crossed(rows, between)
    for sweep in range(_SWEEPS):
        _sort(rows, between, downwards=sweep % 2 == 0)
        fewest = min(fewest, _crossed(rows, between))
    return fewest


def _sort(
    rows: list[list[Spot]], between: list[list[tuple[Spot, Spot]]], *, downwards: bool
) -> None:
    """Put each spot where the median of its neighbours in the next layer is."""
    order = range(1, len(rows)) if downwards else range(len(rows) - 2, -1, -1)
    for at in order:
        fixed = rows[at - 1] if downwards else rows[at + 1]
        place = {spot: index for index, spot in enumerate(fixed)}
        ends = between[at - 1] if downwards else [(b, a) for a, b in between[at]]
        near = {
            spot: [place[other] for other, mine in ends if mine == spot] or [index]
            for index, spot in enumerate(rows[at])
        }
        rows[at].sort(key=lambda spot: median_low(near[spot]))


def _crossed(rows: list[list[Spot]], between: list[list[tuple[Spot, Spot]]]) -> int:
    return sum(_in_gap(rows, between, at) for at in range(len(rows) - 1))


def _in_gap(rows: list[list[Spot]], between: list[list[tuple[Spot, Spot]]], at: int) -> int:
    upper = {spot: index for index, spot in enumerate(rows[at])}
    lower = {spot: index for index, spot in enumerate(rows[at + 1])}
    places = [(upper[a], lower[b]) for a, b in between[at]]
    return sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(places, 2))
