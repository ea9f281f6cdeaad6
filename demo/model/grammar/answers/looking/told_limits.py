"""Limits that were told before: "cheaper than that", "nothing over 40" and "a stove?". Pure."""

import re
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.beside import INTO_THE_REST
from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.past import Remember
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.words import kind_of
from daybook.demo.model.grammar.seen.facts import budget, facts_before
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.results import cents
from daybook.demo.model.grammar.seen.scene import scene_of


def below_what_was_told(intent: Intent, prompt: Prompt) -> Intent:
    """Give a search the limit that it names by pointing at a price, or at what is left of money."""
    match intent:
        case Search(max_price=None):
            pass
        case _:
            return intent
    text = prompt.turn.text.lower()
    left = _LEFT.search(prompt.past[-1].answer) if prompt.past else None
    if left is not None and _FOR_THAT.search(text):
        return replace(intent, max_price=cents(left[1]))
    most = budget(facts_before(prompt))
    if most is not None and prompt.now.total and INTO_THE_REST.search(text):
        return replace(intent, max_price=max(1, most - cents(prompt.now.total)))
    if not _CHEAPER_THAN_THAT.search(text):
        return intent
    scene = scene_of(prompt)
    row = scene.fresh(scene.focus) if scene.focus is not None else None
    said = _SAID_PRICE.search(prompt.past[-1].text) if prompt.past and row is None else None
    told = int(said[1]) * 100 if said is not None else 0 if row is None else row.cents
    return replace(intent, max_price=told - 1) if told else intent


def within_what_is_told(intents: tuple[Intent, ...], text: str) -> tuple[Intent, ...]:
    """Give searches the limit that another sentence of the message tells.

    "A lamp, please. I would rather not pay more than 40": what the goods that are looked for may
    cost is no budget of all that is bought, unless it is called so.
    """
    intents = _with_its_limit(intents)
    limits = [one for one in intents if isinstance(one, Remember) and one.subject == "budget"]
    highest = most_told(limits[0].value) if len(limits) == 1 else None
    open_ones = [
        one
        for one in intents
        if isinstance(one, Search) and one.max_price is None and one.min_price is None
    ]
    if highest is None or not open_ones:
        return intents
    is_of_all = _TOGETHER.search(text.lower()) is not None
    return tuple(
        replace(one, max_price=highest) if one in open_ones else one
        for one in intents
        if is_of_all or one is not limits[0]
    )


def _with_its_limit(intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
    """Give the one search of a message the limit that stands alone in another of its sentences."""
    alone = [
        one for one in intents if isinstance(one, Search) and one == Search(max_price=one.max_price)
    ]
    looks = [one for one in intents if isinstance(one, Search) and one not in alone]
    if len(alone) != 1 or len(looks) != 1 or not alone[0].max_price:
        return intents
    if not looks[0].query or looks[0].max_price or looks[0].min_price:
        return intents
    limited = replace(looks[0], max_price=alone[0].max_price)
    return tuple(limited if one is looks[0] else one for one in intents if one is not alone[0])


def most_told(value: str) -> int | None:
    """Return the one amount in what a budget is said to be, in cents; None where there is none."""
    found = _AMOUNT.findall(value)
    return cents(f"{float(found[0]):.2f} USD") if len(found) == 1 else None


_AMOUNT: Final = re.compile(r"(?<![\w.])\d{1,5}(?:\.\d{1,2})?(?![\w.])")


def told_for_all(prompt: Prompt) -> int | None:
    """Return the most that anything may cost, as it was said once, in cents; None where not.

    It is said before anything was looked for, or with words that mean all goods. What is said with
    goods, or of a list, is the limit of these alone.
    """
    if lifts_the_limit(prompt.turn.text):
        return None
    for at in reversed(range(len(prompt.past))):
        words = [token.text for token in tokens_of(prompt.past[at].text)]
        text = " ".join(words)
        if lifts_the_limit(text):
            return None
        most = price_bounds(text)[1]
        is_first = not any(
            call.tool == "search_products" for turn in prompt.past[:at] for call in turn.calls
        )
        of_all = _FOR_EACH.search(text) is not None or is_first
        if most is not None and (_TOGETHER.search(text) or (of_all and kind_of(words) is None)):
            return most
    return None


def lifts_the_limit(text: str) -> bool:
    """Tell whether a text says that the price does not matter, whatever was said before."""
    return _LIFTED.search(text.casefold().replace("\u2019", "'")) is not None


_TOGETHER: Final = re.compile(
    r"\b(?:for (?:everything|all of it|it all|the (?:whole|lot)|both)|in total|altogether|together"
    r"|in all|all in|whole trip|gave me|budget"
    r"|(?:nothing|none of (?:it|them)|no (?:gift|present|item|piece|thing))"
    r" (?:may|can|should|must|shall|is to|has to) (?:be|cost)|each (?:gift|present|of them))\b"
)
_FOR_EACH: Final = re.compile(
    r"\b(?:everything|per (?:piece|item|thing|product)|any single|for all|in general|whatever i"
    r"|always|(?:not|never) (?:ever )?show)\b"
)
_LIFTED: Final = re.compile(
    r"\b(?:no (?:price )?limit|any price|(?:money|price|cost|budget)(?:'s| is)? no (?:object|issue"
    r"|problem|matter|concern)|(?:money|price|cost|budget) (?:does ?n[o']?t|does not|do ?n[o']?t)"
    r" (?:really )?(?:matter|count)|(?:forget|ignore|drop|lift|scrap|never mind|nevermind|bin)"
    r" (?:about )?(?:the|my|that) (?:price |money )?(?:limit|budget|cap|ceiling|max)"
    r"|(?:whatever|regardless of|no matter) (?:what )?(?:it costs?|(?:the )?(?:price|cost)))\b"
)
_LEFT: Final = re.compile(r"^(\d+\.\d\d [A-Z]{3}) is left of", re.MULTILINE)
_FOR_THAT: Final = re.compile(
    r"\b(?:for|in|within|with|under|from) (?:that|it|what(?:'?s| is) left|the rest"
    r"|(?:that|this) (?:money|amount|much))\b"
    r"|\b(?:that|it) (?:buys|gets|gets me|would buy|pays for)\b"
    r"|\b(?:that|it|the rest|what(?:'?s| is) left) (?:stretch|run|reach|extend)\b"
)
_SAID_PRICE: Final = re.compile(r"(?<![\w.-])\$?(\d{2,4})(?![\w-]|[.,]\d)")
"""A price as a person says it."""
_CHEAPER_THAN_THAT: Final = re.compile(
    r"\b(?:cheaper than|less than|below|under|less expensive than)"
    r" (?:that|it|this|the one|that one|this one)\b(?! (?:\w+ )?\d)"
)
