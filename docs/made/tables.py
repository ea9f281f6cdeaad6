"""Tables that the code knows: recovery and its moves, variables, nodes, moments."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.app.ledger.recovery_table import moves, recovery
from daybook.graph.build import NODES
from daybook.graph.settings.environment import SHOP_VARIABLES, VARIABLES
from daybook.state.fault_points import FaultPoint


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
    """Make the table of environment variables, those of the demo shop last."""
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


def _first_line(doc: str | None) -> str:
    return (doc or "").partition("\n")[0].rstrip(".")
