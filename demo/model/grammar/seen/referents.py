"""Find what a reference means in a scene: products, a search to be made, or a question."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from daybook.demo.model.grammar.language.chat.bounds.most import CALLED
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.intents.references import (
    By,
    Every,
    Extreme,
    It,
    Named,
    Nth,
    Other,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.language.words import (
    NUMBERS,
    calls_it_otherwise,
    in_shop_words,
    kind_of,
    kind_of_item,
    plain_noun,
)
from daybook.demo.model.grammar.seen.results import Product, Row
from daybook.demo.model.grammar.seen.scene import List, Scene, matches, row_of
from daybook.demo.model.grammar.units import COUNTED, UNITS


@dataclass(frozen=True)
class Found:
    """The products that are meant."""

    skus: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    """Nothing on view is meant: a search would have to be made. `by` picks among its hits.

    With `among`, what is meant may be one of these that is so: their pages tell it.
    """

    search: Search
    by: By | Literal["first"] = "first"
    among: List = ()


@dataclass(frozen=True)
class Unclear:
    """It cannot be said what is meant. `among` are the rows that it may be."""

    reason: Literal["no list", "no such number", "which", "nothing like it"]
    words: tuple[str, ...] = ()
    among: List = ()


Meaning = Found | Wanted | Unclear


def on_view(
    reference: Reference,
    scene: Scene,
    more: bool = False,
    removed: Collection[str] = (),
    *,
    sole: bool = False,
) -> Meaning:
    """Find a product that a user wants to see or have.

    `more` prefers the cart: "two more socks" are those that are in it. What was `removed` is never
    the best of anything. With `sole`, what several meet as well is not chosen among them.
    """
    match reference:
        case Sku(sku):
            return Found((sku,))
        case It(many) if many and scene.group:
            return Found(tuple(row.sku for row in scene.group))
        case It():
            return Found((scene.focus,)) if scene.focus else _unclear_it(scene)
        case Other():
            return other(scene)
        case Nth(n, words):
            found = _nth(n, _lists(scene, words), counted=reference.counted)
            by_group = isinstance(found, Unclear) and found.reason == "no list"
            is_cart = {row.sku for row in scene.group} == {line.sku for line in scene.cart}
            if not by_group:
                return found
            # Without any list, "the first one" is the one that was spoken of first.
            spoken = tuple(row for row in scene.told if row.sku in scene.recent)
            spoken = spoken if len(spoken) > 1 else ()
            in_turn = [rows for rows in (scene.group if not is_cart else (), spoken) if rows]
            fitting = [tuple(row for row in rows if _fits(words, row)) for rows in in_turn]
            return _nth(n, fitting or [()], counted=True)
        case Every(most, words):
            return _every(most, words, scene, exact=reference.exact)
        case Extreme(by, words) if words and not _is_shown(words, scene):
            # Those that the shop calls so are looked for: fewer pages are read for the lightest.
            called = CALLED.get(by, "")
            first = (called,) if called and called not in words else ()
            return Wanted(_search((*first, *_of_kind(words, scene))), by)
        case Extreme(by, words):
            rows = _among(words, scene)
            rows = tuple(row for row in rows if row.sku not in removed or len(rows) == 1)
            if rows:
                best = pick(rows, by, scene.pages)
                alike = () if best is None else met_alike(rows, best, by, scene.pages)
                if sole and len(alike) > 1:
                    return Unclear("which", words, alike)
                return Unclear("which", words, rows) if best is None else Found((best.sku,))
            return Wanted(_search(_of_kind(words, scene)), by) if words else Unclear("no list")
        case Named():
            return _named(reference, scene, more, sole=sole)


def _is_shown(words: Sequence[str], scene: Scene) -> bool:
    """Tell whether words point at what was told of: at a name, or at some of a group."""
    return has_model(words) or bool(scene.group) or bool(set(words) & _OF_THESE)


_OF_THESE: Final = frozenset({"of", "these", "those", "them"})


def other(scene: Scene) -> Meaning:
    """Find the one of two that was not spoken of last."""
    rows = scene.latest
    rest = tuple(row for row in rows if row.sku != scene.focus)
    if len(rest) == 1:
        return Found((rest[0].sku,))
    recent = [sku for sku in scene.recent if sku != scene.focus]
    if not rows and len(recent) == 1:
        return Found((recent[0],))
    return Unclear("which", among=rest) if rest else Unclear("no list")


def _of_kind(words: Sequence[str], scene: Scene) -> Sequence[str]:
    """Add the kind that is looked at to words that name none: "the cheapest waterproof pair"."""
    kind = scene.kind
    if kind is None or kind_of(words) is not None or not all(map(_may_be_said, words)):
        return words
    return (*words, *plain_noun(kind).split())


def _every(most: int | None, words: Sequence[str], scene: Scene, *, exact: bool) -> Meaning:
    """Find all of what was told of last; where it was said how many, there must be so many."""
    rows = scene.group if scene.group and not words else next(iter(_lists(scene, words)), ())
    skus = tuple(row.sku for row in rows if not words or _fits(words, row))
    if not exact:
        return Found(skus[:most]) if skus else Unclear("no list")
    recent = [sku for sku in scene.recent if not words or matches(words, scene.name_of(sku), sku)]
    if len(skus) != most and most is not None and len(recent) >= most:
        return Found(tuple(reversed(recent[:most])))
    if not skus:
        return Unclear("no list")
    return Found(skus) if len(skus) == most else Unclear("which", among=tuple(rows))


def _among(words: Sequence[str], scene: Scene) -> List:
    """Return what the best of is asked: those told of together last, or a list of that kind."""
    spoken_of = tuple(scene.known[sku] for sku in scene.recent if sku in scene.known)
    if not scene.listed and not scene.group and len(spoken_of) > 1:
        return tuple(row for row in spoken_of if not words or _fits(words, row))
    rows = scene.group if scene.group else next(iter(_lists(scene, words)), ())
    rows = tuple(row for row in rows if not words or _fits(words, row))
    return rows or tuple(
        row for row in next(iter(_lists(scene, words)), ()) if not words or _fits(words, row)
    )


def of_its_kind(come: Reference, gone: Meaning, scene: Scene) -> Reference:
    """Give a model that is to come in another's place that one's kind: "the tent for the X one"."""
    match come, gone:
        case Named(words), Found((sku,)) if has_model(words) and kind_of(words) is None:
            kind = kind_of_item(scene.name_of(sku), sku)
            return (
                come if kind is None else replace(come, words=(*words, *plain_noun(kind).split()))
            )
        case _:
            return come


def in_cart(reference: Reference, scene: Scene, currency: str) -> Meaning:
    """Find the cart lines that are meant; what is not in the cart is never meant."""
    rows = tuple(row_of(line, n, currency) for n, line in enumerate(scene.cart, 1))
    match reference:
        case Sku(sku):
            return Found((sku,)) if scene.in_cart(sku) else Unclear("nothing like it", (sku,))
        case It() if scene.together:
            return Unclear("which", among=tuple(r for r in rows if r.sku in scene.together))
        case It():
            if scene.focus:
                inside = scene.in_cart(scene.focus)
                return Found((scene.focus,)) if inside else _absent(scene.name_of(scene.focus))
            return Found((rows[0].sku,)) if len(rows) == 1 else Unclear("which", among=rows)
        case Other():
            rest = tuple(row for row in rows if row.sku != scene.focus)
            return Found((rest[0].sku,)) if len(rest) == 1 else Unclear("which", among=rest)
        case Nth(n, words):
            shown = _nth(n, _lists(scene, words), counted=reference.counted)
            line = _nth(n, [rows])
            if not (isinstance(shown, Found) and scene.in_cart(shown.skus[0])):
                return line
            # The cart was shown after that list: either may be counted in.
            is_either = isinstance(line, Found) and bool(scene.group) and not words
            return shown if line == shown or not is_either else Unclear("which", among=rows)
        case Every(most, words):
            skus = tuple(row.sku for row in rows if not words or _fits(words, row))
            latest = {row.sku for row in scene.lists[-1]} if scene.lists else set()
            if not words and most is not None and len(latest & set(skus)) >= most:
                skus = tuple(row.sku for row in scene.lists[-1] if row.sku in skus)
            is_short = most is not None and len(skus) < most
            if skus and (is_short or (reference.exact and most is not None and len(skus) > most)):
                return Unclear("which", words, rows)
            return Found(skus[:most]) if skus else Unclear("nothing like it", words)
        case Extreme(by, words):
            rows = tuple(row for row in rows if not words or _fits(words, row))
            rated = tuple(
                replace(row, rating=scene.known[row.sku].rating if row.sku in scene.known else "")
                for row in rows
            )
            has = all(row.rating for row in rated) if by == "best" else all(r.cents for r in rows)
            best = pick(rated, by, scene.pages) if rows and (has or by in MEASURED) else None
            alike = () if best is None else met_alike(rated, best, by, scene.pages)
            if len(alike) > 1:
                return Unclear("which", words, alike)
            if best is not None:
                return Found((best.sku,))
            return Unclear("which" if rows else "nothing like it", words, rows)
        case Named(words):
            fitting = tuple(row for row in rows if _fits(words, row))
            if not fitting:
                return Unclear("nothing like it", words)
            among = tuple(row for row in fitting if not calls_it_otherwise(words, row.name))
            if not among:
                return Unclear("which", words, fitting)
            return Found((among[0].sku,)) if len(among) == 1 else Unclear("which", words, among)


def pick(
    rows: Sequence[Row], by: By | Literal["first"], pages: Mapping[str, Product]
) -> Row | None:
    """Pick one row of at least one; what is sold out only where all are.

    None where it goes by what stands on the pages, and not all of these were read, or none says it.
    """
    there = [row for row in rows if not row.sold_out] or list(rows)
    if by in MEASURED:
        return _measured(rows, by, pages)
    if by == "cheapest":
        return min(there, key=lambda row: row.cents)
    if by == "dearest":
        return max(there, key=lambda row: row.cents)
    if by == "best":
        return max(there, key=lambda row: row.stars)
    return there[0]


def met_alike(
    rows: Sequence[Row], best: Row, by: By | Literal["first"], pages: Mapping[str, Product]
) -> List:
    """Return the rows that are the cheapest, lightest... as much as the one that was picked."""

    def of(row: Row) -> float | int | None:
        if by in MEASURED:
            told = measure(by, pages[row.sku]) if row.sku in pages else None
            return None if told is None else told[1]
        return row.stars if by == "best" else row.cents

    there = [row for row in rows if row.sold_out == best.sold_out]
    return tuple(row for row in there if of(row) == of(best))


MEASURED: Final[Mapping[str, tuple[tuple[str, ...], int]]] = {
    "lightest": (("weight_g",), -1),
    "heaviest": (("weight_g",), 1),
    "brightest": (("lumen",), 1),
    "warmest": (("comfort",), -1),
    "largest": (("capacity_litre", "persons", "height_cm", "lumen", "weight_g"), 1),
    "tallest": (("height_cm", "length_cm"), 1),
    "quickest": (("boil_minutes",), -1),
    "smallest": (("capacity_litre", "persons", "folded_cm", "weight_g"), -1),
}
"""What is compared, by the attributes that tell it, and whether the highest or the lowest wins."""


def measure(by: str, page: Product) -> tuple[str, float] | None:
    """Return the attribute that a page tells it by, and how much it is; None where it does not."""
    for name in MEASURED[by][0]:
        found = re.search(r"-?\d+(?:\.\d+)?", page.attributes.get(name, ""))
        if found is not None:
            return name, float(found.group())
    return None


def _measured(rows: Sequence[Row], by: str, pages: Mapping[str, Product]) -> Row | None:
    known = [(row, measure(by, pages[row.sku])) for row in rows if row.sku in pages]
    told = [(found[1], row) for row, found in known if found is not None]
    if len(known) < len(rows) or not told:
        return None
    sign = MEASURED[by][1]
    return max(told, key=lambda one: sign * one[0])[1]


def _absent(name: str) -> Meaning:
    return Unclear("nothing like it", (name,))


def _named(reference: Named, scene: Scene, more: bool, *, sole: bool) -> Meaning:
    words = reference.words
    inside = [line.sku for line in scene.cart if matches(words, line.name, line.sku)]
    if more and len(inside) == 1:
        return Found((inside[0],))
    if reference.definite and scene.focus is not None and scene.focus in scene.known:
        spoken_of = scene.known[scene.focus]
        if _fits(words, spoken_of) and not has_model(words):
            return Found((scene.focus,))
    latest = scene.lists[-1] if scene.lists else ()
    among = tuple(row for row in latest if _fits(words, row))
    # "boots" alone does not choose among five boots; "the boots" asks which of them is meant.
    is_one = len(words) > 1 and (has_model(words) or not sole)
    if len(among) == 1 and (reference.definite or is_one):
        return Found((among[0].sku,))
    if reference.definite and len(among) > 1:
        return Unclear("which", words, among)
    if reference.definite and len(inside) == 1:
        return Found((inside[0],))
    grouped = tuple(row for row in scene.group if _fits(words, row))
    if reference.definite and len(grouped) == 1:
        return Found((grouped[0].sku,))
    told = _told_of(words, scene) if has_model(words) else ()
    if reference.definite and not (told or among or has_model(words)):
        # "How many litres is that pack": the one of them that was spoken of.
        spoken = (scene.known[sku] for sku in scene.recent if sku in scene.known)
        told = tuple(row for row in spoken if _fits(words, row))
    if len(told) == 1:
        return Found((told[0].sku,))
    kind = kind_of_item(latest[0].name, latest[0].sku) if latest else None
    is_alike = kind is not None and kind_of(words) in (None, kind)
    if reference.definite and is_alike and not has_model(words) and all(map(_may_be_said, words)):
        # "The black one": which of them is black stands on their pages.
        query = words if kind_of(words) else (*words, plain_noun(kind or ""))
        return Wanted(Search(" ".join(query), kind), among=latest)
    return Wanted(_search(words, reference.max_price))


def _may_be_said(word: str) -> bool:
    """Tell whether a word says how goods are, or is a measure of theirs."""
    return says_goods(word) or word.isdigit() or word in UNITS | COUNTED | NUMBERS.keys()


def _told_of(words: Sequence[str], scene: Scene) -> List:
    """Return what has this name of all that was told of, of the kind looked at where several do."""
    told = tuple(row for row in scene.told if _fits(words, row))
    alike = tuple(row for row in told if kind_of_item(row.name, row.sku) == scene.kind)
    return alike if len(told) > 1 and alike else told


def _nth(n: int, lists: Iterable[List], *, counted: bool = False) -> Meaning:
    reason: Literal["no list", "no such number"] = "no list"
    for rows in lists:
        if n < 0 and len(rows) >= -n:
            return Found((rows[n].sku,))
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
    return Unclear("which", among=scene.latest) if scene.latest else Unclear("no list")


def _search(words: Sequence[str], max_price: int | None = None) -> Search:
    query, category = in_shop_words(words)
    return Search(" ".join(query)[:200], category, max_price)
