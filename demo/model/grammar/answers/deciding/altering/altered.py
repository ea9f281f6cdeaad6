"""Read a change of what is in the cart already: a count, a swap, a removal, a correction. Pure.

It is read wherever it stands in the text, and whatever stands beside it, so long as that cannot
turn it. What is not certain is left to the readers that ask.
"""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.answers.deciding.altering.lines import meant
from daybook.demo.model.grammar.answers.deciding.altering.phrases import Phrase, alone, phrases_of
from daybook.demo.model.grammar.answers.deciding.altering.silence import is_silent, keeps, pieces_of
from daybook.demo.model.grammar.answers.deciding.altering.units import Unit, shape_of, units_of
from daybook.demo.model.grammar.answers.deciding.lately import MOST, changed_last
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.told import wants_nothing
from daybook.demo.model.grammar.language.intents.cart import Add, Keep, Remove, SetQuantity, Swap
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import (
    Every,
    Extreme,
    It,
    Named,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.words import kind_of, kind_of_item
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.referents import Found, on_view
from daybook.demo.model.grammar.seen.scene import Scene, matches, scene_of

_LONGEST: Final = 45
_MOST_SAID: Final = 99
_PAIR: Final = 2
_SIZED: Final = frozenset({"hiking-boots", "socks", "jackets"})
_SIZES: Final = range(35, 49)
_MARKS: Final = re.compile(
    r"\b(?:no|nope|nah|wait|actually|sorry|oops|meant|mean|said|wrong|mistake|correction|rather"
    r"|instead|just|only|enough|plenty|total|altogether|reflection|suffice|typo|should|better|so"
    r"|then|second thoughts?|make|change|changed|oh)\b"
)
_PUTS_RIGHT: Final = re.compile(r"\b(?:correction|meant|mistake|wrong|typo|should (?:be|say))\b")
_THINKS: Final = re.compile(
    r"(?:\w+ ){0,3}?i think (?:i|we) (?:had better|will|would rather|should|shall)\b"
)
_ADDS: Final = re.compile(r"^(?:(?:ok|oh|ah) )*(?:and|also|plus)\b")
_ASKS: Final = re.compile(r"^(?:(?:and|so|ok|then|hi|hey|sorry|oh|well|actually|,|please) )*"
                          r"(?:(?:can|could|would|will) (?:you|we|i)\b|please\b)")  # fmt: skip


_LEAVES: Final = re.compile(
    r"(?:(?:but|and|oh|wait|no|nah|actually|oops|sorry|hm+|ok|[.,!]) )*(?:not|never mind|forget"
    r"|scrap|scratch) (?:about |on |the idea of )?@"
)
"""What lets goods go, or says that what was asked of them shall not be."""


def altered(text: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return the changes of what is in the cart that a text asks for; None where it asks none."""
    tokens = tokens_of(text)
    scene = scene_of(prompt)
    if not tokens or len(tokens) > _LONGEST or not scene.cart:
        return None
    units = units_of(tokens)
    phrases, left = phrases_of(units)
    numbers, left = alone(left)
    if all(phrase.act == "set" for phrase in phrases):
        phrases += numbers
    elif numbers:
        return None
    if not phrases or not _is_alone(phrases, left, units):
        return None
    thought = _THINKS.match(" ".join(token.text for token in tokens))
    begin = len(thought.group().split()) if thought is not None else 0
    let_go = {at for at, token in enumerate(tokens) if token.text in ("never", "forget")}
    let_go = {at for at in let_go if phrases[0].act == "remove"}
    is_asked = bool(prompt.past) and question_of(prompt.past[-1]).endswith("?")
    if is_asked and phrases[0].act == "remove" and _LEAVES.match(shape_of(units)):
        # "Shall I take the socks out?" "Not the socks": what was asked is what is denied.
        return None
    asked = [one for one in phrases if one.at not in let_go and not _is_of_last(one)]
    if any(one.at in let_go and _is_of_all(one) for one in phrases):
        return None
    if any(wants_nothing(tokens[begin if one.bare else one.at :]) for one in asked):
        return None
    pieces = [piece for piece in pieces_of(left) if not keeps(piece)]
    spoken = [unit for piece in pieces for unit in piece if unit.text == "@"]
    found: list[Intent] = []
    for phrase in phrases:
        done = _intents(phrase, spoken, units, scene, prompt)
        if done is None:
            return None
        found += [one for one in done if one not in found]
    return tuple(found) if _agree(found) and _are_theirs(spoken, found, scene, prompt) else None


def _is_of_last(phrase: Phrase) -> bool:
    """Tell whether it is "what I just added" that is meant: that asks nothing."""
    return phrase.of is not None and phrase.of.whose == "last"


def _is_of_all(phrase: Phrase) -> bool:
    """Tell whether "it", or everything, is let go: "forget about it"."""
    return phrase.of is None or isinstance(phrase.of.item, It | Every)


def _is_alone(phrases: Sequence[Phrase], left: Sequence[Unit], units: Sequence[Unit]) -> bool:
    """Tell whether nothing that is said beside the changes turns them."""
    removes = any(phrase.act in ("remove", "less", "swap", "keep") for phrase in phrases)
    pieces = list(pieces_of(left))
    asks = _ASKS.match(shape_of(units)) is not None
    last = [unit for unit in left if unit.text not in (".", "!", ",")][-1:]
    ends_told = bool(last) and last[0].text != "~"
    for at, piece in enumerate(pieces):
        bare = [unit for unit in piece if not (asks and unit.text == "?")]
        is_last = at == len(pieces) - 1 and ends_told
        if bare and not is_silent(bare, removes=removes, is_last=is_last):
            return False
    return True


def _agree(found: Sequence[Intent]) -> bool:
    """Tell whether no two changes are of the same line."""
    items = [repr(getattr(one, "gone", None) or getattr(one, "item", None)) for one in found]
    return bool(items) and len({*items}) == len(items)


def _are_theirs(
    spoken: Sequence[Unit], found: Sequence[Intent], scene: Scene, prompt: Prompt
) -> bool:
    """Tell whether goods that are named beside the changes are those that change, or stay."""
    skus = set(re.findall(r"sku='([^']+)'", repr(found)))
    for unit in spoken:
        if unit.item is None or isinstance(unit.item, It | Every):
            continue
        item = meant(unit, (), scene, prompt)
        nouns = tuple(word for word in unit.said if kind_of([word]) is not None)
        if item is None and nouns and not has_model(unit.said):
            # "A 90 dollar jacket": what is said of its price names no other one.
            item = meant(Unit("@", Named(nouns)), (), scene, prompt)
        is_known = isinstance(item, Sku) and scene.in_cart(item.sku) is not None
        is_swapped = any(isinstance(one, Swap) for one in found)
        if not is_known and not (is_swapped or isinstance(item, Extreme)):
            return False
        if is_known and isinstance(item, Sku) and item.sku not in skus:
            return False
    return True


def _intents(
    phrase: Phrase, spoken: Sequence[Unit], units: Sequence[Unit], scene: Scene, prompt: Prompt
) -> tuple[Intent, ...] | None:
    """Return what a phrase asks for; None where it is not certain."""
    question = question_of(prompt.past[-1]) if prompt.past else ""
    points = phrase.of is None or isinstance(phrase.of.item, It)
    if (
        question.endswith("?")
        and points
        and not any(unit.item for unit in spoken if not _is_it(unit))
    ):
        # What was asked, or offered, is what a pronoun or a number may be of.
        return None
    if phrase.act == "swap":
        return _swapped(phrase, spoken, scene, prompt)
    if (
        phrase.act in ("double", "halve")
        and (every := _of_every(phrase, scene, prompt)) is not None
    ):
        return every
    item = meant(phrase.of, spoken, scene, prompt)
    if item is None:
        return None
    line = scene.in_cart(item.sku) if isinstance(item, Sku) else None
    if phrase.act in ("remove", "keep") and isinstance(item, Sku | Extreme):
        is_part = len(scene.cart) > 1 and _MARKS.search(shape_of(units)) is not None
        if phrase.act == "keep":
            return (Keep(item),) if is_part and not points else None
        return (Remove(item),)
    if line is None or not isinstance(item, Sku):
        return None
    count = phrase.count or 0
    match phrase.act:
        case "less":
            return (Remove(item, count),) if 0 < count <= _MOST_SAID else None
        case "more":
            return (Add(item, count, more=True),) if 0 < count <= _MOST_SAID else None
        case "double":
            return (SetQuantity(item, double=True),)
        case "halve":
            return _halved(item, line.quantity, prompt)
        case _:
            return _counted(phrase, item, units, scene, prompt)


def _is_it(unit: Unit) -> bool:
    return isinstance(unit.item, It)


def _counted(
    phrase: Phrase, item: Sku, units: Sequence[Unit], scene: Scene, prompt: Prompt
) -> tuple[Intent, ...] | None:
    """Return how many there shall be; a number alone is a correction of what was done last."""
    count, shape = phrase.count or 0, shape_of(units)
    is_sized = kind_of_item(scene.name_of(item.sku), item.sku) in _SIZED
    is_bare_size = phrase.of is None or isinstance(phrase.of.item, It)
    if not count and not phrase.bare:
        return (Remove(item),)
    if not 0 < count <= _MOST_SAID or (is_sized and count in _SIZES and is_bare_size):
        return None
    if not phrase.bare:
        return (SetQuantity(item, count),)
    is_named = phrase.of is not None and isinstance(phrase.of.item, Named)
    is_put_right = is_named and _PUTS_RIGHT.search(shape) is not None
    is_fresh = is_put_right or changed_last(scene, prompt) == item.sku or item.sku in scene.together
    has_model_too = is_named and phrase.of is not None and has_model(phrase.of.said)
    marked = _MARKS.search(shape) is not None
    if _ADDS.match(shape) or count > MOST or not is_fresh or (has_model_too and not marked):
        return None
    return (SetQuantity(item, count),)


def _of_every(phrase: Phrase, scene: Scene, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return twice, or half, as many of all that is in the cart: "halve everything"."""
    item = None if phrase.of is None else phrase.of.item
    if not isinstance(item, Every) or item.most not in (None, len(scene.cart)):
        return None
    those = [one for one in scene.cart if not item.words or matches(item.words, one.name, one.sku)]
    if phrase.act == "double":
        return tuple(SetQuantity(Sku(one.sku), double=True) for one in those) or None
    halves = [_halved(Sku(one.sku), one.quantity, prompt) for one in those]
    return tuple(half for halved in halves if halved for half in halved) if all(halves) else None


def _halved(item: Sku, there: int, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return half of an even count; what this turn has made it already stands."""
    done = [
        call.args.get("quantity")
        for call in prompt.turn.calls
        if call.tool == "set_quantity" and str(call.args.get("sku")).upper() == item.sku
    ]
    if done and isinstance(done[0], int):
        return (SetQuantity(item, done[0]),)
    return (SetQuantity(item, there // _PAIR),) if there % _PAIR == 0 else None


def _swapped(
    phrase: Phrase, spoken: Sequence[Unit], scene: Scene, prompt: Prompt
) -> tuple[Intent, ...] | None:
    """Return what takes the place of what: all of it, or so many."""
    come = _coming(phrase.come, spoken, scene, prompt)
    if come is None:
        return None
    said = None if phrase.come is None else phrase.come.item
    left = None if phrase.of is None else meant(phrase.of, (), scene, prompt)
    if isinstance(come, Sku) and isinstance(said, Named) and isinstance(left, Sku):
        kinds = {kind_of_item(scene.name_of(one.sku), one.sku) for one in (come, left)}
        # A name alone is of the kind in whose place it comes.
        come = come if len(kinds) == 1 or kind_of(said.words) is not None else said
    if phrase.of is None:
        kind = kind_of_item(scene.name_of(come.sku), come.sku) if isinstance(come, Sku) else None
        lines = [one for one in scene.cart if kind_of_item(one.name, one.sku) == kind]
        gone: Reference | None = Sku(lines[0].sku) if len(lines) == 1 else None
    else:
        gone = meant(phrase.of, (), scene, prompt)
    if not isinstance(gone, Sku) or come == gone:
        return None
    there = scene.in_cart(gone.sku)
    held = scene.in_cart(come.sku) if isinstance(come, Sku) else None
    if there is None:
        return None
    if held is not None:
        count = phrase.count or there.quantity
        is_more = phrase.more or phrase.count is not None
        return (Add(come, count, more=True), Remove(gone, phrase.count)) if is_more else None
    return (Swap(come, gone, quantity=phrase.count),)


def _coming(
    unit: Unit | None, spoken: Sequence[Unit], scene: Scene, prompt: Prompt
) -> Sku | Named | None:
    """Return what is to come: one of the cart, one that was told of, or what a name finds."""
    if unit is None or unit.item is None:
        return None
    item = unit.item
    if isinstance(item, It):
        named = [one for one in spoken if isinstance(one.item, Named)]
        if len(named) == 1:
            return _coming(named[0], (), scene, prompt)
        focus = None if scene.choosing or scene.faded else scene.focus
        return Sku(focus) if focus is not None and scene.in_cart(focus) is None else None
    inside = meant(unit, (), scene, prompt)
    if isinstance(inside, Sku):
        return inside
    shown = on_view(item, scene)
    if isinstance(shown, Found):
        return Sku(shown.skus[0]) if len(shown.skus) == 1 else None
    return item if isinstance(item, Named) and has_model(item.words) else None
