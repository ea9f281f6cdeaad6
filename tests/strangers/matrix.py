"""The crash matrix of the twelve services: what is played, and which doubts and ends are lawful."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from daybook.testing.cells import Cell
from daybook.testing.judge import Verdict
from daybook.testing.matrix import Matrix, Script, Subject
from daybook.testing.world import World
from tests.strangers.malformed import LIES
from tests.strangers.services import SERVICES

Class = Literal["key, failures kept", "key, failures forgotten", "probe, D known", "neither"]

CLASSES: Mapping[str, Class] = {
    **dict.fromkeys(SERVICES, "probe, D known"),
    "stripe_v1": "key, failures kept",
    "stripe_v2": "key, failures forgotten",
    "duplicate": "key, failures forgotten",
    "slack": "neither",
}
"""What each service guarantees, as the table of promises names it."""

BUYS = {"buy the boots": [[("buy", {"item": "boots", "amount": 13190})]]}

SCRIPTS = {"bought": Script(BUYS), "undone": Script(BUYS, declines=("order",))}
"""A purchase is made; or its order is declined, so its charge is given back."""


def may_doubt(cell: Cell) -> bool:
    """Tell whether a doubt is lawful: where neither key nor look-up can tell.

    Where no failure is kept and no D is known, a decline beside an attempt without answer is never
    final. A refund that is refused for good is stuck, an error that is kept under its key comes
    back for as long as the key lives, and of a row that shows something else nothing is known.
    """
    if CLASSES[cell.provider] == "neither" or cell.blow == "lie":
        return True
    if cell.provider == "stripe_v2" and cell.script == "undone":
        return cell.blow != "undisturbed"
    if (cell.kind, cell.detail) == ("refund", "decline"):
        return True
    return _keeps_errors(cell) and cell.detail in ("error before", "error after")


def may_fail(cell: Cell) -> bool:
    """Tell whether what goes wrong may be the end of the purchase."""
    return cell.detail == "decline" or (_keeps_errors(cell) and cell.detail == "error before")


def _keeps_errors(cell: Cell) -> bool:
    return CLASSES[cell.provider] == "key, failures kept"


def parse(name: str) -> Cell:
    """Return the cell of a name.

    Raises:
        ValueError: it names none.
    """
    cell = Cell.parse(name)
    kinds = ("", "charge", "refund", "order")
    if cell.provider not in SERVICES or cell.script not in SCRIPTS or cell.kind not in kinds:
        raise ValueError(f"{name} is not a cell: write PROVIDER.SCRIPT.BLOW, as a run prints it")
    return cell


def matrix_of(
    service: str, world: World, lanes: int, tell: Callable[[Verdict], None] = lambda verdict: None
) -> Matrix:
    """Make the matrix of a service."""
    named = f"tests.strangers.domains:{service}"
    return Matrix(
        world,
        Subject(f"{named}.domain", services=f"{named}.reach"),
        SCRIPTS,
        {service: None},
        f"tests.strangers.services:{SERVICES[service].__name__}",
        may_doubt,
        may_fail,
        # What comes before the approval is the same for all domains, and is of `make crash`.
        is_after_approval=True,
        lanes=lanes,
        tell=tell,
    )


def lies() -> list[Cell]:
    """Return the wrong answers of the service that gives them."""
    alone = [("charge", ("amount", "currency", "owner")), ("order", ("owner",))]
    return [
        *(
            Cell("wrong", "bought", "lie", kind=kind, detail=f"{where}:{lie}")
            for kind in ("charge", "order")
            for where in ("reply", "look")
            for lie in LIES
        ),
        # An id that no look-up has shown, when all is to be given back.
        Cell("wrong", "undone", "lie", kind="charge", detail="early:id"),
        # A row that is not what was approved, or not theirs for whom, and is all that is shown.
        *(
            Cell("wrong", "bought", "lie", kind=kind, detail=f"alone:{lie}")
            for kind, some in alone
            for lie in some
        ),
    ]
