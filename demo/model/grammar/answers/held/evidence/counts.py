"""Whether the number that is said is that of the change, and of as many lines."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.answers.held.evidence.said import Said, changed_by
from daybook.demo.model.grammar.answers.held.evidence.words import COUNTED, MANY
from daybook.demo.model.grammar.language.intents.cart import Add, Keep, Remove, SetQuantity, Swap
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Every, It, Reference
from daybook.demo.model.grammar.language.words import NUMBERS

_TWO_PLACES: Final = re.compile(
    r"\bfirst and (?:the )?(?:last|second|third)\b|\bsecond and (?:the )?(?:last|third|fourth)\b"
)
_NUMBERED_TWO: Final = re.compile(r"\b(?:numbers?|no) \d+ (?:and|&|,|plus) (?:number |no )?\d+\b")
_ALL: Final = re.compile(r"\b(?:everything|all|every|each)\b")
_FOR_PEOPLE: Final = re.compile(rf"\bfor (\d{{1,2}}|one|{MANY}) (?:people|persons?|of us)\b")


def keeps_one_line(one: Intent) -> bool:
    """Tell whether one line shall be kept, and all the others go."""
    return isinstance(one, Keep) and one.quantity is None


def keeps_one_of_many(one: Intent) -> bool:
    """Tell whether one piece shall be kept of nobody knows which line: "keep only one"."""
    return isinstance(one, Keep) and one.quantity is not None and isinstance(one.item, It)


def is_not_of_each(adds: Sequence[Add], said: Said) -> bool:
    """Tell whether more "of each" was read of some lines alone, put in by different turns."""
    assert said.last is not None
    skus = {sku for one in adds for sku in said.skus(one.item)}
    lines = {line.sku for line in said.scene.cart}
    return skus < lines and skus != changed_by(said.last)


def counts_otherwise(one: Intent, plain: str) -> bool:
    """Tell whether the one number of pieces that is said is not the change's."""
    if not isinstance(one, Add | SetQuantity) or getattr(one, "double", False):
        return False
    counts = {NUMBERS.get(word) or int(word) for word in COUNTED.findall(plain)}
    if len(counts) != 1 or one.quantity in counts:
        return False
    return one.quantity == 1 or str(one.quantity) not in _digits(plain)


def _digits(plain: str) -> list[str]:
    """Return the words of a text, its numbers as digits."""
    return [str(NUMBERS.get(word, word)) for word in plain.split()]


def is_of_fewer(one: Intent, said: Said) -> bool:
    """Tell whether one line is changed where "everything", or two places, were said."""
    if isinstance(getattr(one, "item", None), Every) or isinstance(one, Swap) or said.names:
        return False
    if _TWO_PLACES.search(said.plain) or _NUMBERED_TWO.search(said.plain):
        return True
    lines = len(said.scene.cart)
    return isinstance(one, SetQuantity | Remove) and lines > 1 and bool(_ALL.search(said.plain))


def is_for_others(item: Reference, said: Said) -> bool:
    """Tell whether "one for three people" was read of what is made for another number."""
    found = _FOR_PEOPLE.search(said.plain)
    skus = said.skus(item)
    if found is None or len(skus) != 1 or skus[0] not in said.scene.pages:
        return False
    made_for = re.findall(r"\d+", said.scene.pages[skus[0]].attributes.get("persons", ""))
    number = NUMBERS.get(found[1]) or int(found[1])
    return bool(made_for) and str(number) not in made_for
