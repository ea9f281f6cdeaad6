"""Tell whether what stands beside a change leaves it as it is. Pure.

Anything may: people say why, or curse. Only words of a closed class can turn the meaning: a
question, a condition, a doubt, a choice, a time to come, another act, other goods, another number.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from daybook.demo.model.grammar.answers.deciding.altering.units import Unit
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.references import It

_ENDS: Final = frozenset(". , ; : ! \n and but because cause so since as ~".split())  # noqa: SIM905
_TURNS: Final = (
    frozenset(
        """
        ? if whether unless or maybe perhaps possibly probably might may could should shall would
        how what why when where who whose which until till later tomorrow tonight wonder wondering
        think thinking thought guess suppose unsure except half twice instead before yet first
        both every everything nothing stop hold undo imagine pretend hypothetically say said
        show find search look tell list compare check reviews review price cost weight weigh weighs
        rating total sum buy checkout pay paid charge ship deliver want wants need
        note save other another same more less fewer extra
        """.split()  # noqa: SIM905
    )
    | ACTS
)
_HARMLESS: Final = (
    r"(?:change|changed|changing) (?:my|our|his|her|their) minds?|after all|all good|that is all"
    r"|i forgot|we forgot|(?:i|we) had forgotten|(?:i )?forgot|hold on|hang on|first of all"
    r"|(?:i|we) (?:have )?(?:said|say) (?:it )?wrong|(?:said|wrote|typed) (?:it|that)? ?wrong"
    r"|(?:he|she|they|\w+) (?:just )?(?:said|says|say|texted|told me|called|rang)"
    r"|the same (?:number|amount|quantity)|same (?:number|amount|quantity)|of the same"
    r"|(?:please )?thank you so much|nothing else|if you (?:would|could|can|please|will"
    r"|do not mind)"
    r"|no worries|if possible|would be (?:great|nice|lovely|plenty|enough)|what was i thinking"
    r"|or so|i think|i guess|i suppose|more like it|(?:and|so) the (?:rest|others?) (?:can )?stays?"
    r"|leave (?:the rest|everything else|the others?)(?: (?:as (?:it|they) (?:is|are)|alone))?"
    r"|(?:the rest|everything else|the others?) (?:is|are) (?:fine|good|ok|right)"
    r"|on second thoughts?"
    r"|on reflection|like (?:that|this)|just in case|first things first|stupid me|silly me"
    r"|(?:not )?what @ (?:was|is)|now that .*|(?:given|seeing) .*|(?:at|for) that (?:price|money)"
    r"|should (?:be|have been|read)$|^instead$|wants? (?:no|none)|(?:both|all|two|half) of us"
    r"|(?:only )?half (?:of )?@ (?:are|were|is|have|has|got|will)"
    r"|half (?:of )?(?:the|my|our) \w+ (?:has|have|is|are|got|will)|(?:would|will|could) you"
    r"|(?:bought|has|got|owns|ordered) the same(?: one)?|i want to be|the other day|each other"
    r"|share|once more"
)
_ASKS_TOTAL: Final = re.compile(
    r"(?:(?:and|then|now|so) )*(?:what (?:is|does|will)|whats|tell me|show me|give me|how much is)"
    r" (?:the |my |it |that |@ )?(?:new )?(?:total|cart|sum|come to|make)"
    r"(?: (?:now|then|please|altogether|in total|again|come to))*(?: \?)?$"
)
_EXCLAIMS: Final = re.compile(
    r"(?:(?:whoa|wow|what|seriously|really|huh|eh|omg|right|ok|wtf|oh|wait|no|god|hey|hm+|jesus|how"
    r"|much|ouch|yikes|and|is|it|@|dollars|bucks|usd|quid|for|that|[$\u20ac\u00a3\d.]+) ?"
    r"|# ?)+[? ]+"
)
_IDLE: Final = frozenset(
    "ok no oh ah well yes and so then actually sorry wait please just hm right thanks nah nope".split()  # noqa: E501, SIM905
)
_DOUBTS: Final = re.compile(
    r"\bnot (?:sure|certain|yet|now|really|today|so fast|necessarily|if)\b|\bi wish\b"
    r"|\bnever mind\b"
)
_REGRETS: Final = re.compile(
    r"(?=.*\b(?:no|nope|nah|wait|hang|hold|never|nvm|scratch|not|cancel|forget|leave)\b)"
    r"(?:(?:no|nope|nah|wait|actually|hang on|hold on|never mind|nvm|scratch that|not|cancel"
    r"|forget it|leave it|sorry|oh|hm+) ?)+"
)
_WANTS_NOT: Final = re.compile(
    r"\b(?:do|does|did|will|would|can|no) ?(?:not|longer)? (?:really |even |actually |just )*"
    r"(?:need|want|like|have use for|use)\b|\bno (?:need|use) (?:for|of)\b"
)
_KEEPS: Final = re.compile(
    r"(?:(?:but|and|just) )*(?:(?:keep|leave) @(?: (?:in|as (?:it|they) (?:is|are)|alone|there))?"
    r"|@ (?:can |should |must )?(?:stays?|remains?|(?:is|are) (?:fine|ok|good|staying))"
    r"(?: (?:in|as (?:it|they) (?:is|are)|at #|put|there))*)(?: please)?"
)


def pieces_of(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Yield what is left of a text beside its changes, clause by clause."""
    piece: list[Unit] = []
    asked = False
    for unit in units:
        if unit.text == "?" and asked:
            continue
        asked = unit.text == "?"
        if asked:
            yield [*piece, unit]
            piece = []
        elif unit.text in _ENDS:
            if piece:
                yield piece
            piece = []
        else:
            piece.append(unit)
    if piece:
        yield piece


def keeps(piece: Sequence[Unit]) -> bool:
    """Tell whether a clause says that something stays: "the bags are fine"."""
    return _KEEPS.fullmatch(" ".join(unit.text for unit in piece)) is not None


def is_silent(piece: Sequence[Unit], *, removes: bool, is_last: bool) -> bool:
    """Tell whether a clause turns nothing; goods in it are looked at by who knows the cart."""
    shape = " ".join(unit.text for unit in piece)
    if _ASKS_TOTAL.fullmatch(shape) or _EXCLAIMS.fullmatch(shape) or _KEEPS.fullmatch(shape):
        return True
    if _DOUBTS.search(shape):
        return False
    if is_last and _REGRETS.fullmatch(shape):
        return False
    if removes or "#" not in shape:
        shape = _WANTS_NOT.sub("wants_not", shape)
    told = re.sub(rf"\b(?:{_HARMLESS})\b", "so_said", shape)
    words = told.split()
    if _TURNS & {*words} or has_model([*words]):
        return False
    if not all(_is_told(at, piece) for at, unit in enumerate(piece) if unit.text in "#+"):
        return False
    points = any(isinstance(unit.item, It) for unit in piece)
    begins = next((word for word in words if word not in _IDLE), "")
    return not points or begins in _TELLERS or "wants_not" in words


_TELLERS: Final = frozenset(
    """
    i we he she they it my our his her the that this there one everyone everybody nobody because @
    too wants_not so_said not never somebody someone is was
    """.split()  # noqa: SIM905
)
_COUNTS: Final = frozenset(
    """
    to at be size number quantity only just and or plus by x for than of under over below make is
    are in up down
    """.split()  # noqa: SIM905
)
_SHARES: Final = frozenset({"for", "each", "spare", "apiece", "per", "kg", "people", "of"})


def _is_told(at: int, piece: Sequence[Unit]) -> bool:
    """Tell whether a number counts people, somebody's own, or what each of them gets."""
    before = piece[at - 1].text if at else ""
    after = piece[at + 1].text if at + 1 < len(piece) else ""
    is_word = after.isalpha() and after not in _IDLE
    is_beside = bool(before) and before.isalpha() and before not in _COUNTS | _IDLE
    return is_beside or after in _SHARES or is_word
