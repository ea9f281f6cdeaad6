"""Which hits of a search fit what is wanted, by their rows, and by their pages where need be."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.desk import Desk, Do
from daybook.demo.model.grammar.language.chat.vocabulary import (
    BRANDS,
    COLOURS,
    MATERIALS,
)
from daybook.demo.model.grammar.language.intents.goods import Measure, Search
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.language.words import OF_THEIR_OWN, kind_of, plain_noun, stems
from daybook.demo.model.grammar.seen.digest import Known
from daybook.demo.model.grammar.seen.facts import facts_before
from daybook.demo.model.grammar.seen.results import Product, Row, hits

_READ_AT_ONCE: Final = 4
"""Pages that are read to see which hits fit: more would push the list out of the prompt."""
_MOST_LOOKED_AT: Final = 8
"""Hits that are looked at: pages of those behind the first are read where none of these fits."""
_CALLED: Final[dict[tuple[str, str], dict[str, tuple[str, ...]]]] = {
    ("lumen", "least"): {"headlamps": ("long-range", "waterproof", "rechargeable")},
    ("lumen", "most"): {"headlamps": ("kids", "compact", "red-light")},
    ("reach_metre", "least"): {"headlamps": ("long-range",)},
    ("comfort", "most"): {
        "sleeping-bags": ("winter", "three-season down", "three-season"),
        "hiking-boots": ("insulated winter",),
    },
    ("weight_g", "most"): {
        "hiking-boots": ("low", "light"),
        "socks": ("thin liner", "running"),
        "jackets": ("rain", "fleece"),
        "tents": ("ultralight", "one person"),
        "sleeping-bags": ("ultralight", "three-season down", "summer"),
        "backpacks": ("running", "daypack"),
        "headlamps": ("kids", "compact"),
        "stoves": ("alcohol", "canister"),
        "water-bottles": ("collapsible", "plastic"),
        "trekking-poles": ("folding carbon", "carbon"),
    },
    ("boil_minutes", "most"): {"stoves": ("integrated", "canister", "liquid fuel")},
    ("capacity_litre", "least"): {
        "backpacks": ("trekking", "overnight", "hiking"),
        "water-bottles": ("collapsible", "vacuum", "plastic"),
    },
    ("capacity_litre", "most"): {"backpacks": ("daypack", "running")},
    ("capacity_litre", "both"): {"backpacks": ("overnight", "hiking", "daypack")},
    ("filter_litre", "least"): {"water-bottles": ("filter",)},
    ("height_cm", "least"): {"tents": ("family",)},
    ("persons", "least"): {"tents": ("family", "three person")},
    ("folded_cm", "most"): {"trekking-poles": ("folding carbon", "folding")},
}
"""What the shop calls goods that have much, or little, of something; the surest first."""


def needs_pages(wanted: Search) -> bool:
    """Tell whether the row of a hit does not say whether it fits."""
    # A maker and a model stand on no page.
    told_there = [word for word in wanted.without if word not in BRANDS and " " not in word]
    return bool(told_there or wanted.measures)


def fitting(rows: Sequence[Row], wanted: Search, desk: Desk) -> Do | list[Row]:
    """Return the hits that are as they are wanted; ask for their pages where these tell it."""
    of_others = _without_makers(rows, wanted, desk)
    if isinstance(of_others, Do):
        return of_others
    rows = [row for row in of_others if fits_row(row, wanted)]
    if not needs_pages(wanted):
        return rows
    pages = desk.scene.pages
    for at in range(0, len(rows), _READ_AT_ONCE):
        some = rows[at : at + _READ_AT_ONCE]
        unread = pages_of(some, desk)
        if unread is not None:
            return unread
        read = [(row, pages[row.sku]) for row in some if row.sku in pages]
        fit = [row for row, page in read if fits_page(page, wanted)]
        if fit:
            return fit
    return []


def fits_row(row: Row, wanted: Search) -> bool:
    """Tell whether a row says nothing against what is wanted: its price, name, rating, stock."""
    low, high = wanted.min_price or 0, wanted.max_price
    name, gone = row.name.lower(), stems(wanted.without)
    is_out = bool(gone & stems(name.split())) or any(name.startswith(one) for one in gone)
    is_there = not (wanted.in_stock and row.sold_out)
    is_priced = row.cents >= low and (high is None or row.cents <= high)
    return is_priced and is_there and not is_out and _is_rated(row, wanted.measures)


def fits_page(page: Product, wanted: Search) -> bool:
    """Tell whether a page has the measures that are wanted, and nothing that is not."""
    is_out = stems(wanted.without) & _said_of(page)
    # What the shop calls so may be of something else: "a steel bottle of a litre".
    made_of = stems(MATERIALS & {*wanted.query.lower().split()})
    is_of_it = made_of <= _said_of(page) | stems(page.row.name.lower().split())
    return not is_out and is_of_it and all(_has(page, one) for one in wanted.measures)


def _without_makers(rows: Sequence[Row], wanted: Search, desk: Desk) -> Do | Sequence[Row]:
    """Leave out what is of a maker: a search with the maker's name gives what is, if anything is.

    Where none of the goods is of that maker, it gives what the search without the name gave.
    """
    for maker in (word for word in wanted.without if word in BRANDS):
        query = f"{wanted.query} {_WHOLE_NAMES.get(maker, maker)}"
        call = desk.take("search_products", query=query)
        if call is None:
            step = desk.ask_for(
                "search_products", query=query, category=wanted.category, limit=_MOST_LOOKED_AT
            )
            return step if isinstance(step, Do) else rows
        of_maker = [row.sku for row in hits(call.result)]
        if of_maker != [row.sku for row in rows][: len(of_maker)]:
            rows = [row for row in rows if row.sku not in of_maker]
    return rows


_WHOLE_NAMES: Final = {"juniper": "juniper works"}


def pages_of(rows: Sequence[Row], desk: Desk) -> Do | None:
    """Ask for the pages that were not read yet, None where none is to be had."""
    unread = [row.sku for row in rows if row.sku not in desk.scene.pages]
    steps = [desk.ask_for("get_product", sku=sku) for sku in unread]
    wishes = tuple(wish for step in steps if isinstance(step, Do) for wish in step.wishes)
    return Do(wishes) if wishes else None


def with_what_is_avoided(wanted: Search, desk: Desk) -> Search:
    """Leave out the materials that the person cannot have, but for what is asked for now."""
    asked = stems(wanted.query.lower().split())
    avoided = {
        word
        for known in facts_before(desk.prompt).values()
        for word in materials_avoided(known)
        if not stems([word, *_ALSO_CALLED.get(word, ()), *_CALLED_BY.get(word, ())]) & asked
    }
    return replace(wanted, without=tuple(dict.fromkeys((*wanted.without, *sorted(avoided)))))


def materials_avoided(known: Known) -> frozenset[str]:
    """Return the materials that a person says not to have, or nothing of an animal for vegans."""
    text = f"{known.subject} {known.value}".lower()
    words = frozenset(re.findall(r"[\w-]+", text))
    is_bar = known.kind == "constraint" and known.subject != "budget"
    if not (is_bar or known.value == "disliked" or _BARS.search(text)):
        return frozenset()
    found = words & (MATERIALS | COLOURS)
    if "feather" in text:
        found |= {"down"}
    if _VEGAN.search(text):
        found |= _OF_ANIMALS
    return frozenset(found | {other for word in found for other in _ALSO_CALLED.get(word, ())})


_BARS: Final = re.compile(
    r"\b(?:no|not|never|without|hates?|dislikes?|allerg\w*|itch\w*|avoids?|vegan|refuse|against"
    r"|can'?t|don'?t|cannot)\b"
)
_VEGAN: Final = re.compile(r"\bvegans?\b|\banimal (?:products?|materials?|stuff)\b")
_OF_ANIMALS: Final = frozenset({"down", "feathers", "leather", "wool", "silk"})
_ALSO_CALLED: Final = {
    "wool": ("merino", "lambswool"),
    "leather": ("suede", "nubuck"),
    "down": ("goose", "duck"),
}
_CALLED_BY: Final = {
    other: (word, *others) for word, others in _ALSO_CALLED.items() for other in others
}


def with_what_was_said(intent: Search, desk: Desk) -> Search:
    """Keep what the searches before said of the same goods: measures, and what is not wanted."""
    measures = list(intent.measures)
    without = list(intent.without)
    in_stock = intent.in_stock
    for turn in reversed(desk.prompt.past):
        if not any(call.tool == "search_products" for call in turn.calls):
            continue
        said = [one for one in understand(turn.text) if isinstance(one, Search)]
        named = {one.name for one in measures}
        measures += [one for last in said for one in last.measures if one.name not in named]
        without += [word for last in said for word in last.without]
        in_stock = in_stock or any(last.in_stock for last in said)
        if any(last.query and not last.narrows for last in said):
            break
    asked = stems(intent.query.split())
    kept = [word for word in dict.fromkeys(without) if not stems([word]) & asked]
    return replace(intent, measures=tuple(measures), without=tuple(kept), in_stock=in_stock)


def hits_needed(wanted: Search) -> int | None:
    """Return how many hits are looked at, None where it is as many as are shown."""
    sifts = needs_pages(wanted) or wanted.without or wanted.first
    return _MOST_LOOKED_AT if sifts else None


def _called_so(wanted: Search) -> tuple[str, ...]:
    """Return what the shop calls goods that have what is wanted; nothing for no such word."""
    kind = wanted.category or kind_of(wanted.query.split()) or ""
    if stems(wanted.query.split()) & OF_THEIR_OWN:
        # A daypack is called so, and not by another word of its kind.
        return ()
    for one in wanted.measures:
        bound = "most" if one.least is None else "least" if one.most is None else "both"
        if (called := _CALLED.get((one.name, bound), {}).get(kind)) is not None:
            # What is asked for by such a word itself is looked for by it alone.
            said = f" {wanted.query.lower()} "
            return () if any(f" {one} " in said for one in called) else called
    return ()


def queries_for(wanted: Search) -> list[str]:
    """Return the words to search with, one after the other, until there is what fits.

    Those that the shop calls so come first, as a search gives only so many. Where a thing is left
    out, all of its kind may have to be looked at: hiking socks are of wool, and others are not.
    """
    queries = [f"{called} {wanted.query}" for called in _called_so(wanted)]
    queries.append(wanted.query)
    kind = wanted.category or kind_of(wanted.query.split())
    more = [plain_noun(kind)] if wanted.without and kind is not None else []
    return list(dict.fromkeys((*queries, *more)))


def _said_of(page: Product) -> frozenset[str]:
    """Return what a page says that a product is made of and has."""
    values = page.attributes.items()
    said = stems(word for _, value in values for word in re.findall(r"[\w-]+", value.lower()))
    return said | stems(key for key, value in values if value == "yes")


def _has(page: Product, wanted: Measure) -> bool:
    """Tell whether a page says that a product has so much of something."""
    if wanted.name == "rating":
        return True
    found = re.search(r"-?\d+(?:\.\d+)?", page.attributes.get(wanted.name, ""))
    return found is not None and wanted.holds(float(found.group()))


def _is_rated(row: Row, measures: Iterable[Measure]) -> bool:
    return all(one.holds(row.stars) for one in measures if one.name == "rating")
