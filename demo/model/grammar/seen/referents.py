"""Find what a reference means in a scene: products, a search to be made, or a question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from daybook.demo.model.grammar.language.intents import (
    Every,
    Extreme,
    It,
    Named,
    Nth,
    Reference,
    Search,
    Sku,
)
from daybook.demo.model.grammar.language.words import in_shop_words, kind_of
from daybook.demo.model.grammar.seen.results import Row
from daybook.demo.model.grammar.seen.scene import List, Scene, matches, row_of


@dataclass(frozen=True)
class Found:
    """The products that are meant."""

    skus: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    """Nothing on view is meant: a search would have to be made. `by` picks among its hits."""

    search: Search
    by: Literal["first", "cheapest", "dearest", "best"] = "first"


@dataclass(frozen=True)
class Unclear:
    """It cannot be said what is meant. `among` are the rows that it may be."""

    reason: Literal["no list", "no such number", "which", "nothing like it"]
    words: tuple[str, ...] = ()
    among: List = ()


Meaning = Found | Wanted | Unclear


def on_view(reference: Reference, scene: Scene, more: bool = False) -> Meaning:
    """Find a product that a user wants to see or have.

    `more` prefers the cart: "two more socks" are those that are in it.
    """
    match reference:
        case Sku(sku):
            return Found((sku,))
        case It():
            return Found((scene.focus,)) if scene.focus else _unclear_it(scene)
        case Nth(n, words):
            return _nth(n, _lists(scene, words), counted=reference.counted)
        case Every(most, words):
            rows = next(iter(_lists(scene, words)), ())
            skus = tuple(row.sku for row in rows if not words or _fits(words, row))
            return Found(skus[:most]) if skus else Unclear("no list")
        case Extreme(by, words):
            rows = next(iter(_lists(scene, words)), ())
            rows = tuple(row for row in rows if not words or _fits(words, row))
            if rows:
                return Found((pick(rows, by).sku,))
            return Wanted(_search(words), by) if words else Unclear("no list")
        case Named():
            return _named(reference, scene, more)


def in_cart(reference: Reference, scene: Scene, currency: str) -> Meaning:
    """Find the cart lines that are meant; what is not in the cart is never meant."""
    rows = tuple(row_of(line, n, currency) for n, line in enumerate(scene.cart, 1))
    match reference:
        case Sku(sku):
            return Found((sku,)) if scene.in_cart(sku) else Unclear("nothing like it", (sku,))
        case It():
            if scene.focus:
                inside = scene.in_cart(scene.focus)
                return Found((scene.focus,)) if inside else _absent(scene.name_of(scene.focus))
            return Found((rows[0].sku,)) if len(rows) == 1 else Unclear("which", among=rows)
        case Nth(n, words):
            shown = _nth(n, _lists(scene, words), counted=reference.counted)
            if isinstance(shown, Found) and scene.in_cart(shown.skus[0]):
                return shown
            return _nth(n, [rows])
        case Every(most, words):
            skus = tuple(row.sku for row in rows if not words or _fits(words, row))
            latest = {row.sku for row in scene.lists[-1]} if scene.lists else set()
            if not words and most is not None and latest & set(skus):
                skus = tuple(sku for sku in skus if sku in latest)
            return Found(skus[:most]) if skus else Unclear("nothing like it", words)
        case Extreme(by, words):
            rows = tuple(row for row in rows if not words or _fits(words, row))
            return Found((pick(rows, by).sku,)) if rows else Unclear("nothing like it", words)
        case Named(words):
            among = tuple(row for row in rows if _fits(words, row))
            if not among:
                return Unclear("nothing like it", words)
            return Found((among[0].sku,)) if len(among) == 1 else Unclear("which", words, among)


def pick(rows: Sequence[Row], by: Literal["first", "cheapest", "dearest", "best"]) -> Row:
    """Pick one row of at least one; what is sold out only where all are."""
    there = [row for row in rows if not row.sold_out] or list(rows)
    if by == "cheapest":
        return min(there, key=lambda row: row.cents)
    if by == "dearest":
        return max(there, key=lambda row: row.cents)
    if by == "best":
        return max(there, key=lambda row: row.stars)
    return there[0]


def _absent(name: str) -> Meaning:
    return Unclear("nothing like it", (name,))


def _named(reference: Named, scene: Scene, more: bool) -> Meaning:
    words = reference.words
    inside = [line.sku for line in scene.cart if matches(words, line.name, line.sku)]
    if more and len(inside) == 1:
        return Found((inside[0],))
    latest = scene.lists[-1] if scene.lists else ()
    among = tuple(row for row in latest if _fits(words, row))
    # "boots" alone does not choose among five boots; "the boots" asks which of them is meant.
    if len(among) == 1 and (reference.definite or len(words) > 1):
        return Found((among[0].sku,))
    if reference.definite and len(among) > 1:
        return Unclear("which", words, among)
    if reference.definite and len(inside) == 1:
        return Found((inside[0],))
    if reference.definite and kind_of(words) is None and (scene.lists or scene.cart):
        return Unclear("nothing like it", words)
    return Wanted(_search(words, reference.max_price))


def _nth(n: int, lists: Iterable[List], *, counted: bool = False) -> Meaning:
    reason: Literal["no list", "no such number"] = "no list"
    for rows in lists:
        if n == -1 and rows:
            return Found((rows[-1].sku,))
        for place, row in enumerate(rows, 1):
            if n == (place if counted else row.number):
                return Found((row.sku,))
        if rows:
            reason = "no such number"
    return Unclear(reason, (str(n),))


def _lists(scene: Scene, words: Sequence[str]) -> list[List]:
    """Return the lists, newest first: the newest alone, or with words those of that kind."""
    newest_first = [rows for rows in reversed(scene.lists) if rows]
    if not words:
        return newest_first[:1]
    return [rows for rows in newest_first if any(_fits(words, row) for row in rows)]


def _fits(words: Sequence[str], row: Row) -> bool:
    return matches(words, row.name, row.sku)


def _unclear_it(scene: Scene) -> Meaning:
    return Unclear("which", among=scene.lists[-1]) if scene.lists else Unclear("no list")


def _search(words: Sequence[str], max_price: int | None = None) -> Search:
    query, category = in_shop_words(words)
    return Search(" ".join(query)[:200], category, max_price)
