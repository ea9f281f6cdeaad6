"""The steps of goods on view that are so: their rows and their pages tell which of them are."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.questions import ask_add
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step
from daybook.demo.model.grammar.language.chat.bounds.without import unwanted_in
from daybook.demo.model.grammar.language.chat.vocabulary import COLOURS
from daybook.demo.model.grammar.language.intents.goods import Search, Those
from daybook.demo.model.grammar.language.intents.references import Extreme, Reference
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import kind_of, plain_noun, stems
from daybook.demo.model.grammar.page import is_so
from daybook.demo.model.grammar.seen.referents import Found, Unclear, Wanted
from daybook.demo.model.grammar.seen.results import Row
from daybook.demo.model.grammar.steps.goods.narrowing import (
    fits_page,
    fits_row,
    needs_pages,
    pages_of,
)
from daybook.demo.model.grammar.steps.goods.search import TELLING, search, words_searched

_MOST_READ: Final = 6


def such(
    rows: Sequence[Row], words: Sequence[str], desk: Desk, *, unisex: bool = False
) -> Do | list[Row]:
    """Return those of some goods that are as the words say; ask for the pages that tell it."""
    said = [word for word in words if kind_of([word]) is None]
    named = [row for row in rows if said and stems(said) <= stems(row.name.lower().split())]
    if named or not said:
        return named or list(rows)
    if (unread := pages_of(rows[:_MOST_READ], desk)) is not None:
        return unread
    read = [(row, page) for row in rows if (page := desk.scene.pages.get(row.sku)) is not None]
    found = [row for row, page in read if is_so(page, said, unisex=unisex)]
    return found or [row for row, page in read if is_so(page, said, shades=True, unisex=True)]


def meant_among(meaning: Wanted, words: Sequence[str], desk: Desk) -> Found | Unclear | Do | None:
    """Return what is meant of those that it may be; None where none of them is so."""
    if not 1 < len(meaning.among) <= _MOST_READ:
        return None
    found = such(meaning.among, words, desk)
    if isinstance(found, Do):
        return found
    if len(found) == 1:
        return Found((found[0].sku,))
    is_all = len(found) == len(meaning.among)
    return Unclear("which", tuple(words), tuple(found)) if found and not is_all else None


def narrowed_by_what_is_said(item: Reference, desk: Desk) -> Do | Reference:
    """Let the most of a list be one of those that are as is said; where none is, look for such.

    A search lists others behind those that have it, and only pages tell: unread ones are asked for.
    """
    if not isinstance(item, Extreme) or not desk.scene.lists or desk.scene.group:
        return item
    tokens = tokens_of(desk.prompt.turn.text)
    gone = unwanted_in(tokens)
    named = tuple(word for word in item.words if word not in ("of", "the"))
    if named and not all(word in TELLING for word in named):
        return item
    said = named or tuple(w for w in _said_to_be(tokens) if w not in gone)
    wanted = stems(COLOURS & set(words_searched(desk)))
    measured = _MEASURE.search(" ".join(_digits(token) for token in tokens))
    if not (wanted or measured or said):
        return item
    rows = desk.scene.lists[-1]
    if (unread := pages_of(rows, desk)) is not None:
        return unread
    pages = [(row, desk.scene.pages[row.sku]) for row in rows if row.sku in desk.scene.pages]
    fitting = tuple(
        row
        for row, page in pages
        if _has(page.attributes, wanted, measured)
        and (not said or _is_called(row, said) or is_so(page, said, unisex=True))
    )
    if named:
        # One alone of a list may be beside the point: such goods are looked for.
        if len(fitting) > 1:
            desk.scene = replace(desk.scene, group=fitting)
        return replace(item, words=()) if len(fitting) > 1 else item
    if fitting:
        desk.scene = replace(desk.scene, group=fitting)
    kind = desk.scene.kind
    if fitting or not said or kind is None:
        return item
    return replace(item, words=(*said, *plain_noun(kind).split()))


def _is_called(row: Row, said: Sequence[str]) -> bool:
    return stems(said) <= stems(re.findall(r"[a-z]+", row.name.lower()))


def _digits(token: Token) -> str:
    return str(token.value) if token.kind is Kind.NUMBER else token.text


def _said_to_be(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield what goods are said to be made of, and to have."""
    for at, token in enumerate(tokens):
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        is_of_goods = token.text != "down" or after in _FILLED or kind_of([after]) is not None
        if token.text in TELLING and is_of_goods:
            yield token.text


_FILLED: Final = frozenset({"one", "ones", "filled", "fill", "sleeping", "jacket", "jackets"})
"""Behind "down", where it is a filling: "which packs down smallest?" says where, and not what."""


_MEASURE: Final = re.compile(r"\b(\d{1,3})[ -]?(l|lit(?:er|re)s?|persons?|people|man|seasons?)\b")
_MEASURED_BY: Final = {
    "l": "capacity_litre", "p": "persons", "m": "persons", "s": "seasons",
}  # fmt: skip


def _has(
    attributes: Mapping[str, str], colours: frozenset[str], measured: re.Match[str] | None
) -> bool:
    """Tell whether a page has one of the colours, and the measure that was said."""
    is_coloured = not colours or bool(colours & stems(attributes.get("colour", "").split()))
    if measured is None:
        return is_coloured
    value = attributes.get(_MEASURED_BY[measured[2][0]], "")
    return is_coloured and value.split(".")[0] == measured[1]


def those(intent: Those, desk: Desk) -> Step:
    """Show which of those on view are so; where none is, look for such."""
    wanted = intent.wanted
    rows = [row for row in desk.scene.latest if fits_row(row, wanted)]
    words = wanted.query.split()
    found: Do | list[Row] = such(rows, words, desk, unisex=True) if words and rows else rows
    if isinstance(found, Do):
        return found
    if needs_pages(wanted) and found:
        if (unread := pages_of(found, desk)) is not None:
            return unread
        pages = desk.scene.pages
        found = [r for r in found if r.sku in pages and fits_page(pages[r.sku], wanted)]
    return _told(found, desk) if found else _looked_for(wanted, desk)


def which_have(words: Sequence[str], desk: Desk) -> Step | None:
    """Show which of those on view have something; None where none has, or none is on view."""
    rows = desk.scene.latest
    found = such(rows, words, desk) if 1 < len(rows) <= _MOST_READ else []
    if isinstance(found, Do):
        return found
    return _told(found, desk) if found else None


def _told(found: Sequence[Row], desk: Desk) -> Say:
    if len(found) == 1:
        desk.speak_of(found[0].sku)
        inside = any(line.sku == found[0].sku for line in desk.now.cart)
        question = "" if inside or found[0].sold_out or not desk.alone else ask_add(found[0].sku)
        return Say(f"That is {wording.row(found[0])}.", question=question)
    if len(found) == len(desk.scene.latest):
        return Say(f"All of them are:\n\n{wording.rows(found)}")
    desk.scene = desk.scene.with_list(found)
    return Say(f"These are:\n\n{wording.rows(found)}")


def _looked_for(wanted: Search, desk: Desk) -> Step:
    step = search(replace(wanted, narrows=True), desk)
    if not isinstance(step, Say):
        return step
    return replace(step, text=f"No, none of those on view is so.\n\n{step.text}")
