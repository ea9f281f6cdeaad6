"""Whether "it", "both" or a place may stand for other goods than was read."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.answers.held.evidence.said import Said, changed_by, is_named_in
from daybook.demo.model.grammar.answers.held.evidence.words import BEST, MANY, PLACE
from daybook.demo.model.grammar.language.chat.names import is_model
from daybook.demo.model.grammar.language.intents.cart import Add
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Extreme, It, Nth, Other, Sku
from daybook.demo.model.grammar.language.words import kind_of_item
from daybook.demo.model.grammar.seen.prompt import question_of

_LOOKS_BACK: Final = 4
_PAIR: Final = 2
_NUMBER: Final = re.compile(rf"\d|\b(?:{MANY})\b")
_AT: Final = re.compile(r"\bthe (first|second|third|fourth|fifth)\b(?! \w+ (?:of|for)\b)")
_PLACES: Final = ("first", "second", "third", "fourth", "fifth")
_BACK: Final = re.compile(
    r"\b(?:first|last|earlier|before|previous|original|initial|former|latter|other)\b"
)


def is_elsewhere(one: Intent, said: Said) -> bool:
    """Tell whether what is changed is not at the place that is said, in any list or the cart."""
    places = {_PLACES.index(found) for found in _AT.findall(said.plain)}
    item = getattr(one, "item", None)
    if len(places) != 1 or not isinstance(item, It | Sku) or said.names:
        return False
    skus = said.skus(item)
    (at,) = places
    lists = [[row.sku for row in rows] for rows in (*said.scene.lists, said.scene.latest)]
    if isinstance(one, Add) and one.more and any(len(rows) > at for rows in lists):
        return len(skus) == 1 and not any(skus[0] in rows[at : at + 1] for rows in lists)
    lists += [[line.sku for line in said.scene.cart], [*reversed(said.scene.recent)]]
    return len(skus) == 1 and not any(skus[0] in rows[at : at + 1] for rows in lists)


def was_cheaper(sku: str, said: Said) -> bool:
    """Tell whether another of its kind that was told of costs less."""
    row = said.scene.known.get(sku)
    kind = kind_of_item(said.scene.name_of(sku), sku)
    return row is not None and any(
        0 < other.cents < row.cents and kind_of_item(other.name, other.sku) == kind
        for other in said.scene.told
    )


def are_others(skus: set[str], said: Said) -> bool:
    """Tell whether "both", or "one of each", are not what was shown or named last."""
    assert said.last is not None
    shown = {*said.told(said.last), *changed_by(said.last)}
    if len(skus) > _PAIR:
        return shown != skus
    asked = " ".join(turn.text for turn in said.prompt.past[-_PAIR:])
    is_named = all(is_named_in(said.scene.name_of(sku), asked) or sku in asked for sku in skus)
    latest = {row.sku for row in said.scene.latest}
    return len(skus) == _PAIR and not (skus <= shown or latest == skus or is_named)


def is_another(one: Add, said: Said) -> bool:
    """Tell whether "it", a bare number or a place may stand for another product than was read."""
    assert said.last is not None
    skus = said.skus(one.item)
    comes_back = one.item == It(many=True) and "back" in said.plain.split()
    if len(skus) != 1 or comes_back or (one.more and said.scene.in_cart(skus[0])):
        return False
    (sku,) = skus
    if said.scene.faded and isinstance(one.item, It | Sku) and not _NUMBER.search(said.plain):
        return True
    told = said.told(said.last)
    if isinstance(one.item, Nth) and told and re.search(r"\blast\b", said.plain):
        return sku not in told
    if isinstance(one.item, Nth) and one.item.counted and not one.item.words:
        return _is_of_those_told(one.item.n, sku, said)
    if isinstance(one.item, Extreme | Other):
        return False
    is_back = _BACK.search(said.plain) is not None and len(said.scene.recent) > 1
    if (offered := ASK_ADD.fullmatch(question_of(said.last))) is not None:
        if offered[1] == sku:
            return is_back and isinstance(one.item, It | Sku)
        return not (PLACE.search(said.plain) or BEST.search(said.plain))
    if not isinstance(one.item, It | Sku) or (PLACE.search(said.plain) and not is_back):
        return False
    return _is_not_last(sku, said, is_back=is_back and isinstance(one.item, It))


def _is_of_those_told(n: int, sku: str, said: Said) -> bool:
    """Tell whether "the first one" may be of those that were told of by name since the list."""
    told: list[str] = []
    for turn in reversed(said.prompt.past):
        if len(said.told(turn)) != 1 or not any(is_model(*pair) for pair in _words(turn.text)):
            break
        told = [*said.told(turn), *told]
    told = list(dict.fromkeys(told))
    return len(told) > 1 and 0 < n <= len(told) and told[n - 1] != sku


def _words(text: str) -> Iterator[tuple[str, str]]:
    return pairwise(re.findall(r"[a-z]+", text.lower()))


def _is_not_last(sku: str, said: Said, *, is_back: bool) -> bool:
    """Tell whether the last turn that was about any product was about others than this one."""
    for turn in reversed(said.prompt.past[-_LOOKS_BACK:]):
        told = said.told(turn)
        changed = changed_by(turn)
        if told == [sku]:
            return is_back
        if told or changed:
            return changed != {sku} and not is_named_in(said.scene.name_of(sku), turn.text)
    return False
