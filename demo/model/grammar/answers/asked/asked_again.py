"""A wish for what was offered last, or beside what is only told, is done without a question. Pure.

What was read of it may be in doubt, as a word beside it was not known. Only a word of a closed
class can turn it: a question, a condition, a negation, a doubt, a time to come, somebody's saying.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.answers.held.accounted import CART
from daybook.demo.model.grammar.language.chat.frames.things import things_in
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful, SetQuantity
from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Reference, Sku
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood, Talk
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.referents import Found, on_view
from daybook.demo.model.grammar.seen.scene import Scene, cart_before, scene_of

Reading = Callable[[str, Prompt], tuple[Intent, ...]]
"""Reads what is said in a conversation."""
_CUT: Final = re.compile(r"(?<=[.!;])\s+(?=\w)|\n+|,\s+so\s+(?=\w)")
_PIECES: Final = (2, 4)
_GOOD_ENOUGH: Final = re.compile(
    r"\bif (?:it|they|that|this)(?: is| are|'s|'re)? (?:is |are )?good enough\b"
    r"|,\s*(?:would|wo|is|are|does|do|did|has|have|ca|could|should)n'?t"
    r" (?:he|she|it|they|we|i|you)\b",
    re.IGNORECASE,
)
_TURNS: Final = re.compile(
    r"\?|\b(?:if|unless|whether|or|maybe|perhaps|possibly|probably|might|may|could|should|suppose"
    r"|supposing|pretend|imagine|say|says|said|told|tells|wrote|reads|asks?|asked|joke|joking"
    r"|kidding|later|tomorrow|tonight|yesterday|next|until|till|once|when|before|after|what|which"
    r"|how|why|where|who|instead|rather|other|another|else|wait|hold|stop|do not|don'?t|cancel"
    r"|thinking|think|wonder\w*|guess|unsure|not sure|first|only|except|never|without|both|each"
    r"|almost|nearly|yet|wish|hope|decide|dream\w*|first|again|remove|take out|swap|change|check"
    r"|undo|ignore|forget|nothing|none|anything|hypothetical\w*|example|later|out of|same)\b",
    re.IGNORECASE,
)
_REFUSES: Final = re.compile(r"\b(?:no|nah|nope|not|isn'?t|too)\b", re.IGNORECASE)
_WANTS: Final = re.compile(
    r"\b(?:add|put|take|give|have|get|grab|want|need|throw|pop|stick|chuck|go (?:with|for)|please"
    r"|pls|i'?d like|would like|in my cart|in the cart|sold)\b",
    re.IGNORECASE,
)


_FILLERS: Final = re.compile(
    r"(?:(?:i|we|you|me|us|will|would|like|to|want|need|take|have|get|buy|give|add|put|grab|pop"
    r"|throw|stick|please|pls|then|so|well|ok|okay|yes|yeah|fine|good|great|go on|go for|go with"
    r"|right|sure|and|oh|ah|just|the|one|too|also|now|thanks|thank you|in|in(?:to)? (?:my |the )?"
    r"cart|in there|there|alright|all right|sold|deal|lovely|perfect|that is|that will do|love"
    r"|for (?:me|us|him|her|them|(?:my|our|the|his|her) \w+(?: in \w+)?)|[.,!])(?: |$))*"
)
"""What stands beside goods that are wanted, and says nothing else."""


_ASKS_WHETHER: Final = re.compile(r"\b(?:would|will|do) you (?:take|want|like|buy|have|get|need)\b")


def beside_what_is_told(
    whole: tuple[Intent, ...], text: str, prompt: Prompt, read: Reading
) -> tuple[Intent, ...]:
    """Return the one change that a sentence asks for, where the others only tell why."""
    before = _before(prompt)
    if not _is_in_doubt(whole if before is prompt else read(text, before)):
        return whole
    pieces = [piece for cut in _CUT.split(text) if (piece := cut.strip())]
    if not _PIECES[0] <= len(pieces) <= _PIECES[1]:
        return whole
    scene = scene_of(before)
    change: Intent | None = None
    refused = False
    for piece in pieces:
        meant = read(piece, replace(before, turn=replace(prompt.turn, text=piece, calls=[])))
        found = [one for one in meant if isinstance(one, CART)]
        if len(found) == 1 and len(meant) == 1 and change is None:
            (change,) = found
        elif change is not None and _is_the_same(meant, change, scene):
            continue
        elif not _only_tells(piece, meant):
            return whole
        else:
            refused = refused or _REFUSES.search(piece) is not None
    if change is None or not isinstance(change, Add | SetQuantity):
        return whole
    if refused and _points(change, scene, pieces):
        return whole
    return (change,)


def _before(prompt: Prompt) -> Prompt:
    """Return how things stood when it was said: what this turn has done changes nothing of it."""
    if not prompt.turn.calls:
        return prompt
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    return replace(prompt, now=replace(prompt.now, cart=cart), turn=replace(prompt.turn, calls=[]))


def _is_in_doubt(whole: Sequence[Intent]) -> bool:
    changes = [one for one in whole if isinstance(one, CART)]
    asked = [one for one in whole if isinstance(one, Doubtful)]
    rest = [one for one in whole if not isinstance(one, CART | Doubtful | Talk | Mention)]
    if rest:
        return False
    if len(asked) == 1 and not changes:
        return asked[0].act in ("add", "set") and len(asked[0].items) <= 1
    return len(changes) == 1 and len(whole) == len(_PIECES) and isinstance(whole[1], Mention)


def _only_tells(piece: str, meant: Sequence[Intent]) -> bool:
    """Tell whether a sentence wants nothing, and turns nothing."""
    if _TURNS.search(_GOOD_ENOUGH.sub(" ", piece)):
        return False
    return all(isinstance(one, Talk | NotUnderstood) for one in meant)


def _is_the_same(meant: Sequence[Intent], change: Intent, scene: Scene) -> bool:
    """Tell whether a sentence only says once more what is meant: "just the one. The cheap one"."""
    item = getattr(change, "item", None)
    return bool(meant) and all(
        isinstance(one, Mention)
        and one.quantity is None
        and _skus(one.item, scene) == _skus(item, scene) != ()
        for one in meant
    )


def _points(change: Add | SetQuantity, scene: Scene, pieces: Sequence[str]) -> bool:
    """Tell whether it is a pronoun that the change is of: what was refused may be meant."""
    (sku, *_) = (*_skus(change.item, scene), "")
    name = " ".join(scene.name_of(sku).lower().split()[:2]) if sku else ""
    return not name or name not in " ".join(pieces).lower()


def _skus(item: Reference | None, scene: Scene) -> tuple[str, ...]:
    if item is None:
        return ()
    found = on_view(item, scene)
    return found.skus if isinstance(found, Found) else ()


def _beside(text: str) -> str:
    """Return the words of a text beside the goods that it names."""
    tokens = tokens_of(text)
    inside = {at for one in things_in(tokens)[0] for at in range(one.start, one.end)}
    return " ".join(token.text for at, token in enumerate(tokens) if at not in inside)


def as_offered(found: tuple[Intent, ...], text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Take a wish in doubt for the very product that was offered last as a yes to the offer."""
    asked = ASK_ADD.fullmatch(question_of(prompt.past[-1])) if prompt.past else None
    one = found[0] if len(found) == 1 else None
    if asked is None or not isinstance(one, Doubtful):
        return found
    if one.act != "add" or len(one.items) != 1 or (one.quantity or 1) != 1:
        return found
    scene = scene_of(_before(prompt))
    is_it = _skus(one.items[0], scene) == (asked[1],) and scene.in_cart(asked[1]) is None
    said = _GOOD_ENOUGH.sub(" ", text)
    is_plain = _ASKS_WHETHER.search(" ".join(one.text for one in tokens_of(text))) is None
    is_plain = is_plain and _FILLERS.fullmatch(_beside(text)) is not None
    plain = (
        is_plain and _WANTS.search(said) and not _TURNS.search(said) and not _REFUSES.search(said)
    )
    counts = re.search(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen)\b", said)
    return (Add(Sku(asked[1])),) if is_it and plain and not counts else found
