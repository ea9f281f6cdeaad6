"""One message to hold its changes against: its words, and what was said and shown before."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.answers.held.accounted import CART
from daybook.demo.model.grammar.language.chat.names import is_model
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Reference
from daybook.demo.model.grammar.seen.prompt import Prompt, Turn
from daybook.demo.model.grammar.seen.referents import Found, on_view
from daybook.demo.model.grammar.seen.scene import Scene

TOOLS: Final = frozenset({"add_to_cart", "set_quantity", "remove_from_cart"})
"""The tools that change the cart."""
_SKU: Final = re.compile(r"\b[A-Z]{2,8}-\d{2,6}\b")
_CART_LINE: Final = re.compile(r"^- .*\([A-Z]+-\d+\) x\d+.*$", re.MULTILINE)
_BEST_TOLD: Final = re.compile(r"^Of these, number (\d+) is", re.MULTILINE)


@dataclass(frozen=True)
class Said:
    """One message: its words, what was read of it, and what it was said to."""

    plain: str
    intents: tuple[Intent, ...]
    scene: Scene
    prompt: Prompt

    @property
    def changes(self) -> list[Intent]:
        """Return what was read of it that changes the cart."""
        return [one for one in self.intents if isinstance(one, CART)]

    @property
    def last(self) -> Turn | None:
        """Return the turn before it, if any."""
        return self.prompt.past[-1] if self.prompt.past else None

    @property
    def names(self) -> bool:
        """Tell whether it names a product."""
        return any(is_model(*pair) for pair in pairwise(self.plain.split())) or bool(
            re.search(r"\b[a-z]{2,8}-\d{2,6}\b", self.plain)
        )

    def skus(self, item: Reference | None) -> tuple[str, ...]:
        """Return the products on view that a reference means; none where that is open."""
        found = None if item is None else on_view(item, self.scene)
        return found.skus if isinstance(found, Found) else ()

    def told(self, turn: Turn) -> list[str]:
        """Return the products that an answer is about, but for what it lists of the cart."""
        answer = _CART_LINE.sub("", turn.answer)
        if best := _BEST_TOLD.findall(answer):
            rows = {row.number: row.sku for row in self.scene.latest}
            return [rows[int(number)] for number in best if int(number) in rows]
        known = self.scene.known.items()
        named = [sku for sku, row in known if row.name and row.name in answer]
        return list(dict.fromkeys([*_SKU.findall(answer), *named]))


def changed_by(turn: Turn) -> set[str]:
    """Return what a turn put into the cart, took out or counted anew."""
    return {str(call.args.get("sku")).upper() for call in turn.calls if call.tool in TOOLS}


def is_named_in(name: str, text: str) -> bool:
    """Tell whether a text has the first two words of a product's name."""
    return " ".join(name.lower().split()[:2]) in text.lower()
