"""Tables that the code knows: recovery and its moves, variables, nodes, moments, the promise."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import dropwhile, takewhile
from pathlib import Path

from daybook.app.ledger.recovery_table import moves, recovery
from daybook.graph.build import NODES
from daybook.graph.settings.environment import SHOP_VARIABLES, VARIABLES
from daybook.state.fault_points import FaultPoint

_PROMISED = Path(__file__).parents[1] / "how_it_works.md"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table as Markdown."""
    heads = tuple(heads)
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def recovery_table() -> str:
    """Make the table of what recovery does about a step in each state."""
    return "\n".join(recovery())


def moves_table() -> str:
    """Make the table of the moves that the ledger takes."""
    return "\n".join(moves())


def variables() -> str:
    """Make the table of the environment's variables, those of the demo shop last."""
    return table(
        ("variable", "meaning", "default"),
        ((f"`{one.name}`", one.meaning, one.default) for one in (*VARIABLES, *SHOP_VARIABLES)),
    )


def nodes() -> str:
    """Make the table of the graph's nodes, by what each says of itself."""
    rows = ((f"`{node.__name__}`", _first_line(node.__doc__)) for node in NODES)
    return table(("node", "what it does"), rows)


def moments() -> str:
    """List the moments at which a process may be made to die."""
    return ", ".join(f"`{point}`" for point in FaultPoint)


def promise() -> str:
    """Repeat the table of the promise, without the marks of its tests."""
    lines = _PROMISED.read_text().splitlines()
    begun = dropwhile(lambda line: not line.startswith("| Provider |"), lines)
    table = takewhile(lambda line: line.startswith("|"), begun)
    return re.sub(" ?[¹²³⁴⁵⁶⁷⁸⁹]", "", "\n".join(table))


def _first_line(doc: str | None) -> str:
    return (doc or "").partition("\n")[0].rstrip(".")
