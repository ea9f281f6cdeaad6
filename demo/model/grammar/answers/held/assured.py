"""Make a change that would be asked about, where the text leaves no doubt of it. Pure.

The loose readers ask whenever a word is left over. Most such words tell why, or of somebody. What
can turn a wish is a closed class: a question, a condition, a doubt, a choice, a negation, another
time, other goods, another number. Where none of it stands in the way, and one product is meant, it
is done.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.answers.asked.offered import LISTS
from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.answers.briefly import BESIDE_A_COUNT
from daybook.demo.model.grammar.answers.deciding.adding import meant
from daybook.demo.model.grammar.answers.deciding.altering import lines
from daybook.demo.model.grammar.answers.deciding.altering.units import Unit
from daybook.demo.model.grammar.answers.deciding.lately import MOST, spoken_of
from daybook.demo.model.grammar.answers.held.accounted import SUPERLATIVE, counts_a_stranger, lacks
from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.polite import IDLE
from daybook.demo.model.grammar.language.chat.frames.things import UNITS, things_in
from daybook.demo.model.grammar.language.chat.names import has_model, is_model
from daybook.demo.model.grammar.language.chat.told import wants_nothing
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    Doubtful,
    Remove,
    SetQuantity,
    ShowCart,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import It, Named, Nth, Reference, Sku
from daybook.demo.model.grammar.language.intents.talk import Agree, Talk
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import kind_of_item
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.referents import Found, on_view
from daybook.demo.model.grammar.seen.scene import Scene, matches, scene_of

_LONGEST: Final = 45
_SIZED: Final = frozenset({"hiking-boots", "socks", "jackets"})
_SIZES: Final = range(35, 49)
_TURNS: Final = re.compile(
    r"\?|%|[$€£]|\bif\b(?! (?:you (?:can|could|would|please|will|do not|may|like)|possible))"
    r"|\b(?:unless|whether|maybe|perhaps|possibly|might|should|thinking|thought|wonder\w*"
    r"|suppos\w+|pretend|imagine|or|except|until|til|till|later|tomorrow|yesterday|either|neither"
    r"|compare\w*|than|versus|vs|cheap\w*|priciest|dearest|best|rated|rating|lighter|lightest|less"
    r"|fewer|undo|same|percent|street|ignore|ask\w*|how|what|which|why|where|any(?! ?more)\w*"
    r"|checkout|check out|pay|mail|email|hold|order\w*|swap|switch|replace|exchange|mine|keep|leave"
    r"|hope\w*|scrap|second thoughts?|buy|buying|things|money|worth|do (?:i|we)|need to|instead"
    r"|quick|question|show|tell|see|find|look|size|friday|monday|weekend|half|twice|double"
    r"|list|them all|hers|his(?! \w)|already|in an? (?:\w+ )?(?:hour|minute|day|week|month)s?)\b"
)
"""Words that may turn a wish, wherever they stand."""
_TURNS_IT: Final = re.compile(
    r"\b(?:not|no|never|had|got|bought|was|were|did|has|have had|owns?|other|each|every\w*"
    r"|all|before|after|last|next|would(?! (?:you|like|love))|could(?! you)|he|she|they|who"
    r"|says?|said|told|wait|stop|only(?! (?:one|1|two|2))|again|back|nah|without|ago|both)\b"
)
"""Words that may turn a wish where they stand in its own clause."""
_BENIGN: Final = re.compile(r"\bafter all\b|\ball right\b|\bit is\b|\bno problem\b|\bnot only\b")
_ADDS: Final = re.compile(
    r"\b(?:add|put|pop|throw|stick|chuck|toss|bung|take|have|get|give me|want|need|would like|grab"
    r"|cop|let us (?:have|take|do)|goes in|in the cart|to cart|into (?:my|the) cart|become)\b"
)
_COUNTS: Final = re.compile(
    r"^(?:(?:one of|ok|okay|fine|right|great|good|so|and|also|yes|well|lol|haha|,|then|please|just"
    r"|plus|lovely) )*[#@]"
)
_SETS: Final = re.compile(
    r"\b(?:make|set|change|so|then|total|want|altogether|only|just|two|need)\b"
)
_MAKES: Final = re.compile(r"\b(?:make (?:it|that|the)|only|in total|altogether)\b")
_REMOVES: Final = re.compile(
    r"\b(?:remove|delete|take|lose|bin|ditch|drop|throw|chuck|kick|get rid|out with|rm|cxl)\b"
)
_ACTS: Final = {"add": _ADDS, "set": _SETS, "remove": _REMOVES}
_CUTS: Final = re.compile(
    r"[.!;,:\n]+|\b(?:but|because|since)\b|\bso\b(?= (?:i|we|he|she|they|it|that)\b)"
    r"|\band\b(?= (?:i|we|he|she|they|my|his|her)\b)"
)
_ASKS_FOR: Final = re.compile(
    r"(?:^|[.!,;] )(?:\w+ ){0,2}(?:can|could|would|will) you\b(?! (?:buy|order|tell|show))[^?]*\?$"
)


def assured(found: tuple[Intent, ...], text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Return what was read, the one change that it asks about as done where nothing turns it."""
    asked = [one for one in found if isinstance(one, Doubtful)]
    others = [one for one in found if not isinstance(one, Doubtful | Talk | Agree | ShowCart)]
    if len(asked) != 1 or others or len(asked[0].items) != 1 or asked[0].said:
        return found
    (doubt,) = asked
    tokens = tokens_of(text)
    if doubt.act not in _ACTS or len(tokens) > _LONGEST:
        return found
    if not _is_wished(tokens, doubt):
        return found
    done = _done(doubt, tokens, prompt)
    return found if done is None else tuple(done if one is doubt else one for one in found)


def _is_wished(tokens: Sequence[Token], doubt: Doubtful) -> bool:
    """Tell whether a clause wishes for the change, and nothing turns it."""
    plain = _BENIGN.sub(" ", " ".join(token.text for token in tokens))
    plain = re.sub(r"(?: [.!])+$", "", plain).strip()
    if _ASKS_FOR.search(plain):
        plain = plain.rstrip("? ")
    if _TURNS.search(plain) or SUPERLATIVE.search(plain) or price_bounds(plain) != (None, None):
        return False
    if any(counts_a_stranger(*pair) for pair in pairwise(tokens)):
        return False
    act = _ACTS[doubt.act]
    wishes = [part for part in _CUTS.split(plain) if act.search(part) or _counts(part)]
    if not wishes or _TURNS_IT.search(wishes[-1]):
        return False
    if wants_nothing(tokens_of(plain[plain.rindex(wishes[-1]) :])):
        return False
    known = wishes[-1:] if doubt.act == "set" else wishes
    if isinstance(doubt.items[0], It | Sku) and not all(map(_is_known, known)):
        return False
    return not any(_TURNS_IT.search(part) and _REMOVES.search(part) for part in wishes[:-1])


def _is_known(part: str) -> bool:
    """Tell whether a wish for "it" says nothing of what it is: "the one made by Dunmore"."""
    said = tokens_of(re.sub(r"\bfor (?:\w+ ?){1,3}", " ", part))
    things, _ = things_in(said)
    named = {
        at for one in things if not isinstance(one.item, It) for at in range(one.start, one.end)
    }
    words = [one.text for at, one in enumerate(said) if at not in named and one.kind is Kind.WORD]
    return all(word in _PLAIN for word in words)


def _texts(tokens: Sequence[Token]) -> list[str]:
    return [token.text for token in tokens]


_PLAIN: Final = (
    BESIDE_A_COUNT
    | IDLE
    | ACTS
    | UNITS
    | frozenset(
        """
        lol haha grab dozen couple him her going go goes away rid out off more spare up down there
        again total good lovely christ kindly could you can would do with the to size nvm okay
        twins everybody some want wants needs too a for and also then along whatever
        """.split()  # noqa: SIM905
    )
)


def _counts(part: str) -> bool:
    """Tell whether a clause is no more than a count, or goods, that is asked for."""
    things, counts = things_in(tokens_of(part))
    begins = [one.start for one in things] + [one.start for one in counts]
    if not begins:
        return False
    before = " ".join(_texts(tokens_of(part)[: min(begins)]))
    return _COUNTS.fullmatch(f"{before} @".strip()) is not None


def _done(doubt: Doubtful, tokens: Sequence[Token], prompt: Prompt) -> Intent | None:
    """Return the change, where it is certain which product is meant, and how many of it."""
    scene = scene_of(prompt)
    (item,) = doubt.items
    things, counts = things_in(tokens)
    numbers = {one.quantity for one in things if one.quantity} | {one.value for one in counts}
    quantity = doubt.quantity
    if quantity is not None and quantity > 1 and quantity not in numbers:
        return None
    if any(lacks(token, [Add(item)], scene) for token in tokens):
        return None
    if doubt.act == "add" and quantity and _MAKES.search(" ".join(_texts(tokens))):
        there = _line(item, scene, prompt) if isinstance(item, Named) else None
        is_it = there is not None and _is_alone(tokens, item, there, scene) and quantity <= MOST
        if is_it and there is not None:
            return SetQuantity(there, quantity)
    if doubt.act == "add":
        sku = _wanted(item, tokens, scene, prompt)
        is_there = isinstance(sku, Sku) and scene.in_cart(sku.sku) is not None
        count = quantity or _offered(prompt) or 1
        if (
            sku is None
            or is_there
            or not 0 < count <= MOST
            or not _is_alone(tokens, item, sku, scene)
        ):
            return None
        return Add(sku, count)
    line = _line(item, scene, prompt)
    if line is None or not _is_alone(tokens, item, line, scene):
        return None
    if doubt.act == "remove":
        return Remove(line, quantity) if quantity is None else None
    is_sized = kind_of_item(scene.name_of(line.sku), line.sku) in _SIZED
    if quantity is None or not 0 < quantity <= MOST or (is_sized and quantity in _SIZES):
        return None
    return SetQuantity(line, quantity)


def _offered(prompt: Prompt) -> int | None:
    offered = ASK_ADD.fullmatch(question_of(prompt.past[-1])) if prompt.past else None
    return int(offered[2]) if offered is not None and offered[2] else None


def _wanted(
    item: Reference, tokens: Sequence[Token], scene: Scene, prompt: Prompt
) -> Sku | Named | None:
    """Return the one product that shall come."""
    question = question_of(prompt.past[-1]) if prompt.past else ""
    if question.endswith("?") and ASK_ADD.fullmatch(question) is None:
        return None
    match item:
        case It() if has_model([token.text for token in tokens]):
            return None
        case It():
            sku = spoken_of(scene, prompt)
            is_clear = not (scene.choosing or scene.faded or scene.overtaken or scene.together)
            sku = sku or (scene.focus if is_clear else None)
            is_gone = sku in prompt.now.removed
            return Sku(sku) if sku is not None and not is_gone else None
        case Named(words) if not has_model(words):
            return None
        case Nth(counted=True):
            lists = bool(prompt.past) and LISTS.search(prompt.past[-1].answer) is not None
            shown = on_view(item, scene) if lists else None
            return Sku(shown.skus[0]) if isinstance(shown, Found) else None
        case Sku() if scene.faded and not has_model(_texts(tokens)):
            return None
        case Named() | Sku():
            return meant(item, scene, prompt)
        case _:
            return None


def _line(item: Reference, scene: Scene, prompt: Prompt) -> Sku | None:
    """Return the one line of the cart that is meant, where no question is open of another."""
    question = question_of(prompt.past[-1]) if prompt.past else ""
    if question.endswith("?") and isinstance(item, It):
        return None
    found = lines.meant(Unit("@", item), (), scene, prompt)
    return found if isinstance(found, Sku) and scene.in_cart(found.sku) is not None else None


def _is_alone(tokens: Sequence[Token], said: Reference, item: Sku | Named, scene: Scene) -> bool:
    """Tell whether no other goods are named, or pointed at, beside what is meant."""
    name = scene.name_of(item.sku) if isinstance(item, Sku) else " ".join(item.words)
    own = name.lower().split()
    named = {pair for pair in pairwise(_texts(tokens)) if is_model(*pair)}
    things, _ = things_in(tokens)
    return all({*pair} <= {*own} for pair in named) and all(
        isinstance(one.item, It)
        or one.item == said
        or (isinstance(one.item, Named) and matches(one.item.words, name, _sku(item)))
        or one.item == item
        for one in things
    )


def _sku(item: Sku | Named) -> str:
    return item.sku if isinstance(item, Sku) else ""
