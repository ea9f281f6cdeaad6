"""What a wish to buy is said of: the cart, an offer, or goods that are named beside it."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD, agreed
from daybook.demo.model.grammar.language.chat.read.changes.cart import BESIDE_BUYING
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents.cart import Add
from daybook.demo.model.grammar.language.intents.goods import Mention, Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.references import (
    Choice,
    Every,
    It,
    Named,
    Nth,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.words import CARD_WORDS
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.referents import Found, in_cart
from daybook.demo.model.grammar.seen.scene import cart_before, scene_of

_PAYS: Final = re.compile(
    r"\b(?:card|pay|charge|address|ship|deliver|use|check ?out|checkout|buy|order|purchase|with)\b"
)
_OF_PAYING: Final = re.compile(r"\b(?:card|pay|charge|address|ship|deliver|use)\b")


def of_no_card(intent: Intent, text: str) -> Intent:
    """Take "let us take the first" for goods where no card or address is to be chosen."""
    match intent:
        case Checkout(Choice((), int() as n), None) if not _OF_PAYING.search(text.lower()):
            return Add(Nth(n, counted=True))
        case Checkout(Choice(words), None) if words and not (
            CARD_WORDS & {*words} or _PAYS.search(text.lower())
        ):
            return NotUnderstood(text)
        case Checkout(Choice(words), None) if words and all(map(says_goods, words)):
            # "A stove, with gas": it is said of goods, and of no card.
            return Search(" ".join(words), narrows=True)
        case _:
            return intent


def had_and_bought(intents: Sequence[Intent], prompt: Prompt) -> Sequence[Intent]:
    """Take a product that is named beside a wish to buy for what is bought, into an empty cart."""
    match tuple(intents):
        case (Mention(Sku() | Named() as item, count), Checkout() as buys) if not cart_before(
            prompt.now.cart, prompt.turn.calls
        ):
            return [Add(item, count or 1), buys]
        case _:
            return intents


def bought_as_offered(intent: Intent, prompt: Prompt, question: str) -> tuple[Intent, ...]:
    """Take a wish to pay right after an offer for a yes to it, where the cart is empty."""
    offered = agreed(question) if ASK_ADD.fullmatch(question) else ()
    is_plain = "?" not in prompt.turn.text and all(
        token.text in BESIDE_BUYING for token in tokens_of(prompt.turn.text)
    )
    added = [call for call in prompt.turn.calls if call.tool == "add_to_cart"]
    had_none = not cart_before(prompt.now.cart, prompt.turn.calls)
    if isinstance(intent, Checkout) and had_none and _GETS.fullmatch(prompt.turn.text.lower()):
        # There is nothing to buy yet: "get that" is a wish to have it.
        return offered or (Add(It()),)
    if isinstance(intent, Checkout) and is_plain and (added or not prompt.now.cart):
        return (*offered, intent)
    bought = any(call.tool == "checkout" for call in prompt.turn.calls)
    if isinstance(intent, Add) and bought and _BUYS.match(prompt.turn.text.lower()):
        return (Checkout(),)
    if isinstance(intent, Add) and _is_all_that_was_added(intent.item, prompt):
        return (Checkout(),)
    if isinstance(intent, Add) and not added and _BUYS.match(prompt.turn.text.lower()):
        scene = scene_of(prompt)
        inside = in_cart(intent.item, scene, prompt.now.currency)
        is_whole = isinstance(inside, Found) and len(scene.cart) == 1 == intent.quantity
        return (Checkout(),) if is_whole and isinstance(intent.item, Named) else (intent,)
    return (intent,)


def _is_all_that_was_added(item: Reference, prompt: Prompt) -> bool:
    """Tell whether "order both" is said of the cart's two things, right after they were put in."""
    if not isinstance(item, Every) or not _BUYS_ALL.match(prompt.turn.text.lower()):
        return False
    lines = cart_before(prompt.now.cart, prompt.turn.calls)
    calls = prompt.past[-1].calls if prompt.past else ()
    just_added = any(call.tool in ("add_to_cart", "set_quantity") for call in calls)
    return just_added and item.most in (None, len(lines))


_BUYS_ALL: Final = re.compile(
    r"\W*(?:(?:ok|please|and|now|so|then|great|good|right|let'?s|i want to|i'?ll|can you)\W+)*"
    r"(?:buy|order|purchase|pay for|get) (?:both|all|them|everything|the (?:two|lot|pair))\b"
    r"(?! (?:of )?(?:those|these|the)\b)(?!.*\?)"
)
_GETS: Final = re.compile(
    r"\W*(?:(?:ok|yes|and|then|so|great|cool|good|right|fine|please)\W+)*get (?:that|it|this)"
    r"(?: one)?(?:\W+(?:please|then|thanks|for me))*[\W]*(?<!\?)"
)
_BUYS: Final = re.compile(
    r"\W*(?:(?:ok|please|and|now|so|then)\W+)*(?:buy|order|purchase|pay for) the\b"
)
