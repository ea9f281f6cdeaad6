"""Products that were removed, known by product id and full name alone. Pure.

Reads leave them out, and adding one again is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from daybook.tools.bumps import Args, Bump, Said, State, has_agreed_to


@dataclass(frozen=True)
class RemovedProduct:
    """A product that the state holds as removed.

    Attributes:
        id: the provider's product id.
    """

    id: str
    name: str

    def is_named_in(self, text: str) -> bool:
        """Tell whether a text holds its id or its full name, in whatever case.

        Example:
            >>> boot = RemovedProduct("BOOT-1", "Ridge Boot")
            >>> boot.is_named_in("Add boot-1."), boot.is_named_in("Add BOOT-13.")
            (True, False)
        """
        return any(_holds(text, name) for name in (self.id, self.name) if name)

    @property
    def question(self) -> str:
        """Return the question to ask before it is added again."""
        return f"{self.name} was removed before. Add it again?"


def named_in(products: Iterable[RemovedProduct], text: str) -> list[RemovedProduct]:
    """Return those products that a text names."""
    return [product for product in products if product.is_named_in(text)]


def not_named_in(products: Iterable[RemovedProduct], words: str) -> tuple[str, ...]:
    """Return the ids of those products that a read is to leave out.

    Args:
        words: the user's message of this turn; a product that it names is shown.
    """
    return tuple(product.id for product in products if not product.is_named_in(words))


def bump_before_adding(
    tool: str, removed_before: Callable[[State, Args], RemovedProduct | None]
) -> Bump:
    """Make the bump of a tool that adds products: one that was removed is asked about.

    Args:
        tool: adds a product.
        removed_before: returns the removed product that a call would add again.
    """

    def may_add(state: State, args: Args, said: Said) -> bool:
        gone = removed_before(state, args)
        if gone is None:
            return True
        return gone.is_named_in(said[0] if said else "") or has_agreed_to(gone.question, state)

    def question(state: State, args: Args) -> str:
        gone = removed_before(state, args)
        return gone.question if gone is not None else ""

    return Bump(
        tool=tool,
        # No slot: it is asked until the user agrees, since a model may try again and again.
        slot=lambda state, args: "",
        threshold=1,
        cost=lambda state, args: int(removed_before(state, args) is not None),
        is_known=may_add,
        question=question,
    )


def _holds(text: str, name: str) -> bool:
    words = " ".join(name.split())
    plain = " ".join(text.split())
    return re.search(rf"(?<![\w-]){re.escape(words)}(?![\w-])", plain, re.IGNORECASE) is not None
