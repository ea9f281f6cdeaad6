"""The step of a difference: what two products cost or measure, and which one has more of it."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.questions import ask_add
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step
from daybook.demo.model.grammar.language.intents.goods import Differ, Dimension
from daybook.demo.model.grammar.language.intents.references import Extreme, It, Reference
from daybook.demo.model.grammar.seen.referents import Found, of_its_kind, on_view
from daybook.demo.model.grammar.seen.results import Product
from daybook.demo.model.grammar.steps.goods.product import can_add, found_for, picked

_PAIR: Final = 2
_TOLD_BY: Final[Mapping[Dimension, tuple[str, ...]]] = {
    "weight": ("weight_g",),
    "warmth": ("comfort",),
    "brightness": ("lumen",),
    "size": ("capacity_litre", "persons", "height_cm", "lumen", "weight_g"),
    "height": ("height_cm", "length_cm"),
    "length": ("length_cm", "folded_cm", "height_cm"),
    "time": ("boil_minutes",),
}
"""The attributes by which products are compared, the surest first."""
_SAID: Final[Mapping[Dimension, tuple[str, bool]]] = {
    "price": ("cheaper", False), "weight": ("lighter", False), "warmth": ("warmer", False),
    "brightness": ("brighter", True), "size": ("larger", True), "height": ("taller", True),
    "length": ("longer", True), "time": ("quicker", False), "rating": ("better rated", True),
}  # fmt: skip
"""What is said of one of the two, and whether that is the one with the higher figure."""


def differ(intent: Differ, desk: Desk) -> Step:
    """Say by how much two products differ, from what was read of both."""
    if intent.by == "time" and not intent.items and len(desk.scene.latest) > _PAIR:
        return picked(intent, Extreme("quickest"), desk)
    skus: list[str] = []
    for item in intent.items:
        one = _one(intent, item, skus, desk)
        if isinstance(one, Do | Say):
            return one
        skus += [sku for sku in one if sku not in skus]
    beside = [row.sku for row in desk.scene.group] if not skus else []
    beside += list(desk.scene.recent)
    skus = [*skus, *(sku for sku in dict.fromkeys(beside) if sku not in skus)][:_PAIR]
    if len(skus) < _PAIR:
        return Say("", question="Which two do you mean? Name them, or their numbers in the list.")
    wishes = [
        wish
        for sku in skus
        if sku not in desk.scene.pages and desk.take("get_product", sku=sku) is None
        for step in [desk.ask_for("get_product", sku=sku)]
        if isinstance(step, Do)
        for wish in step.wishes
    ]
    if wishes:
        return Do(tuple(wishes))
    pages = [desk.scene.pages[sku] for sku in skus if sku in desk.scene.pages]
    if len(pages) < _PAIR:
        return Say("I could not read the pages of both.")
    desk.speak_of(skus[0])
    told, more = _told(intent.by, pages, desk)
    if more is None or not intent.which:
        return Say(told)
    desk.speak_of(more.row.sku)
    question = ask_add(more.row.sku) if desk.alone and can_add(more.row, desk) else ""
    named = f"The {_SAID[intent.by][0]} one is {wording.row(more.row)}."
    return Say(f"{told}\n\n{named}", question=question)


def _one(
    intent: Differ, item: Reference, before: Sequence[str], desk: Desk
) -> Sequence[str] | Step:
    """Return the product that an item means; nothing for an "it" of which none is clear."""
    if isinstance(item, It):
        meaning = on_view(item, desk.scene)
        return meaning.skus if isinstance(meaning, Found) else ()
    first = before[0] if before else desk.scene.focus
    if first is None and desk.scene.group:
        first = desk.scene.group[0].sku
    if first is not None:
        item = of_its_kind(item, Found((first,)), desk.scene)
    found = found_for(intent, item, desk)
    return found.skus if isinstance(found, Found) else found


def _told(by: Dimension, pages: Sequence[Product], desk: Desk) -> tuple[str, Product | None]:
    """Return what is told of two, and the one that has more of it; None where neither has."""
    names = [wording.one_line(page.row.name) for page in pages]
    key: str | None = None
    if by == "price":
        first, second = (float(page.row.cents) for page in pages)
        told = [f"{name}: {page.row.price}." for name, page in zip(names, pages, strict=True)]
        far = wording.money(round(abs(first - second)), desk.now.currency)
    elif by == "rating":
        first, second = (page.row.stars for page in pages)
        rated = [page.row.rating or "not rated" for page in pages]
        told = [f"{name}: {one}." for name, one in zip(names, rated, strict=True)]
        far = f"{abs(first - second):.1f} stars"
    else:
        key = next((k for k in _TOLD_BY[by] if all(k in page.attributes for page in pages)), None)
        if key is None:
            silent = f"Their pages do not tell the {by} of both, so I cannot compare them by it."
            return silent, None
        values = [page.attributes[key] for page in pages]
        told = [
            f"{name}: {wording.attribute(key, value)}."
            for name, value in zip(names, values, strict=True)
        ]
        numbers = [number for value in values if (number := _number(value)) is not None]
        if len(numbers) < _PAIR:
            return "\n".join(told), None
        first, second = numbers
        unit = wording.attribute(key, "").partition(":")[2].strip() or _NO_UNIT.get(key, "")
        far = f"{abs(first - second):g} {unit}".strip()
    if first == second:
        return "\n".join([*told, "That is the same for both."]), None
    said, of_higher = _SAID[by]
    at = 0 if (first > second) == of_higher else 1
    more = names[at]
    is_bare = key in _BARE
    last = f"The difference is {far}: {more} is the {said} of the two."
    last = f"{more} is the {said} of the two." if is_bare else last
    return "\n".join([*told, last]), pages[at]


_NO_UNIT: Final = {"comfort": "C"}
_BARE: Final = frozenset({"lumen", "persons"})
"""Attributes whose names do not end in their unit."""


def _number(value: str) -> float | None:
    found = re.search(r"-?\d+(?:\.\d+)?", value)
    return None if found is None else float(found.group())
