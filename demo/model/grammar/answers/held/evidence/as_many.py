"""A change of as many as are meant: of one piece, of all that went, of what goes too."""

import re
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.answers.held.evidence.said import Said
from daybook.demo.model.grammar.answers.held.evidence.words import COUNTED, TOO
from daybook.demo.model.grammar.answers.held.wished import is_one_piece
from daybook.demo.model.grammar.language.intents.cart import Add, Remove, Swap
from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import It, Named, Reference
from daybook.demo.model.grammar.language.words import KINDS, NUMBERS, kind_of_item
from daybook.demo.model.grammar.seen.referents import Found, in_cart

_PAIR: Final = 2
_COMES_BACK: Final = re.compile(r"\b(?:back|undo|undone|reverse that|restore)\b")
_COUNTS: Final = re.compile(rf"\d|\b(?:{'|'.join(NUMBERS)}|a|an|another)\b")


def as_many(one: Intent, said: Said) -> Intent:
    """Return a change of as many as are meant: of one piece, or of all that went before."""
    match one:
        case Remove(item, None) if _is_of_one_piece(item, said):
            return Remove(item, 1)
        case Add(item, 1) if _COMES_BACK.search(said.plain) and not _COUNTS.search(said.plain):
            return replace(one, quantity=_went(item, said) or 1)
        case Swap(quantity=None) if (count := _counted_alone(said.plain)) is not None:
            return replace(one, quantity=count)
        case Mention(Named() as item, None) if _goes_too(item, said):
            return Remove(item)
        case _:
            return one


def _counted_alone(plain: str) -> int | None:
    """Return the one count of pieces that is said: "two of them instead"."""
    counts = {NUMBERS.get(word) or int(word) for word in COUNTED.findall(plain)}
    return counts.pop() if len(counts) == 1 else None


def _is_of_one_piece(item: Reference, said: Said) -> bool:
    inside = in_cart(item, said.scene, said.prompt.now.currency)
    if not isinstance(inside, Found) or len(inside.skus) != 1:
        return False
    line = said.scene.in_cart(inside.skus[0])
    if line is None or line.quantity < _PAIR:
        return False
    kind = kind_of_item(line.name, line.sku) or ""
    nouns = {noun.split()[-1] for noun in KINDS.get(kind, ())} | {line.name.lower().split()[-1]}
    return is_one_piece(nouns, said.plain)


def _went(item: Reference, said: Said) -> int | None:
    """Return how many of this one line there were when the last turn took it out."""
    calls = said.last.calls if said.last is not None else ()
    gone = [str(call.args.get("sku")).upper() for call in calls if call.tool == "remove_from_cart"]
    if len(gone) != 1 or (not isinstance(item, It) and said.skus(item) != (gone[0],)):
        return None
    for turn in reversed(said.prompt.past[:-1]):
        if found := re.search(rf"^- .*\({gone[0]}\) x(\d+)", turn.answer, re.MULTILINE):
            return int(found[1])
    return None


def _goes_too(item: Named, said: Said) -> bool:
    """Tell whether what is named goes with what is taken out: "take a lamp out, the bags too"."""
    takes = said.changes and all(isinstance(one, Remove) for one in said.changes)
    inside = in_cart(item, said.scene, said.prompt.now.currency)
    return bool(takes) and TOO.search(said.plain) is not None and isinstance(inside, Found)
