"""Whether the counts and the goods that a message names are those of the changes read from it.

Pure. A count that no change has, a count of what is in the cart already, goods that no change is
of, and a reference that may mean another product are asked about.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.answers.deciding.lately import MOST, spoken_of
from daybook.demo.model.grammar.answers.held.accounted import CART
from daybook.demo.model.grammar.answers.held.wished import counts_else
from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.frames.things import things_in
from daybook.demo.model.grammar.language.chat.names import is_model
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Doubtful,
    Keep,
    Remove,
    SetQuantity,
    Swap,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Every, It, Named, Reference, Sku
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood, Talk
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.referents import Found, on_view
from daybook.demo.model.grammar.seen.scene import Scene, scene_of

_TOOLS: Final = frozenset({"add_to_cart", "set_quantity", "remove_from_cart"})
_PAIR: Final = 2
_LOOKS_BACK: Final = 4
_NEW_NUMBERS: Final = re.compile(
    r"\b(?:new|right|correct|corrected|final|changed|updated|other) (?:numbers?|counts?|quantit\w+"
    r"|amounts?|totals?)\b|\b(?:in total|altogether|in all|all in all|correction)\b"
)
"""What says that a count is how many there shall be."""
_MORE: Final = re.compile(
    r"\b(?:more|another|extra|additional|further|spare|also|too|add|adding|again|plus|on top"
    r"|as well|put|pop|throw|chuck|stick|drop|bung)\b|^(?:\w+ )?and\b"
)
"""What says that a count is how many more there shall be."""
_LOOKS: Final = re.compile(
    r"\b(?:reviews?|prices?|details?|compare|show|tell|what|which|how|weighs?|weights?|describe"
    r"|read|see|pages?|information|specs?)\b"
)
_ACTS: Final = re.compile(
    r"\b(?:add|put|take|want|need|buy|get|have|give|order|grab|throw|pop|stick|chuck|make|change"
    r"|set|remove|delete|drop|swap|replace|pack|send|cart|yes|yeah|yep|sure|please|for|love|lose"
    r"|keep|clear|empty|like|cancel)\b"
)
_NOT_YET: Final = re.compile(
    r"\b(?:let me|i (?:will|must|should|have to|need to|want to|had better)|we (?:must|have to"
    r"|need to))(?: first| just| really)* (?:ask|check with|talk to|think|speak (?:to|with)"
    r"|sleep on|measure)\b(?! (?:i|we) (?:will|would|am|have)\b)(?! you\b)"
    r"|\b(?:is|are|am) not (?:quite |really |so |100 % )*(?:sure|certain|convinced|decided)"
    r"(?: yet)?(?= [.,;!]|$)"
    r"|[.,;!-] (?:(?:oh|no|hm+|ah|or) )*(?:wait|no no|hang on|hold on|stop)(?: [.!]| wait| no)*$"
    r"|\b(?:list|wish ?list|idea|note)s? for later\b|\b@? to be \w+(?: [.!])*$"
)
"""What leaves a wish open, wherever it stands: "let me ask my wife first"."""
_EACH: Final = re.compile(r"\bof each\b|\b(?:one|two|1|2) each\b")
_CHEAP: Final = re.compile(r"\bthe cheap(?:er|est)? one\b")
_COMPARES: Final = re.compile(
    r"\b(?:better|cheaper|lighter|warmer|bigger|larger|smaller|brighter|nicer|stronger)\b"
)


def settled(intents: Sequence[Intent], text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Return what was read, its changes as questions where counts or goods are not those said.

    What this turn has changed already was looked at then.
    """
    is_done = any(call.tool in _TOOLS for call in prompt.turn.calls)
    changes = [one for one in intents if isinstance(one, CART)]
    if not changes:
        return tuple(intents)
    tokens = tokens_of(text)
    plain = " ".join(token.text for token in tokens)
    scene = scene_of(prompt)
    if is_done:
        return tuple(_as_told(one, tokens, plain, scene) for one in intents)
    if _NOT_YET.search(plain):
        more = Add | SetQuantity | Swap
        return tuple(doubtful(one) if isinstance(one, more) else one for one in intents)
    if _only_looks(changes, plain):
        return tuple(one for one in intents if one not in changes) or tuple(map(doubtful, intents))
    if (pair := _other_pair(changes, plain, scene, prompt)) is not None:
        return (Doubtful("add", tuple(map(Sku, pair))),)
    counted = tuple(_in_the_cart(one, tokens, plain, scene) for one in intents)
    if (number := _unread(counted, tokens, scene)) is not None:
        return tuple(_asked(one, number, alone=len(changes) == 1) for one in counted)
    if (together := _said_together(changes, tokens, scene, prompt)) is not None:
        return (together,)
    if any(_means_another(changes, plain, tokens, scene, prompt)) or any(
        _left_out(counted, tokens, scene)
    ):
        return tuple(doubtful(one) if isinstance(one, CART) else one for one in counted)
    return counted


def _skus(item: Reference | None, scene: Scene) -> tuple[str, ...]:
    if item is None:
        return ()
    found = on_view(item, scene)
    return found.skus if isinstance(found, Found) else ()


# ---- counts ------------------------------------------------------------------------------------


def _numbers(tokens: Sequence[Token]) -> list[int]:
    things, counts = things_in(tokens)
    return [*_of_goods(things), *(one.value for one in counts)]


def _of_goods(things: Sequence[Thing]) -> list[int]:
    """Return how many of goods there shall be; so many people are none."""
    return [
        one.quantity
        for one in things
        if one.quantity and not (isinstance(one.item, Named) and {*one.item.words} <= _PEOPLE)
    ]


_PEOPLE: Final = frozenset("kids men women boys girls adults us persons people".split())  # noqa: SIM905


def _unread(intents: Sequence[Intent], tokens: Sequence[Token], scene: Scene) -> int | None:
    """Return a count above one that nothing which was read has."""
    if all(isinstance(one, Remove | Keep | ClearCart) for one in intents):
        numbers = _of_goods(things_in(tokens)[0])
    else:
        numbers = [n for n in _numbers(tokens) if n <= MOST]
    said = re.sub(r"sku='[^']*'|[A-Z]+-\d+", "", repr(tuple(intents)))
    used = {int(digits) for digits in re.findall(r"\d+", said)}
    used |= {cents // 100 for cents in used}
    changes = [one for one in intents if isinstance(one, CART | Doubtful)]
    used.add(len(changes))
    for one in changes:
        items = getattr(one, "items", None) or (
            getattr(one, "item", None),
            getattr(one, "gone", None),
        )
        skus = [sku for item in items if item for sku in _skus(item, scene)]
        used.add(len(skus))
        for sku in skus:
            used |= _told_of(sku, scene)
            used |= {row.number for row in scene.latest if row.sku == sku}
    texts = {token.text for token in tokens}
    if sum(numbers) in used or (_RIGHTS & texts and numbers[-1:] and numbers[-1] in used):
        return None
    lines = {line.quantity for line in scene.cart}
    used |= lines | {
        n for n in numbers for there in lines if {there - n, n - there, there + n} & used
    }
    if any(isinstance(one, SetQuantity) and one.double for one in intents):
        return None
    plain = " ".join(token.text for token in tokens)
    return next((n for n in numbers if n > 1 and n not in used and not counts_else(n, plain)), None)


_RIGHTS: Final = frozenset("no nope not wait sorry mean meant rather actually make".split())  # noqa: SIM905


def _told_of(sku: str, scene: Scene) -> set[int]:
    """Return the numbers of a product's name, page and price: "the 130 one"."""
    page, row = scene.pages.get(sku), scene.known.get(sku)
    values = (
        [scene.name_of(sku)] if page is None else [scene.name_of(sku), *page.attributes.values()]
    )
    found = {int(digits) for digits in re.findall(r"\d+", " ".join(values))}
    return found if row is None else found | {row.cents // 100, round(row.cents / 100)}


def _asked(one: Intent, number: int, *, alone: bool) -> Intent:
    if isinstance(one, Add) and one.quantity == 1 and alone and number <= MOST:
        return Doubtful("add", (one.item,), number)
    return doubtful(one) if isinstance(one, CART) else one


def _as_told(one: Intent, tokens: Sequence[Token], plain: str, scene: Scene) -> Intent:
    """Take a count of what is in the cart for how many there shall be where a text says so."""
    sku = _counted_line(one, tokens, scene)
    if sku is None or not isinstance(one, Add) or not _NEW_NUMBERS.search(plain):
        return one
    is_part = one.more or _ON_TOP.search(plain) is not None
    return one if is_part else SetQuantity(Sku(sku), one.quantity)


_ON_TOP: Final = re.compile(r"\b(?:more|another|extra|additional|on top|add)\b")


def _in_the_cart(one: Intent, tokens: Sequence[Token], plain: str, scene: Scene) -> Intent:
    """Take a count of what is in the cart for how many there shall be, or ask which is meant."""
    told = _as_told(one, tokens, plain, scene)
    sku = _counted_line(told, tokens, scene)
    if sku is None or not isinstance(told, Add) or told.more or _MORE.search(plain):
        return told
    return Doubtful("set", (Sku(sku),), told.quantity)


def _counted_line(one: Intent, tokens: Sequence[Token], scene: Scene) -> str | None:
    """Return the line of the cart that a counted addition is of."""
    if not isinstance(one, Add) or one.again or one.quantity not in _numbers(tokens):
        return None
    skus = _skus(one.item, scene)
    return skus[0] if len(skus) == 1 and scene.in_cart(skus[0]) is not None else None


# ---- goods -------------------------------------------------------------------------------------


def _only_looks(changes: Sequence[Intent], plain: str) -> bool:
    """Tell whether "all of them" belongs to a wish to look: "and now its reviews. all of them"."""
    adds = all(isinstance(one, Add) and one.quantity == 1 for one in changes)
    bare = re.search(r"\b(?:all|both|each|two|three|everything)\b", plain) is not None
    return adds and bare and bool(_LOOKS.search(plain)) and _ACTS.search(plain) is None


def _models(tokens: Sequence[Token]) -> list[tuple[str, str]]:
    pairs = ((one.text, after.text) for one, after in pairwise(tokens))
    return list(dict.fromkeys(pair for pair in pairs if is_model(*pair)))


def _left_out(intents: Sequence[Intent], tokens: Sequence[Token], scene: Scene) -> Iterator[bool]:
    """Yield for each model that is named whether nothing that was read is of it."""
    read = [one for one in intents if not isinstance(one, NotUnderstood | Talk)]
    said = repr(read).lower()
    skus = set(re.findall(r"\b[A-Z]{2,8}-\d{2,6}\b", repr(read)))
    for one in read:
        for item in (getattr(one, "item", None), getattr(one, "gone", None)):
            skus |= {*_skus(item, scene)} if item is not None else set()
    names = " ".join(scene.name_of(sku) for sku in skus).lower()
    inside = " ".join(line.name for line in scene.cart).lower()
    for first, second in _models(tokens):
        is_read = re.search(rf"\b{first}\b\W+{second}\b", f"{said} {names} {inside}") is not None
        yield not is_read


def _said_together(
    changes: Sequence[Intent], tokens: Sequence[Token], scene: Scene, prompt: Prompt
) -> Intent | None:
    """Ask of "that one, and also the X" for both where only one of them was read."""
    if len(changes) != 1 or not isinstance(changes[0], Add):
        return None
    things, _ = things_in(tokens)
    points = [one for one in things if isinstance(one.item, It)]
    named = [one for one in things if isinstance(one.item, Named | Sku)]
    if len(points) != 1 or len(named) != 1 or points[0].end > named[0].start:
        return None
    between = " ".join(one.text for one in tokens[points[0].end : named[0].start])
    if _TOO.fullmatch(between) is None:
        return None
    sku = spoken_of(scene, prompt)
    one = changes[0]
    if sku is None:
        return doubtful(one)
    if {sku} & {*_skus(one.item, scene)}:
        return Doubtful("add", (Sku(sku), named[0].item))
    return Doubtful("add", (Sku(sku), one.item)) if one.quantity == 1 else doubtful(one)


_TOO: Final = re.compile(
    r"(?:(?:in|into|to|my|the|cart|please|then|one) )*(?:, )?(?:and|plus|&)"
    r"(?: (?:also|then|please|one|a|an|the|of|pair|too|as|well|add|,))*"
)


def _compared(prompt: Prompt) -> tuple[str, str] | None:
    """Return the two products that the person last named beside each other."""
    for turn in reversed(prompt.past[-_LOOKS_BACK:]):
        skus = dict.fromkeys(
            str(call.args.get("sku")).upper() for call in turn.calls if call.tool == "get_product"
        )
        if len(skus) == _PAIR and len(_models(tokens_of(turn.text))) == _PAIR:
            first, second = skus
            return first, second
    return None


def _other_pair(
    changes: Sequence[Intent], plain: str, scene: Scene, prompt: Prompt
) -> tuple[str, ...] | None:
    """Return the two that were compared where "both" was read as others, or as one of them."""
    if not re.search(r"\bboth\b|\bthe two\b", plain) and _EACH.search(plain) is None:
        return None
    if not all(isinstance(one, Add) for one in changes) or is_named(plain):
        return None
    pair = _compared(prompt)
    found = {sku for one in changes if isinstance(one, Add) for sku in _skus(one.item, scene)}
    return pair if pair is not None and {*pair} != found and {*pair} & found else None


def is_named(plain: str) -> bool:
    """Tell whether a text names a model."""
    return any(is_model(*pair) for pair in pairwise(plain.split()))


def _means_another(
    changes: Sequence[Intent], plain: str, tokens: Sequence[Token], scene: Scene, prompt: Prompt
) -> Iterator[bool]:
    """Yield for each reference of a text whether it may mean other goods than were read."""
    adds = [one for one in changes if isinstance(one, Add)]
    skus = [sku for one in adds for sku in _skus(one.item, scene)]
    is_whole = len(adds) == len(changes) and all(_skus(one.item, scene) for one in adds)
    is_two = len({*skus}) == _PAIR or any(one.quantity == _PAIR for one in adds)
    yield bool(adds) and is_whole and "both" in plain.split() and not is_two
    is_one = len(changes) == 1 and not isinstance(changes[0], Swap)
    of_many = isinstance(getattr(changes[0], "item", None), Every) or len({*skus}) > 1
    yield _EACH.search(plain) is not None and is_one and not of_many
    points = not _models(tokens) and len(skus) == 1 and len(changes) == 1
    if points and _CHEAP.search(plain) is not None:
        rows = [row for row in scene.latest if row.cents]
        listed = [row for row in (scene.lists[-1] if scene.lists else ()) if row.cents]
        yield _was_cheaper(skus[0], scene)
        yield any(
            len(among) > 1 and skus[0] != min(among, key=lambda row: row.cents).sku
            for among in (rows, listed)
            if any(row.sku == skus[0] for row in among)
        )
    if len(adds) == len(changes) and isinstance(adds[0].item, It | Sku):
        first = _skus(adds[0].item, scene)
        yield bool(first) and _is_of_another_sort(first[0], plain, scene, prompt)


def _was_cheaper(sku: str, scene: Scene) -> bool:
    """Tell whether one of the same sort that was told of before costs less."""
    row = scene.known.get(sku)
    sort = scene.name_of(sku).lower().split()[2:]
    return row is not None and any(
        0 < other.cents < row.cents and other.name.lower().split()[2:] == sort
        for other in scene.told
    )


def _is_of_another_sort(sku: str, plain: str, scene: Scene, prompt: Prompt) -> bool:
    """Tell whether what was found to be better is of another sort than what it is better than."""
    if len(prompt.past) < _PAIR or is_named(scene.name_of(sku).lower()) is False:
        return False
    name = " ".join(scene.name_of(sku).lower().split()[:2])
    if name in plain or not _COMPARES.search(prompt.past[-1].text.lower()):
        return False
    before = {
        str(call.args.get("sku")).upper()
        for call in prompt.past[-2].calls
        if call.tool in ("get_product", "get_reviews")
    }
    if len(before) != 1:
        return False
    sorts = [scene.name_of(one).lower().split()[2:] for one in (sku, *before)]
    return sorts[0] != sorts[1]
