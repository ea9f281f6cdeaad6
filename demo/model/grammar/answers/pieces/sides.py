"""Cut a message into the goods that it joins, where it is nothing but wishes and goods. Pure."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from daybook.demo.model.grammar.language.chat.vocabulary import names_goods, says_goods
from daybook.demo.model.grammar.language.words import NUMBERS


@dataclass(frozen=True)
class Sides:
    """The goods of a message, as they are named or pointed at, each with its count.

    `wished` says that somebody wants them for a fact; `apposed` that a comma may only say one
    thing twice: "that burner, the Amber Hollow". `agreed` says that the first of them is what was
    offered before: "yes, and the Amber Hollow"; "maybe" where it may be said of another one.
    """

    goods: tuple[str, ...]
    wished: bool
    apposed: bool
    agreed: Literal["no", "maybe", "yes"] = "no"


_MOST: Final = 4
"""Goods that are joined in one message."""
_SEVERAL: Final = 2
_NUMBER: Final = rf"(?:\d{{1,2}}|{'|'.join(NUMBERS)})"
_WHOM: Final = (
    r"for (?:me|us|him|her|them|(?:my|our|the|his|her) \w+|[a-z]+(?= (?:the|a|an|one|it|that)\b))"
)
_CART: Final = r"(?:my|the|our|your) (?:cart|basket|bag|order)"
_IDLE_WORD: Final = (
    r"(?:so (?:does|do|is|are|will)|ok(?:ay)?|so|well|great|good|perfect|nice|cool|fine|right|then"
    r"|now|please|pls|yes|yeah|yep|sure|hm+|oh|ah|alright|thanks|thank you|thx|cheers|sold|just"
    r"|also|and|plus|hi|hello|hey|lovely|in that case|but|both|first|decision|i (?:have )?decided"
    r"|(?:my |for my |the )?cart|order"
    r"|since we are at it|while (?:you|we) are at it"
    rf"|{_WHOM}|[,.!:-])"
)
_IDLE: Final = rf"(?:{_IDLE_WORD} )*"
_ASKER: Final = r"(?:(?:can|could|may|might|would|will) (?:you|i|we|u)|i|we|you|let us|lets|let me)"
_WISH: Final = (
    rf"(?:{_ASKER}(?: (?:will|would|am|are|wanna|want to|need to|have to|think|gonna|going to"
    r"|please|like to|just|also|love to|kindly|then))* )?"
    r"(?:please )?(?:add|put|take|have|get|want|need|buy|order|give me|like|grab|throw in|throw|pop"
    r"|love|reserve|pack|bag|send me|go (?:with|for)|going (?:with|for)|do|choose|pick)"
    rf"(?: (?:me|us|her|him|them))?(?: (?:in|to) {_CART})?(?: both| please|:)*"
)
_THEIRS: Final = (
    r"(?:(?:my|our|the) \w+|she|he|they)(?: (?:also|then|will|would|really|too|both))*"
    r" (?:wants?|needs?|takes?|gets?|have|has|would like)"
)
_END: Final = (
    r"(?:,? ?(?:please|pls|then|too|also|as well|thanks|thank you|thx|now|today|both|yes|instead"
    rf"|for (?:me|us)|(?:goes? |go )?(?:in|into|to) {_CART}|(?:goes? )?in(?: there)?"
    r"|are what (?:i|we) want|is (?:fine|good|ok|okay|great|perfect)"
    r"|for (?:my|our|the) (?:trip|trek|hike|weekend|holiday|tour)"
    r"|that is (?:it|all)|it is))*"
)
_PIECE: Final = re.compile(
    rf"{_IDLE}(?:(?P<wish>{_WISH}) |(?P<theirs>{_THEIRS}) )?{_IDLE}(?P<goods>.+?)(?P<end>{_END})"
)
_NOTHING: Final = re.compile(rf"{_IDLE}{_IDLE_WORD}(?:{_END})")
_JOINT: Final = re.compile(
    r"(?:(?: [,;.?!:-])+)? (?:and also|and then|and|plus|&|as well as|along with|together with"
    r"|(?<!go )(?<!going )with|in addition to|then)(?: also| then)? "
    r"|(?: [,;.?!:-])+ (?:also|plus|then) |(?:^|(?<=\S)) ?\n ?|(?: [,;.?!:-])+(?: |$)"
)
_WORD_JOINS: Final = re.compile(
    r"\b(?:and|plus|(?<!go )(?<!going )with|as well|too|also|then|in addition)\b|[&;]"
)
_CONSENT: Final = re.compile(
    rf"{_IDLE}(?:yes|yeah|yep|yup|sure|sold|deal|absolutely|definitely|of course|go on|go ahead"
    r"|go for it|(?:do|love|want) (?:it|that)|please do|why not|let us do (?:it|that)|in it goes"
    r"|that is the one|(?:that|it) will do(?: nicely)?|i am (?:convinced|sold|in)|count me in"
    r"|that is what (?:i|we) (?:need|want)|works for me|it is a yes(?: from me)?|yes to that"
    rf"|(?:put |add )?(?:in|into|to) {_CART}"
    rf"|(?:please )?add|(?:i|we) will go for it|let us go for it|i buy it){_END}"
)
_COUNT_OF_IT: Final = re.compile(
    rf"{_IDLE}(?:{_WISH} )?(?P<n>{_NUMBER}|a)(?P<pair> pairs?)?(?: of (?:it|those|these|them))?"
    rf"{_END}"
)
_WISHED_COUNT: Final = re.compile(rf"{_IDLE}{_WISH} {_NUMBER}(?: pairs?)?{_END}")
_AND: Final = re.compile(r"\band\b")
_JOINS: Final = re.compile(rf"{_WORD_JOINS.pattern}|\n| - |[.?] ")
_JOINS_ON: Final = re.compile(r"^(?:(?:and|plus|also|then) )+(?=.)")
"""Joins a message to what was said before it, and nothing in it."""
_WITH_IT: Final = re.compile(r"(?<=.) (?:along |together )with (?:it|that|them|this)$")
_PRONOUN: Final = re.compile(r"(?:it|this|that|these|those|them)(?: one)?")
_WHO: Final = (
    r"(?: (?:too|as well|also|in)| for (?:me|us|him|her|them|(?:my|our|the) \w+)"
    r"| (?:from|on|of|in) (?:the|your|this|that) list| of (?:them|these|those))*"
)
_COUNT: Final = (
    rf"(?:(?:{_NUMBER}|a|an)(?: pairs?| sets?| pieces?| pcs)?(?: of(?: the)?)? |(?:just|only) )?"
)
_PLACE: Final = (
    r"(?:first|second|third|fourth|fifth|last|top|bottom|middle|next|previous|other|same|\d(?:st|nd"
    r"|rd|th)|cheap\w*|light\w*|warm\w*|heav\w*|bigg?\w*|large\w*|small\w*|dear\w*|bright\w*|best"
    r"|former|latter)"
)
_POINTS: Final = re.compile(
    rf"{_COUNT}(?:it|this|that|these|those|them"
    r"|(?:this|that|these|those|the) (?:very )?(?:ones?|pair)"
    rf"|(?:the |that |this )?(?:\w+ )?{_PLACE}(?: (?:ones?|pair|\w+))?"
    rf"|(?:number|no|nr|option|#) ?\d{{1,2}}|#\d{{1,2}}|[a-z]{{2,8}}-\d{{2,6}}"
    r"|(?:the |that )?(?:\w+ )?(?:one|pair|thing) (?:in the middle|before(?: it| that)?"
    r"|above(?: it)?|below(?: it)?|(?:next to|after|behind|under|beside) (?:it|that)"
    r"|you \w+(?: \w+)?|i (?:just )?\w+(?: \w+){0,3})"
    rf"|what i (?:just )?\w+(?: about| before)?){_WHO}"
)
_DETERMINED: Final = re.compile(
    rf"(?:the|this|that|these|those) {_COUNT}(?P<kind>\w+(?: \w+)?){_WHO}"
)
_NAMED: Final = re.compile(
    rf"(?:(?:the|this|that|my|some|another) )?{_COUNT}(?P<name>.+?)(?: ones?)?{_WHO}"
)
_BARE_COUNT: Final = re.compile(rf"(?P<n>{_NUMBER})(?: pairs?| pcs)?")
_OF_IT: Final = re.compile(rf"{_NUMBER} of (?:it|them|those|these)")


def sides_of(plain: str) -> Sides | None:
    """Cut a text into the goods that it joins; None where it says anything else, or joins none.

    Args:
        plain: the text's tokens, a blank between each two.
    """
    plain = _JOINS_ON.sub("", plain)
    wished, apart = False, _JOINS.search(plain) is not None
    agreed: Literal["no", "maybe", "yes"] = "no"
    goods: list[str] = []
    ends: list[bool] = []
    for cut in _JOINT.split(_WITH_IT.sub("", plain)):
        said = cut.strip()
        if not goods or agreed == "yes":
            if _CONSENT.fullmatch(said):
                agreed, goods = "yes", goods or ["it"]
                continue
            if (count := _COUNT_OF_IT.fullmatch(said)) and goods in ([], ["it"]):
                of = f"{count['n']}{count['pair'] or ''} of it"
                wished, goods = True, ["it" if of == "a of it" else of]
                continue
        is_agreed = _CONSENT.fullmatch(said) or _WISHED_COUNT.fullmatch(said)
        if is_agreed and len(goods) == 1 and "it" not in goods[0] and _AND.search(plain):
            # "The Lark Rise, and yes add one": of which of the two it is said is asked.
            agreed, goods = "maybe", [*goods, "it"]
            continue
        if not said or _NOTHING.fullmatch(said):
            continue
        if (count := _BARE_COUNT.fullmatch(said)) and goods and not _is_counted(goods[-1]):
            # "Lark Rise - two": the count stands behind what it counts.
            goods[-1] = f"{count['n']} {goods[-1]}"
            continue
        piece = _PIECE.fullmatch(said)
        if piece is None or not _is_goods(piece["goods"]):
            return None
        if goods and _WORD_JOINS.search(plain) is None and _OF_IT.fullmatch(piece["goods"]):
            # "The cheaper one. Two of them" counts what it names, and joins nothing to it.
            return None
        if goods == ["it"] and _PRONOUN.fullmatch(piece["goods"]):
            wished = True
            continue
        is_echo = not wished or _WORD_JOINS.search(plain) is None
        if goods and piece["wish"] and is_echo and _PRONOUN.fullmatch(piece["goods"]):
            # "The second one, add it".
            return None
        ends.append(bool(piece["end"]))
        apart = apart or bool(goods and (piece["wish"] or piece["theirs"] or all(ends)))
        goods.append(piece["goods"])
        wished = wished or bool(piece["wish"] or piece["end"])
    if agreed != "no" and _WORD_JOINS.search(plain) is None:
        # "Sold. Fern Gully": what was offered may as well be what is named.
        return None
    if not _SEVERAL <= len(goods) <= _MOST:
        return None
    is_apposed = not apart and any(map(_points_at, goods))
    return Sides(tuple(goods), wished or agreed == "yes", is_apposed, agreed)


def _is_counted(side: str) -> bool:
    return re.match(rf"{_NUMBER}\b(?! (?:one|pair)\b)", side) is not None


def counts(sides: Sides) -> bool:
    """Tell whether one of the goods has a count."""
    return any(map(_is_counted, sides.goods))


def _points_at(side: str) -> bool:
    return bool(_DETERMINED.fullmatch(side) or _PRONOUN.fullmatch(side))


def _is_goods(side: str) -> bool:
    """Tell whether a piece is goods that are named or pointed at, and nothing else."""
    if _POINTS.fullmatch(side):
        return True
    if (kind := _DETERMINED.fullmatch(side)) and all(map(says_goods, kind["kind"].split())):
        return True
    named = _NAMED.fullmatch(side)
    return named is not None and names_goods(named["name"].split())
