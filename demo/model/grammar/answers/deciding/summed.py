"""A wish right after it was asked what so many would cost: it is for so many."""

import re
from typing import Final

from daybook.demo.model.grammar.answers.deciding.lately import asked_for_sum
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful
from daybook.demo.model.grammar.language.intents.goods import Times
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Every, It, Sku
from daybook.demo.model.grammar.language.intents.talk import Agree
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.referents import Found, on_view
from daybook.demo.model.grammar.seen.scene import scene_of


def as_summed(prompt: Prompt, *, several: bool) -> tuple[Intent, ...]:
    """Return what it was asked last what so many would cost, as a wish to have so many.

    With `several`, of what was summed together each with its count.
    """
    scene = scene_of(prompt)
    if not prompt.past or question_of(prompt.past[-1]).endswith("?"):
        return ()
    sums = [one for one in understand(prompt.past[-1].text) if isinstance(one, Times)]
    if several and len(sums) == 1 and sums[0].also and not sums[0].sets:
        wanted = ((sums[0].count, sums[0].item), *sums[0].also)
        meant = [(count, on_view(item, scene)) for count, item in wanted]
        skus = [(n, on.skus[0]) for n, on in meant if isinstance(on, Found) and len(on.skus) == 1]
        is_new = not any(scene.in_cart(sku) for _, sku in skus)
        if len(skus) == len(wanted) == len({sku for _, sku in skus}) and is_new:
            return tuple(Add(Sku(sku), count) for count, sku in skus)
    sku = asked_for_sum(prompt, scene)
    is_one = sku is not None and len(sums) == 1 and not sums[0].also
    if several or not is_one or sku is None or scene.in_cart(sku) is not None:
        return ()
    if _BESIDE_A_SUM.search(prompt.past[-1].text.lower()):
        return ()
    return (Add(Sku(sku), sums[0].count),)


def of_what_was_summed(read: tuple[Intent, ...], prompt: Prompt) -> tuple[Intent, ...]:
    """Take a wish without a count, right after what so many would cost, for one of so many.

    "I'll take them" is so many; "add it" may be one: that is asked.
    """
    match read:
        case (Add(It() | Sku() | Every(None, ()), 1, False, False),):
            pass
        case (Agree(),) if _CONSENTS.search(prompt.turn.text.lower()):
            pass
        case _:
            return read
    (one,) = read
    plain = " ".join(token.text for token in tokens_of(prompt.turn.text))
    summed = as_summed(prompt, several=False)
    match summed:
        case (Add(Sku(sku), count),) if count > 1 and not _COUNTS_ONE.search(plain):
            pass
        case _:
            return read
    if isinstance(one, Add):
        meant = on_view(one.item, scene_of(prompt))
        is_it = isinstance(meant, Found) and meant.skus == (sku,)
        if not is_it and not isinstance(one.item, Every):
            return read
        if has_model(plain.split()) or _IT_ALONE.search(prompt.turn.text.lower()):
            return (Doubtful("add", (Sku(sku),), count),)
    return summed


_CONSENTS: Final = re.compile(
    r"\W*(?:(?:ok|okay|great|good|fine|right|well|oh|and|then)\W+)*"
    r"(?:yes|yeah|yep|sure|deal|sold|done|go (?:on|ahead)|ok|okay)"
    r"(?:\W+(?:please|then|add|do))*\W*$"
)
_COUNTS_ONE: Final = re.compile(r"\d|\b(?:one|a|an|single|just|only|another|more|first|this one)\b")
_IT_ALONE: Final = re.compile(r"\b(?:it|that|this)\b(?! is\b)")
_BESIDE_A_SUM: Final = re.compile(r"\b(?:and|n|too|plus|also|with|or)\b|&")
