"""Read goods that a message joins, each in its own right: "the second and the one I asked about".

Pure. A message is taken apart where it is nothing but a wish and goods, each of them named or
pointed at. Where each is found on its own they are what is added, one by one. Where one is not,
none is added: which one was meant is asked.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.answers.held.accounted import CART
from daybook.demo.model.grammar.answers.pieces.sides import counts, sides_of
from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Named, Sku
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.referents import Found, Wanted, on_view
from daybook.demo.model.grammar.seen.scene import cart_before, matches, scene_of

Reading = Callable[[str, Prompt], tuple[Intent, ...]]
"""Reads what is said in a conversation."""

_ENDED: Final = re.compile(
    r"(?:\s*(?:[,.;-]|\band\b))+ (?:(?:i think|i guess) )?(?:that is|this is|thats|that will be)"
    r" (?:all|it|everything|the lot)"
    r"(?: (?:for (?:now|today|me|us)|i need|we need|i want|thanks|thank you|please|then|really))*"
    r"[ .!]*$"
)
"""That there is no more to come: it is none of the goods."""
_TOOLS: Final = frozenset({"add_to_cart", "set_quantity", "remove_from_cart"})


def joined(
    found: tuple[Intent, ...], text: str, prompt: Prompt, read: Reading
) -> tuple[Intent, ...]:
    """Return the goods of a message as they were read one by one, or what the whole was read as."""
    plain = " ".join(token.text for token in tokens_of(text))
    found = tuple(_of_what_was_told(one, plain, prompt) for one in found)
    sides = sides_of(_ENDED.sub("", plain))
    if sides is None:
        return found
    changes = [one for one in found if isinstance(one, CART)]
    # What this turn has done already changes nothing of what was said.
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    before = replace(prompt, now=replace(prompt.now, cart=cart))
    adds = [_added(side, before, read) for side in sides.goods]
    known = {one.item: one for one in adds if one is not None}
    if None not in adds:
        if len(known) < len(adds):
            return found
        in_doubt = sides.agreed == "maybe" or (sides.agreed == "yes" and not _was_offered(prompt))
        if in_doubt and not any(call.tool in _TOOLS for call in prompt.turn.calls):
            return (Doubtful("add", tuple(known)),)
        if not sides.apposed and (sides.wished or changes or _goes_on(plain, prompt)):
            return tuple(known.values())
    elif sides.apposed and not counts(sides):
        return found
    if len(changes) in (0, len(adds)) or any(call.tool in _TOOLS for call in prompt.turn.calls):
        return found
    return tuple(doubtful(one) if isinstance(one, CART) else one for one in found)


def _was_offered(prompt: Prompt) -> bool:
    """Tell whether the last turn offered one product, and nothing else."""
    return bool(prompt.past) and ASK_ADD.fullmatch(question_of(prompt.past[-1])) is not None


def _of_what_was_told(one: Intent, plain: str, prompt: Prompt) -> Intent:
    """Take a name that lent its kind from other goods for the one of that name that was told of.

    "The Timber Line, one pair, and two pairs of Amber Hollow socks", said of the Timber Line boot.
    """
    match one:
        case Add(Named((first, second, kind))) if f"{first} {second} {kind}" not in plain:
            name = f"{first} {second} "
            told = [row for row in scene_of(prompt).told if row.name.lower().startswith(name)]
            is_one = len({row.sku for row in told}) == 1 and not matches(
                (kind,), told[0].name, told[0].sku
            )
            return replace(one, item=Sku(told[0].sku)) if is_one else one
        case _:
            return one


def _goes_on(plain: str, prompt: Prompt) -> bool:
    """Tell whether more goods are named right after some went in: "and the X and the Y"."""
    added = prompt.past and any(call.tool == "add_to_cart" for call in prompt.past[-1].calls)
    return bool(added) and "?" not in plain and _AND_ALSO.match(plain) is not None


_AND_ALSO: Final = re.compile(r"(?:(?:ok|okay|oh|yes|great|good|then|,|\.) )*(?:and|also|plus)\b")


def _added(side: str, prompt: Prompt, read: Reading) -> Add | None:
    """Return what one side says to add, as the one product that it is; None where it is unclear."""
    said = f"add {side}"
    meant = read(said, replace(prompt, turn=replace(prompt.turn, text=said, calls=[])))
    match meant:
        case (Add(item) as one,):
            on = on_view(item, scene_of(prompt))
            if isinstance(on, Found) and len(on.skus) == 1:
                return replace(one, item=Sku(on.skus[0]))
            return one if isinstance(on, Wanted) else None
        case _:
            return None
