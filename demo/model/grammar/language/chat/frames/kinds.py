"""A thing that a clause points at, and the kind that is named with another of them. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents import Named, Reference
from daybook.demo.model.grammar.language.words import NOUNS, fold


@dataclass(frozen=True)
class Thing:
    """Something pointed at, how many of it (None: not said), and the tokens that say so.

    `sure` says that it is one certain thing: a SKU, a place, a model's name, "it".
    """

    item: Reference
    start: int
    end: int
    quantity: int | None = None
    more: bool = False
    sure: bool = True


def with_kinds(things: Sequence[Thing]) -> list[Thing]:
    """Give models the kind that is named with the last of them: "X versus Y winter bags"."""
    found: list[Thing] = []
    kind = ""
    for thing in reversed(things):
        item = thing.item
        if isinstance(item, Named) and has_model(item.words):
            noun = next((word for word in item.words if fold(word) in NOUNS), "")
            kind = noun or kind
            if kind and not noun and len(item.words) == _MODEL:
                thing = replace(thing, item=replace(item, words=(*item.words, kind)))
        else:
            kind = ""
        found.append(thing)
    return _with_the_kind(found[::-1])


def _with_the_kind(things: Sequence[Thing]) -> list[Thing]:
    """Give the models behind it the one kind that is named: "the X jacket or Y"."""
    kinds = {
        fold(word): word
        for one in things
        if isinstance(one.item, Named) and has_model(one.item.words)
        for word in one.item.words
        if fold(word) in NOUNS
    }
    kind = next(iter(kinds.values()), "")
    return [
        replace(one, item=replace(one.item, words=(*one.item.words, kind)))
        if len(kinds) == 1
        and one.quantity is None
        and isinstance(one.item, Named)
        and has_model(one.item.words)
        and len(one.item.words) == _MODEL
        else one
        for one in things
    ]


_MODEL: Final = 2
