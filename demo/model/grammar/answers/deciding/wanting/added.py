"""What was read as wanted, as changes of the cart."""

from collections.abc import Iterator, Sequence

from daybook.demo.model.grammar.answers.deciding.adding import PAIRED, meant
from daybook.demo.model.grammar.answers.deciding.lately import MOST, PAIR, spoken_of
from daybook.demo.model.grammar.answers.deciding.wanting.wishes import Reading
from daybook.demo.model.grammar.answers.held.accounted import lacks
from daybook.demo.model.grammar.language.chat.names import is_model
from daybook.demo.model.grammar.language.chat.vocabulary import COLOURS
from daybook.demo.model.grammar.language.intents.cart import Add, ShowCart
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import (
    Every,
    It,
    Named,
    Other,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import kind_of, kind_of_item
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.referents import Found, on_view
from daybook.demo.model.grammar.seen.scene import Scene


def added(
    read: Reading, tokens: Sequence[Token], scene: Scene, prompt: Prompt
) -> tuple[Intent, ...] | None:
    """Return what is added; None where a wish is not sure, or something said is of none of them."""
    wishes = [one for one in read.wishes if one.mood or not one.praised]
    if not wishes or not all(one.mood for one in wishes):
        return None
    counts = {one.count for one in wishes}
    is_of_each = len(scene.group) > 1 and any(one.text in ("each", "apiece") for one in tokens)
    if is_of_each and any(isinstance(one.item, It) for one in wishes):
        # One of each of those that were told of together, and not one of what was told of last.
        return None
    if not {*read.numbers} <= counts:
        return None
    found: list[Intent] = []
    skus: set[str] = set()
    for one in wishes:
        items = _items(one.item, scene, prompt)
        count = 1 if one.count is None else one.count
        is_any = not one.sure and any(isinstance(item, Named) for item in items)
        if not items or is_any or not 0 < count <= MOST:
            return None
        for item in items:
            is_there = isinstance(item, Sku) and scene.in_cart(item.sku) is not None
            if repr(item) in skus or is_there != one.more:
                return None
            skus.add(repr(item))
            found.append(Add(item, count, more=one.more))
    colours = list(_colours(tokens))
    is_unread = any(isinstance(one, Add) and isinstance(one.item, Named) for one in found)
    if colours and (is_unread or any(lacks(one, found, scene) for one in colours)):
        # What colour it has stands on its page.
        return None
    kinds = {_kind(one.item, scene) for one in found if isinstance(one, Add)}
    there = {kind_of_item(line.name, line.sku) for line in scene.cart}
    if any(one.text in ("rather", "instead") for one in tokens) and kinds & there:
        # What it comes in the place of is in the cart.
        return None
    is_pair = any(one.text in ("pair", "pairs") for one in tokens)
    if not {*read.kinds} <= kinds or (is_pair and not kinds <= PAIRED):
        return None
    return (*found, ShowCart()) if read.shows else tuple(found)


def _colours(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the colours that goods shall be in: "in black", and not "in Red Gorge"."""
    texts = [*(token.text for token in tokens), ""]
    for at, token in enumerate(tokens):
        is_name = is_model(*texts[at : at + 2])
        if at and texts[at - 1] == "in" and token.text in COLOURS and not is_name:
            yield token


def _kind(item: Reference, scene: Scene) -> str | None:
    if isinstance(item, Sku):
        return kind_of_item(scene.name_of(item.sku), item.sku)
    return kind_of(item.words) if isinstance(item, Named) else None


def _items(item: Reference, scene: Scene, prompt: Prompt) -> list[Sku | Named]:
    """Return the products that are meant: the one, or the two that were told of together."""
    match item:
        case It():
            sku = spoken_of(scene, prompt)
            return [Sku(sku)] if sku is not None else []
        case Every(most=most) if most in (None, PAIR):
            pair = on_view(Every(PAIR, exact=True), scene)
            skus = pair.skus if isinstance(pair, Found) else ()
            answer = prompt.past[-1].answer if prompt.past else ""
            is_told = all(sku in answer or scene.name_of(sku) in answer for sku in skus)
            return [Sku(sku) for sku in skus] if len(skus) == PAIR and is_told else []
        case Other():
            one = on_view(item, scene)
            is_one = isinstance(one, Found) and len(one.skus) == 1
            return [Sku(one.skus[0])] if isinstance(one, Found) and is_one else []
        case _:
            found = meant(item, scene, prompt)
            return [found] if found is not None else []
