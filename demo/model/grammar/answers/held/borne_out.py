"""Whether the talk itself bears out each change that was read, however it was read.

Pure. It knows nothing of how a sentence came to its reading: it looks at what would be changed, and
asks for evidence of it in what was said, shown and offered last (`evidence`). A change without any
is asked about, and the others of its message with it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.answers.held.accounted import CART
from daybook.demo.model.grammar.answers.held.evidence.as_many import as_many
from daybook.demo.model.grammar.answers.held.evidence.beside import (
    asks_on,
    leaves_one_out,
    pays_for_more,
)
from daybook.demo.model.grammar.answers.held.evidence.counts import (
    counts_otherwise,
    is_for_others,
    is_not_of_each,
    is_of_fewer,
    keeps_one_line,
    keeps_one_of_many,
)
from daybook.demo.model.grammar.answers.held.evidence.lines import (
    comes_instead,
    drops_what_may_come,
    is_back_already,
    is_one_of_several_lines,
    names_another_line,
)
from daybook.demo.model.grammar.answers.held.evidence.said import TOOLS, Said
from daybook.demo.model.grammar.answers.held.evidence.which_one import (
    are_others,
    is_another,
    is_elsewhere,
    was_cheaper,
)
from daybook.demo.model.grammar.answers.held.evidence.words import BEST, MANY
from daybook.demo.model.grammar.answers.held.wished import wished
from daybook.demo.model.grammar.answers.pieces.placed import is_beside
from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.intents.cart import Add, Remove, SetQuantity
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.references import Every, Extreme
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.referents import Found, in_cart
from daybook.demo.model.grammar.seen.scene import scene_of

_NO_NUMBER: Final = re.compile(rf"\b(?:\d+|{MANY})\b(?: \w+)? *(?:[,.;] )*no (?:\d+|one|{MANY})\b")
_ONE_OF: Final = re.compile(rf"\b(?:one|1|either) of (?:the|these|those) (?:\w+ )?(?:{MANY})\b")
_TWO: Final = re.compile(
    r"\b(?:both|(?:one|two) of each|one each|each of (?:them|those)|the two)\b"
)
_CHEAP: Final = re.compile(r"\bcheap(?:er|est)? one\b")
_LETS_GO: Final = re.compile(r"\W*(?:(?:ok|oh|no|actually|hm+|and) )*(?:never ?mind|forget|skip)\b")
_OF_EACH: Final = re.compile(r"\b(?:another|more) of each\b")
_ALL_SO_MANY: Final = re.compile(rf"\ball (?:\d+|{MANY})\b")
_REQUEST: Final = re.compile(
    r"\b(?:can|could|may|might|will|would|shall|pls|please|lets|want|wanna|need|take|get|have|put"
    r"|add|give|pop|throw|chuck)\b"
)
_PONDERS: Final = re.compile(
    r"\b(?:think|consider|wonder)(?:ing)? (?:about|of|if|whether) to\b|\bis (?:it |that )?possible$"
)
_ONE_MORE: Final = re.compile(
    r"(?:and |ok |so |oh |then |also |yes )*(?:add |get |i need |i want |make it )?"
    r"(?:one|two|three|\d|a few|some) more(?: pairs?| of (?:it|them|those))?"
    r"(?: for \w+(?: \w+)?)?(?: (?:please|pls|too|thanks))*\W*"
)


def borne_out(intents: Sequence[Intent], text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Return what was read, its changes as questions where nothing in the talk bears them out.

    What this turn has changed already was looked at then.
    """
    if not any(isinstance(one, CART) for one in intents):
        return tuple(intents)
    plain = " ".join(token.text for token in tokens_of(text))
    said = Said(plain, wished(intents, plain, text), scene_of(prompt), prompt)
    said = replace(said, intents=tuple(as_many(one, said) for one in said.intents))
    read = _once(said)
    if any(call.tool in TOOLS for call in prompt.turn.calls):
        return read
    said = replace(said, intents=read)
    is_asked = text.rstrip().endswith("?") and _REQUEST.search(plain) is None
    # Of nothing there can be one more, though something was offered.
    is_of_none = not said.scene.cart and _ONE_MORE.fullmatch(plain) is not None
    if (
        is_of_none
        or is_asked
        or _PONDERS.search(plain)
        or _NO_NUMBER.search(plain)
        or any(_doubts(said))
    ):
        return tuple(doubtful(one) if isinstance(one, CART) else one for one in read)
    return read


def _once(said: Said) -> tuple[Intent, ...]:
    """Leave out what is repeated beside a purchase: "I'll take it and pay" adds it once."""
    if not any(isinstance(one, Checkout) for one in said.intents):
        return said.intents
    found: list[Intent] = []
    seen: list[object] = []
    for one in said.intents:
        is_add = isinstance(one, Add) and bool(said.skus(one.item))
        meant = (said.skus(one.item), one.quantity) if is_add and isinstance(one, Add) else one
        if meant not in seen or not isinstance(one, Add | Checkout):
            found.append(one)
        seen.append(meant)
    return tuple(found)


def _doubts(said: Said) -> Iterator[bool]:
    """Yield for each change whether something in the talk speaks against it."""
    changes = said.changes
    yield is_beside(said.plain)
    yield any(map(keeps_one_of_many, changes)) and len(said.scene.cart) > 1
    yield _LETS_GO.match(said.plain) is not None and drops_what_may_come(said)
    yield any(map(keeps_one_line, changes)) and _ALL_SO_MANY.search(said.plain) is not None
    if len(changes) == 1:
        yield counts_otherwise(changes[0], said.plain)
        yield is_of_fewer(changes[0], said)
        yield names_another_line(changes[0], said)
        yield is_elsewhere(changes[0], said)
        yield is_one_of_several_lines(changes[0], said)
    if not said.names:
        yield _ONE_OF.search(said.plain) is not None and not BEST.search(said.plain)
    for one in changes:
        # What is added in the same message is not in the cart yet.
        is_there = not any(isinstance(other, Add) for other in changes)
        if len(changes) > 1 and is_there and isinstance(one, SetQuantity | Remove):
            inside = in_cart(one.item, said.scene, said.prompt.now.currency)
            yield not isinstance(inside, Found)
    adds = [one for one in changes if isinstance(one, Add)]
    if not adds or said.last is None:
        return
    yield len(adds) == len(changes) and any(comes_instead(one, said) for one in adds)
    yield any(is_back_already(one, said) for one in adds)
    yield _OF_EACH.search(said.plain) is not None and is_not_of_each(adds, said)
    # The most of what was not on view is looked for first, and seen before it is bought.
    yield any(isinstance(one.item, Extreme) and not said.skus(one.item) for one in adds)
    yield len(changes) == 1 and leaves_one_out(said)
    yield pays_for_more(said)
    yield "everything" in said.plain.split() and any(isinstance(one.item, Every) for one in adds)
    yield asks_on(said)
    yield not said.names and any(is_for_others(one.item, said) for one in adds)
    yield _CHEAP.search(said.plain) is not None and any(
        was_cheaper(sku, said) for one in adds for sku in said.skus(one.item)
    )
    if said.names:
        return
    if _TWO.search(said.plain):
        yield are_others({sku for one in adds for sku in said.skus(one.item)}, said)
    if len(changes) == 1:
        yield is_another(adds[0], said)
