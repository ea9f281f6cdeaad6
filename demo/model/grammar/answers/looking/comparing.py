"""Read what two goods are compared by, however it is put: "cheaper?", "1 or 3, which is lighter".

Pure. The two are those that are named, pointed at, or were told of together last; a word beside
them that may mean more than the comparison leaves the text to other readers.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.polite import IDLE
from daybook.demo.model.grammar.language.chat.frames.things import Count, things_in
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import SILENT, says_goods
from daybook.demo.model.grammar.language.intents.goods import Differ, Dimension
from daybook.demo.model.grammar.language.intents.references import It, Named, Nth, Reference, Sku
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import Scene, scene_of

_BY: Final[dict[str, Dimension]] = {
    "cheaper": "price", "cheapest": "price", "dearer": "price", "pricier": "price",
    "costlier": "price", "price": "price", "prices": "price", "cost": "price", "costs": "price",
    "expensive": "price", "priciest": "price",
    "lighter": "weight", "lightest": "weight", "heavier": "weight", "heaviest": "weight",
    "weight": "weight", "weights": "weight", "weighs": "weight", "weigh": "weight",
    "warmer": "warmth", "warmest": "warmth", "warmth": "warmth", "comfort": "warmth",
    "brighter": "brightness", "brightest": "brightness", "brightness": "brightness",
    "lumens": "brightness", "bigger": "size", "biggest": "size", "larger": "size",
    "largest": "size", "roomier": "size", "smaller": "size", "smallest": "size",
    "capacity": "size", "volume": "size", "taller": "height", "higher": "height",
    "height": "height", "longer": "length", "shorter": "length", "length": "length",
    "faster": "time", "quicker": "time", "fastest": "time", "quickest": "time",
    "rated": "rating", "rating": "rating", "ratings": "rating", "stars": "rating",
    "reviewed": "rating",
}  # fmt: skip
_NAMES: Final = frozenset(
    """
    price prices cost costs weight weights warmth comfort brightness lumens capacity volume height
    length rating ratings stars rated reviewed expensive weigh weighs
    """.split()  # noqa: SIM905
)
"""What two are compared by where it is said that they are: alone it is asked of one."""
_COMPARES: Final = re.compile(
    r"\b(?:compare|compared|comparison|versus|vs|against|difference|differ|differences|diff)\b"
    r"|\bwhich (?:one )?(?:of (?:the two|those|them|these|those two|both) )?(?:is|has|was)\b"
    r"|\b(?:of|for) (?:both|the two|those two|these two)\b|\b(?:both|each)\W*$"
)
_TURNS: Final = re.compile(
    r"\b(?:anything|something|any|some|than|if|not|no|other|others|else|another|similar|order"
    r"|orders|cart|basket|bought|too|much|many|under|over|below|most|more of|recommend|want|need"
    r"|have|get|show|find|looking|you|i|why|how|total|together|altogether|shipping|delivery"
    r"|reviews?|people|bit|little|all|ones|cheap|one for|still|every)\b"
)
_THAT_OR: Final = re.compile(r"\b(?:that|it|this)(?: one)? (?:or|vs|versus|and|against)\b")
_BESIDE: Final = frozenset(
    """
    compare compared comparison versus vs against difference differ differences diff better lower
    higher folded packed two both each either when more less number between systems system
    """.split()  # noqa: SIM905
)
_LONGEST: Final = 24
_PAIR: Final = 2


def compared(text: str, prompt: Prompt) -> tuple[Differ, ...] | None:
    """Return what two goods are compared by; None where a text compares no two."""
    tokens = tokens_of(text)
    plain = " ".join(token.text for token in tokens).strip(" ?!.,")
    texts = [token.text for token in tokens]
    if far := _how_far(plain, prompt):
        return far
    if len(tokens) > _LONGEST or ACTS & {*texts} or price_bounds(plain) != (None, None):
        return None
    by = _dimensions(texts, plain)
    if not by or _TURNS.search(re.sub(r"\bmore expensive|less expensive\b", "", plain)):
        return None
    scene = scene_of(prompt)
    ends_so = _ends_so(tokens)
    # "The quiet valley warmer": the word that compares is no part of a name.
    rest = [token for token in tokens if token.text not in _BY]
    items, inside = _goods(rest, plain, scene, ends_so=ends_so)
    if items is None or not _is_all_read(rest, inside):
        return None
    asks = text.rstrip().endswith("?") or _COMPARES.search(plain) is not None
    asks = asks or re.match(r"(?:and |so |ok |but )*(?:which|what|is|or)\b", plain) is not None
    if not asks and len(rest) > len(inside) + _PAIR:
        return None
    which = len(by) == 1 and _ASKS_WHICH.search(plain) is not None
    if not (which or items) and _ASKS_OTHER.search(plain):
        # Which one of those told of last has the most of it, another reader knows.
        return None
    return tuple(Differ(one, items, which) for one in by)


_ASKS_WHICH: Final = re.compile(
    r"\b(?:cheaper|cheapest|less expensive|lighter|lightest|warmer|warmest|brighter|brightest"
    r"|bigger|biggest|larger|largest|roomier|roomiest|taller|faster|fastest|quicker|quickest"
    r"|better|best|higher rat\w+)\b"
)
"""What is asked for is the one that is said to be so: of the heavier one, the lighter is none."""

_ASKS_OTHER: Final = re.compile(
    r"\b(?:heavier|heaviest|dearer|dearest|pricier|priciest|(?:more|most) expensive|smaller"
    r"|smallest)\b"
)


def _how_far(plain: str, prompt: Prompt) -> tuple[Differ, ...] | None:
    """Read "by how much?" as the difference that was asked of right before."""
    if not prompt.past or _HOW_FAR.fullmatch(plain) is None:
        return None
    last = prompt.past[-1]
    before = replace(prompt, past=prompt.past[:-1], turn=replace(last, calls=[]))
    focus = scene_of(before).focus
    then = compared(last.text, before) or ()
    return tuple(replace(one, items=_with_what_was(focus, one.items), which=False) for one in then)


def _with_what_was(focus: str | None, items: tuple[Reference, ...]) -> tuple[Reference, ...]:
    """Name what "it" was when the two were compared."""
    return tuple(Sku(focus) if isinstance(one, It) and focus else one for one in items)


_HOW_FAR: Final = re.compile(
    r"(?:(?:and|so|ok|but) )*(?:by )?how (?:much|far)(?: more| less| exactly)*"
)


def _dimensions(texts: Sequence[str], plain: str) -> list[Dimension]:
    """Return what is compared; what is only named counts where two are compared."""
    compares = _COMPARES.search(plain) is not None
    said = [
        word
        for word in texts
        if word in _BY and (compares or word not in _NAMES or _is_compared(texts, word))
    ]
    return list(dict.fromkeys(_BY[word] for word in said))


def _is_compared(texts: Sequence[str], word: str) -> bool:
    """Tell whether "better" or "more" stands beside a word: "better rated", "more expensive"."""
    beside = {"better", "best", "more", "less", "higher", "lower", "highest"}
    return any(
        (one in beside and two == word) or (one == word and two in beside)
        for one, two in pairwise(texts)
    )


def _goods(
    tokens: Sequence[Token], plain: str, scene: Scene, *, ends_so: bool
) -> tuple[tuple[Reference, ...] | None, set[int]]:
    """Return the two that are compared, none where they are those told of last; and their words.

    Where it cannot be said which two, the first is None.
    """
    things, counts = things_in(tokens)
    named = [one for one in things if isinstance(one.item, Sku | Nth) or _is_named(one.item)]
    inside = {at for one in named for at in range(one.start, one.end)}
    items = tuple(dict.fromkeys(one.item for one in named))
    if any(one.quantity is not None for one in named):
        return None, set()
    if not items and len(counts) == _PAIR and _are_places(counts, tokens):
        known = {row.number for row in (scene.lists[-1] if scene.lists else scene.latest)}
        numbers = [count.value for count in counts]
        of_places = {at for one in counts for at in range(one.start, one.end)}
        two = tuple(Nth(n) for n in numbers)
        return (two if {*numbers} <= known else None), of_places
    if counts or len(items) > _PAIR:
        return None, set()
    if len(items) == _PAIR:
        others = [token.text for at, token in enumerate(tokens) if at not in inside]
        return _of_one_kind(items, tuple(filter(says_goods, others))), inside
    if len(items) == 1:
        is_other = scene.focus is not None and (
            _THAT_OR.search(plain) is not None or _COMPARES.search(plain) or ends_so
        )
        return ((It(), *items) if is_other else None), inside
    told = len(scene.group) == _PAIR or (
        not scene.group and len(scene.recent) == _PAIR and not scene.choosing
    )
    return (() if told else None), set()


def _are_places(counts: Sequence[Count], tokens: Sequence[Token]) -> bool:
    """Tell whether two numbers stand for places in a list: "1 or 2", "number 1 vs number 3"."""
    between = {token.text for token in tokens[counts[0].end : counts[1].start]}
    behind = {token.text for token in tokens[counts[1].end :]}
    joins = {"or", "vs", "versus", "and", "&", "against"}
    is_joined = bool(between & joins) and between <= joins | {"number", "no", ","}
    return is_joined and not behind & {"person", "people", "litre", "litres", "season", "pairs"}


def _ends_so(tokens: Sequence[Token]) -> bool:
    """Tell whether a comparative ends a question of one: "the X pack lighter?"."""
    words = [token.text for token in tokens if token.kind is not Kind.MARK]
    ends = bool(words) and words[-1] in _BY and words[-1].endswith("er")
    return ends and tokens[-1].text == "?"


def _is_named(item: Reference) -> bool:
    return isinstance(item, Named) and has_model(item.words)


def _of_one_kind(items: tuple[Reference, ...], beside: tuple[str, ...]) -> tuple[Reference, ...]:
    """Give a model that is named alone what the other one is called beside its name."""
    rests = [item.words[2:] for item in items if isinstance(item, Named) and item.words[2:]]
    rests = rests or ([beside] if beside else [])
    return tuple(
        replace(item, words=(*item.words, *rests[0]))
        if isinstance(item, Named) and len(item.words) == _PAIR and rests
        else item
        for item in items
    )


def _is_all_read(tokens: Sequence[Token], inside: set[int]) -> bool:
    """Tell whether every word beside the goods is known to a comparison."""
    return all(
        at in inside
        or token.kind is Kind.MARK
        or token.text in _BESIDE
        or token.text in _BY
        or token.text in SILENT | IDLE
        or says_goods(token.text)
        for at, token in enumerate(tokens)
    )
