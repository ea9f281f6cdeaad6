"""Products that the user removed from a cart, known by product id and full name alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from daybook.state.people.called import as_said
from daybook.state.people.questions.assent import is_assent

State = Mapping[str, Any]


@dataclass(frozen=True)
class RemovedProduct:
    """A product that stands in a cart as removed.

    Attributes:
        id: SKU, or the merchant's product id.
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
        return f"{self.name} was removed from the cart before. Add it again?"


def named_in(products: Iterable[RemovedProduct], text: str) -> list[RemovedProduct]:
    """Return those products that a text names."""
    return [product for product in products if product.is_named_in(text)]


def has_agreed_to(question: str, state: State) -> bool:
    """Tell whether the user's last message says yes, and only yes, to a question asked before it.

    Args:
        state: of a thread, whose messages end with the user's.
    """
    said = as_said(list(state.get("messages") or ()))
    while said and said[-1].type != "human":
        said.pop()
    if not said or not is_assent(said[-1].text, asked=(question,)):
        return False
    earlier = [one.text for one in said[:-1] if one.type == "ai"]
    return bool(earlier) and question in earlier[-1]


def _holds(text: str, name: str) -> bool:
    words = " ".join(name.split())
    plain = " ".join(text.split())
    return re.search(rf"(?<![\w-]){re.escape(words)}(?![\w-])", plain, re.IGNORECASE) is not None
