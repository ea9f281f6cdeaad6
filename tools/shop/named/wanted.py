"""Whether a person wants a product that was taken out: names it, goes on about it, wants it back.

Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from daybook.state.shop.cart import Cart, Removed
from daybook.tools.shop.named.mentions import Product
from daybook.tools.shop.named.sentence import Sentence

_ASKS_WHAT_WENT = re.compile(
    r"\b(?:what|which)\b(?: \w+){0,3} (?:did|have|has|had|was|were)"
    r"(?: (?:it|that|i|we|you|been|just|already|ever|earlier|all))*"
    r" (?:removed?|took|take|taken|deleted?|dropped|drop|thrown?|kicked)\b",
    re.IGNORECASE,
)
"""Where a person asks what went, it is named."""

_NOT_THAT = re.compile(
    r"\b(?:not|no|never|don'?t|doesn'?t|didn'?t|without|except|but|than|instead of|besides|apart"
    r" from|excluding|forget|skip|hate|dislike|remove|drop|delete|take out|took out|removed)"
    r"\b(?:[^\w,;:.!?]+[\w'-]+){0,5}[^\w,;:.!?]*$",
    re.IGNORECASE,
)
"""Words behind which a product is named as one that is not wanted."""

_WANTS_BACK = re.compile(
    r"\b(?:put|add|take|get|bring|want|have|buy|need|show|undo|order)\b.{0,60}"
    r"\b(?:back|again|after all|anyway)\b|\bundo\b|\bchanged my mind\b",
    re.IGNORECASE | re.DOTALL,
)
_IT = re.compile(r"\b(?:it|them|that|those|this|these|ones?|pair|undo|mind)\b", re.IGNORECASE)

_ALL_BACK = re.compile(
    r"\b(?:put|add|take|get|bring|want|buy|order) (?:both|all|everything)(?: of (?:it|them|those))?"
    r" (?:back|again|after all)\b",
    re.IGNORECASE,
)

_ELSEWHERE = re.compile(
    r"\b(?:best|better|else|others?|another|recommend\w*|suggest\w*|propos\w*|show|search|find"
    r"|look(?:ing)? for|similar|alternatives?|instead|options?|cheaper|lighter|warmer|no|not|don'?t"
    r"|never|nothing|remove|drop|delete|forget|out)\b",
    re.IGNORECASE,
)
"""What a message holds that does not go on about what was spoken of before."""

_LONGEST_FOLLOWING = 12
"""Words of a message that only goes on."""

_MOST_FOLLOWING = 4


def asks_what_went(words: str) -> bool:
    """Tell whether a person asks what was taken out."""
    return _ASKS_WHAT_WENT.search(words) is not None


def said_of(item: Removed, state: Mapping[str, Any], words: str) -> tuple[str, ...]:
    """Return what a person says now, and what they said before as far as they go on about it.

    "Is it dry?" names no product, and goes on about the one that was named right before; since it
    was taken out, that is.
    """
    human = [m for m in state.get("messages") or () if m.type == "human"]
    since = next((at + 1 for at, m in enumerate(human) if m.id == item.turn_id), len(human))
    texts = [m.text for m in human[since:]]
    said = [words]
    before = texts[:-1] if texts and texts[-1] == words else []
    while before and len(said) <= _MOST_FOLLOWING and _goes_on(item, said[-1]):
        said.append(before.pop())
    return tuple(said)


def _goes_on(item: Removed, words: str) -> bool:
    """Tell whether a message names nothing by itself and leads to nothing else."""
    said, product = Sentence(words), Product(item)
    if len(said.words) > _LONGEST_FOLLOWING or _ELSEWHERE.search(said.plain):
        return False
    return not said.kinds or product.has_kind(said)


def asked_for(item: Removed, words: str) -> bool:
    """Tell whether a person's words name a product and want it, or want its kind back."""
    product = Product(item)
    for part in _parts(words):
        said = Sentence(part)
        if product.is_meant(said) and not _is_refused(product, part):
            return True
        if _WANTS_BACK.search(part) and product.kinds & set(said.stems):
            return True
    return False


def wanted_back(cart: Cart, item: Removed, words: str) -> bool:
    """Tell whether words ask for a product by name, for all, or for "it" where it went last."""
    is_last = bool(cart.removed) and cart.removed[-1].sku == item.sku
    is_of_all = _ALL_BACK.search(words) is not None
    return asked_for(item, words) or is_of_all or (is_last and wants_it_back(words))


def wants_it_back(words: str) -> bool:
    """Tell whether words ask for "it" again, or for all, and name nothing."""
    if _ALL_BACK.search(words):
        return True
    return _WANTS_BACK.search(words) is not None and _IT.search(words) is not None


def refused(item: Removed, words: str) -> bool:
    """Tell whether words name a product, and each time as what is not wanted."""
    product = Product(item)
    named = [part for part in _parts(words) if product.is_meant(Sentence(part))]
    return bool(named) and all(_is_refused(product, part) for part in named)


def _parts(words: str) -> list[str]:
    return re.split(r"(?<=[.!?;])\s+|,\s*(?:but|and)\s+", words)


def _is_refused(product: Product, part: str) -> bool:
    """Tell whether a part of what was said names a product only as what is not wanted."""
    ends = [found.end() for found in re.finditer(r"[\w'-]+", part)]
    first = next((end for end in ends if product.is_meant(Sentence(part[:end]))), len(part))
    starts = [found.start() for found in re.finditer(r"[\w'-]+", part[:first])]
    named = next((at for at in reversed(starts) if product.is_meant(Sentence(part[at:first]))), 0)
    return _NOT_THAT.search(part[:named]) is not None
