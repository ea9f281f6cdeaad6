"""A thing that a clause points at, and the kind that is named with another of them. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.references import Named, Reference
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
    """Give models the kind that is named with the last of them: "X versus Y winter bags".

    What is counted where the others are not is a thing of its own: "X and two Y socks".
    """
    found: list[Thing] = []
    kind, counted = "", False
    for thing in reversed(things):
        item = thing.item
        if isinstance(item, Named) and has_model(item.words):
            noun = next((word for word in item.words if fold(word) in NOUNS), "")
            kind, counted = (noun, thing.quantity is not None) if noun else (kind, counted)
            is_of_it = not counted or thing.quantity is not None
            if kind and not noun and is_of_it and len(item.words) == _MODEL:
                thing = replace(thing, item=replace(item, words=(*item.words, kind)), sure=True)
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
    first = next((one.start for one in things if kind and _says(kind, one)), 0)
    return [
        replace(one, item=replace(one.item, words=(*one.item.words, kind)))
        if len(kinds) == 1
        and one.quantity is None
        and one.start > first
        and isinstance(one.item, Named)
        and has_model(one.item.words)
        and len(one.item.words) == _MODEL
        else one
        for one in things
    ]


def _says(kind: str, thing: Thing) -> bool:
    return isinstance(thing.item, Named) and kind in thing.item.words


_MODEL: Final = 2
