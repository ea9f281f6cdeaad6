"""Read a decision: which goods, and how many, said by somebody who has made up their mind. Pure.

Nothing is decided by a question, a supposition or a story: every clause must be accounted for.
"""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD, agreed, is_of_cart
from daybook.demo.model.grammar.answers.deciding.adding import (
    are_single,
    goes_on_adding,
    of_both,
    of_goods,
)
from daybook.demo.model.grammar.answers.deciding.clauses import (
    clauses_of,
)
from daybook.demo.model.grammar.answers.deciding.counting import of_count
from daybook.demo.model.grammar.answers.deciding.lately import MOST, added_last
from daybook.demo.model.grammar.answers.deciding.wanting.wanted import wanted
from daybook.demo.model.grammar.language.chat.told import wants_nothing
from daybook.demo.model.grammar.language.intents.cart import Add, ClearCart
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.references import Sku
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.scene import scene_of

_LONGEST: Final = 40


def decided(text: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return the changes of the cart that a text decides on; None where it decides nothing."""
    tokens = tokens_of(text)
    question = question_of(prompt.past[-1]) if prompt.past else ""
    found = _by_clauses(tokens, question, prompt)
    if found is not None or not tokens or wants_nothing(tokens) or _is_open(question):
        return found
    return wanted(tokens, scene_of(prompt), prompt)


def _by_clauses(
    tokens: Sequence[Token], question: str, prompt: Prompt
) -> tuple[Intent, ...] | None:
    if not tokens or len(tokens) > _LONGEST or any(token.text == "?" for token in tokens):
        return None
    clauses = clauses_of(tokens)
    if not clauses or wants_nothing(tokens):
        return None
    roles = {one.role for one in clauses}
    if "clears" in roles:
        return (ClearCart(),) if roles <= {"clears", "decides", "tells", "loose"} else None
    if _is_open(question) and not ("names" in roles and _settles(tokens, question)):
        return None
    if "loose" in roles or (_has_pair(tokens) and "names" in roles and are_single(clauses, prompt)):
        return None
    scene = scene_of(prompt)
    if (again := _same_again(tokens, prompt)) is not None:
        return again
    if "both" in roles:
        return of_both(clauses, scene, prompt, firmly=tokens[-1].text == "!")
    if "names" in roles:
        return of_goods(clauses, scene, prompt, question, goes_on=goes_on_adding(tokens, prompt))
    return of_count(clauses, scene, prompt, question)


_SAME_AGAIN: Final = re.compile(
    r"(?:(?:and|ok|then|also|oh|plus|please) )*(?:the )?same (?:again|one again|thing again)?"
    r"(?: please| too| as well)*(?: for (?:my|the|our|me|him|her|us)(?: \w+)?)?(?: please)?"
)


def _has_pair(tokens: Sequence[Token]) -> bool:
    return any(token.text in ("pair", "pairs") for token in tokens)


def _same_again(tokens: Sequence[Token], prompt: Prompt) -> tuple[Intent, ...] | None:
    """Read "and the same again for my wife", right after something was put in, as so many more."""
    text = " ".join(token.text for token in tokens if token.text not in (".", "!", ","))
    calls = prompt.past[-1].calls if prompt.past else ()
    added = [call for call in calls if call.tool == "add_to_cart"]
    if _SAME_AGAIN.fullmatch(text) is None or len(added) != 1 or added_last(prompt) is None:
        return None
    count = added[0].args.get("quantity")
    if not isinstance(count, int) or not 0 < count <= MOST:
        return None
    return (Add(Sku(str(added_last(prompt))), count, more=True),)


def _is_open(question: str) -> bool:
    """Tell whether something was asked that a name or a number answers otherwise."""
    if ASK_ADD.fullmatch(question):
        return False
    asks = any(not isinstance(one, Checkout) for one in agreed(question))
    return asks or is_of_cart(question) or question.startswith(_ASKS_OF)


def _settles(tokens: Sequence[Token], question: str) -> bool:
    """Tell whether a text leaves open what was asked, as it says which one is taken."""
    text = " ".join(token.text for token in tokens if token.text not in (".", "!"))
    return question.startswith(_ASKS_OF) and _TAKEN.search(text) is not None


_TAKEN: Final = re.compile(r"\bit is(?: then| please)?$|\bi (?:will )?(?:take|have) the\b")
_ASKS_OF: Final = (
    "Which one do you want reviews of?",
    "Which one do you mean?",
    "What shall I look for?",
)
