"""What the last turn did and was asked, as far as a decision leans on it. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.language.intents.goods import Times
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.scene import Scene, cart_before

MOST: Final = 34
"""A number above this may be a size, or a price."""
PAIR: Final = 2
_CHANGES: Final = ("add_to_cart", "set_quantity")


def changed_last(scene: Scene, prompt: Prompt) -> str | None:
    """Return the one line that the last turn changed, where it is still what is spoken of."""
    calls = prompt.past[-1].calls if prompt.past else ()
    skus = {str(call.args.get("sku")).upper() for call in calls if call.tool in _CHANGES}
    (sku,) = skus if len(skus) == 1 else (left_alone(prompt) if not skus else None,)
    return sku if sku is not None and scene.in_cart(sku) is not None else None


def is_gone(sku: str | None, prompt: Prompt) -> bool:
    """Tell whether something was taken out, and is not said to come back."""
    return sku in prompt.now.removed and _BACK.search(prompt.turn.text.lower()) is None


_BACK: Final = re.compile(r"\b(?:back|again|after all)\b")


def left_alone(prompt: Prompt) -> str | None:
    """Return the one line of the cart that was kept where the last turn took all others out."""
    last = prompt.past[-1] if prompt.past else None
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    if last is None or len(cart) != 1 or not _KEEPS.search(last.text.lower()):
        return None
    return cart[0].sku if any(call.tool == "remove_from_cart" for call in last.calls) else None


_KEEPS: Final = re.compile(r"\b(?:keep|leave|except|but|only|just|apart from|other than)\b")


def added_last(prompt: Prompt) -> str | None:
    """Return what the last turn put into the cart, where it was one product."""
    calls = prompt.past[-1].calls if prompt.past else ()
    added = [str(call.args.get("sku")).upper() for call in calls if call.tool in _CHANGES]
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    there = [sku for sku in dict.fromkeys(added) if any(line.sku == sku for line in cart)]
    return there[0] if len(there) == 1 else None


def asked_for_sum(prompt: Prompt, scene: Scene) -> str | None:
    """Return the product of which it was asked last what so many would cost."""
    asked = (
        [one for one in understand(prompt.past[-1].text) if isinstance(one, Times)]
        if (prompt.past)
        else []
    )
    return scene.focus if asked else None


_BEST_TOLD: Final = re.compile(r"^Of these, number (\d+) is", re.MULTILINE)


def spoken_of(scene: Scene, prompt: Prompt) -> str | None:
    """Return the one product that the last turn offered, or told of."""
    question = question_of(prompt.past[-1]) if prompt.past else ""
    if (offered := ASK_ADD.fullmatch(question)) is not None:
        return offered[1]
    return None if question.endswith("?") else told_last(scene, prompt)


def told_last(scene: Scene, prompt: Prompt) -> str | None:
    """Return the one product that the last answer is of, or found to be the best of a list."""
    if not prompt.past or scene.faded:
        return None
    answer = prompt.past[-1].answer
    if best := _BEST_TOLD.findall(answer):
        told = [row.sku for row in scene.latest if str(row.number) in best]
        return told[0] if len(told) == 1 and not is_gone(told[0], prompt) else None
    if scene.focus is None or is_gone(scene.focus, prompt):
        return None
    is_told = scene.focus in answer or scene.name_of(scene.focus) in answer
    return scene.focus if is_told else None
