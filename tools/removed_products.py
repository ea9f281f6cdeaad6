"""Products that were removed, known by product id and full name alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


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


def _holds(text: str, name: str) -> bool:
    words = " ".join(name.split())
    plain = " ".join(text.split())
    return re.search(rf"(?<![\w-]){re.escape(words)}(?![\w-])", plain, re.IGNORECASE) is not None
