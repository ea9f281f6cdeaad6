"""What each clause says of what is wanted, by the form that it has."""

import re
from typing import Final

from daybook.demo.model.grammar.answers.deciding.wanting.clause import Clause
from daybook.demo.model.grammar.answers.deciding.wanting.counted import takes_count, takes_share
from daybook.demo.model.grammar.answers.deciding.wanting.told import (
    asks_for_cart,
    only_tells,
    takes_mention,
)
from daybook.demo.model.grammar.answers.deciding.wanting.turning import (
    BEGINS,
    SEES,
    TELLERS,
    TURNS,
    WEAK,
    WHO,
)
from daybook.demo.model.grammar.answers.deciding.wanting.wishes import Reading, is_it, takes_thing
from daybook.demo.model.grammar.language.chat.frames.acts import act_of
from daybook.demo.model.grammar.language.chat.vocabulary import COLOURS
from daybook.demo.model.grammar.language.intents.references import Every, It, Named, Nth, Other, Sku

_POLITE: Final = re.compile(
    r"\b(?:if (?:you|i) (?:would|could|can|may|please|like|wish|might|do not mind)(?: be so kind)?"
    r"|if (?:that|it|@) (?:is|would be) (?:ok|okay|alright|fine|possible|no (?:trouble|bother))"
    r"(?: with you)?|if possible|when you (?:can|get (?:a|the) (?:chance|minute))"
    r"|(?:would|will|could) you (?:please )?be so (?:kind|good) (?:as )?(?:to )?"
    r"|(?:would|will|could|can) you(?= *$)"
    r"|be so (?:kind|good) (?:as to|to|and)|do me (?:a|the) favou?r and|as well|no problem"
    r"|not a problem|no worries|why not|(?:would|do) you mind)\b"
)
_ADVERBS: Final = re.compile(
    r"\b(?:please|pls|plz|kindly|just|also|too|then|now|simply|quickly|thanks|thank you|definitely"
    r"|certainly|really|actually|anyway|today|straight|gladly|happily|ok|okay|yes|yeah|yep|yup"
    r"|sure|right|alright|fine|good|great|perfect|lovely|nice|cool|brilliant|excellent|wonderful"
    r"|super|well|oh|ooh|ah|aw+|hm+|um+|uh|eh|haha+|lol|hey|hi|hello|so|and|but|sorry|mate|dear"
    r"|sold|deal|done|after all|in that case|go on|for sure)(?: |$)"
)
_NAMED: Final = re.compile(
    rf"(?:{BEGINS} )*(?P<for>{WHO} )?(?:one of |a |the )?@(?P<mood>(?: {WEAK})*)"
)
_COUNTED: Final = re.compile(
    rf"(?P<idle>(?:{BEGINS}|no|wait|nope|sorry|make (?:it|that)|i mean|i meant) )*#"
    rf"(?: (?:of )?@)?(?: (?:for )?(?:each|apiece))?(?: (?:more|spare|extra))?"
    rf"(?P<mood>(?: {WEAK})*)"
)
_REFUSES: Final = re.compile(r"not #")
_THEN: Final = re.compile(r"(?:\w+ )*then\b")
_ANSWERS: Final = re.compile(r"\b(?:ok|okay|yes|yeah|yep|yup|sure|right|fine|deal|sold|alright)\b")


def takes(clause: Clause, read: Reading) -> bool:
    """Take a clause into what was read; false where it may turn what is wanted."""
    shape = _IN_COLOUR.sub("@", _HARMLESS.sub(" ", clause.shape))
    shape = " ".join(_POLITE.sub(" ", shape).split())
    if not shape:
        return True
    if _TAKES_BACK.fullmatch(shape):
        read.rights = True
        return bool(read.wishes)
    if clause.asks and not _ASKS_FOR.search(shape):
        return asks_for_cart(clause, read)
    wished = [one for one in clause.things if not is_it(one)]
    bare = " ".join(_ADVERBS.sub(" ", f"{shape} ").split())
    found = act_of(bare)
    if found is not None and (found[0] not in ("add", "want", "buy") or SEES.search(shape)):
        return False
    if found is not None and found[0] == "buy" and not wished:
        return False
    if counted := _COUNTED.fullmatch(shape):
        return takes_count(clause, counted, read)
    if read.rights:
        return False
    if _REFUSES.fullmatch(shape):
        return bool(read.wishes) and read.wishes[-1].count is not None
    is_told = shape.split()[0] in TELLERS | {"so", "because", "then"}
    models = [one for one in wished if not isinstance(one.item, Every | Other)]
    if found is None and is_told and not models and not clause.counts:
        return only_tells(clause, shape, read)
    if len(wished) > 1 or (wished and clause.counts):
        return False
    if found is not None:
        return _acts(clause, found[1], read)
    named = _NAMED.fullmatch(shape)
    if named is not None and clause.things:
        return _names(clause, shape, named, read)
    if wished:
        return takes_mention(wished[0], clause, shape, read)
    return only_tells(clause, shape, read)


_IN_COLOUR: Final = re.compile(rf"@ in (?:{'|'.join(sorted(COLOURS))})(?= |$)")
_TAKES_BACK: Final = re.compile(r"(?:(?:oh|no|nope|wait|sorry|hang on|hm+|ah|actually)(?: |$))+")
_HARMLESS: Final = re.compile(
    r"^(?:so |then )*(?:do not|never) (?:tell|ask|say|laugh|judge|worry)\b.*"
    r"|\b(?:(?:exactly|just|precisely) )?what (?:i|we) (?:am |are |was |were )?"
    r"(?:looking for|need(?:ed)?"
    r"|want(?:ed)?|after)\b|\b(?:good|nice|great|fair|decent|ok) price\b"
    r"|^(?:then )?(?:i|we|he|she|they) (?:will |can |may |just )*(?:send|return|bring) .* back$"
)
"""What has a word that could turn the meaning, and turns none."""
_ASKS_FOR: Final = re.compile(
    rf"^(?:{BEGINS} )*(?:can|could|may|might|would|will) (?:i|we|you) .*[@#]"
)


def _acts(clause: Clause, rest: str, read: Reading) -> bool:
    words = [word for word in rest.replace("@", " ").replace("#", " ").split() if word not in _MILD]
    is_pointed = all(map(is_it, clause.things)) and _PLAINLY.fullmatch(" ".join(words)) is None
    if is_pointed or any(word.isdigit() for word in words):
        return False
    if {*words} & TURNS or rest.count("#") + rest.count("@") > 1 + bool(clause.counts):
        return False
    if clause.counts and not clause.things:
        return takes_share(clause, rest, read)
    if not clause.things:
        return False
    return takes_thing(clause.things[0], read, mood=True)


_PLAINLY: Final = re.compile(
    rf"(?:(?:{BEGINS}|{WEAK}|in|me|us|i|we|you|one|with|back|there|goes|it|am|just|at once)"
    r"(?: |$))*"
)
_MILD: Final = frozenset({"would", "could", "can", "will", "shall"})


def _names(clause: Clause, shape: str, named: re.Match[str], read: Reading) -> bool:
    thing = clause.things[0]
    last = read.wishes[-1] if read.wishes else None
    is_same = last is not None and isinstance(last.item, It) and last.mood and clause.joined == ","
    if last is not None and is_same and shape == "@" and not is_it(thing):
        last.item = thing.item
        return isinstance(thing.item, Named | Sku | Nth)
    goes_on = clause.joined in ("and", "&", "plus", ",") and any(one.mood for one in read.wishes)
    mood = bool(named["mood"] or named["for"] or thing.quantity) or goes_on
    mood = mood or _ANSWERS.match(shape) is not None or _THEN.match(shape) is not None
    if is_it(thing) and not mood and not _ANSWERS.search(shape):
        return not thing.quantity
    return takes_thing(thing, read, mood=mood or is_it(thing))
