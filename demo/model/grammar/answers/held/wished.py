"""Whether a change was wished for, here and now, and so many of it: the last look at the words.

Pure. It knows nothing of how a change was read. It looks for a closed class of what makes no wish
of it: a command that is told of somebody, scorn, another day, what forbids it, a number that
counts something else, a word of what is to be looked at.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.answers.held.accounted import CART
from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    Doubtful,
    Remove,
    SetQuantity,
    Swap,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import It, Named, Nth
from daybook.demo.model.grammar.language.intents.talk import Talk
from daybook.demo.model.grammar.language.words import NUMBERS

_MANY: Final = "|".join(NUMBERS)
_NUMBER: Final = rf"(?:\d{{1,3}}|{_MANY})"
_ACTS: Final = re.compile(
    r"\b(?:add|put|take|want|need|buy|get|give|order|grab|have|make|please|pls|instead|rather)\b"
)
_TELLS: Final = re.compile(
    r"(?<!\bi )\b(?:said|says|say|wrote|writes|told me(?: to \w+)?|texted|texts|asked|replied"
    r"|messaged|mailed|shouted|goes|went|to type|quotes?)\b(?: \w+){0,3} ?:(?! ?[()\[\]/|])"
)
"""What is told of somebody, word for word: "he said: take the first"."""
_SCORNS: Final = re.compile(
    r"\bas if (?:i|we|anyone|anybody|somebody|someone)\b|\blike hell\b|\bfat chance\b|\bdream on\b"
    r"|\bin your dreams\b|\bover my dead body\b|\bno way (?:i|we|am|will|would|do)\b"
    r"|\bnot in a (?:million|thousand) years\b|\bhell freezes\b|\b(?:cold|rainy) day in hell\b"
    r"|\bcatch me\b|\bi would (?:have to )?be (?:mad|crazy|insane|nuts|a fool|stupid) to\b"
)
_ANOTHER_DAY: Final = re.compile(
    r"\bnot (?:just )?(?:today|yet|now|right now|right away|straight away|tonight"
    r"|this (?:week|month|time|year))\b(?! (?:pay|check))"
    r"|\b(?:once|when(?:ever)?|as soon as|after|the moment|until|till)\b(?: \w+){0,4}? "
    r"(?:on sale|on offer|cheaper|in stock|available|reduced|discounted|drops?|goes down|falls"
    r"|comes down|below|payday|paid|get my (?:salary|wages?|money|bonus))\b"
)
_FORBIDS: Final = re.compile(
    r"(?:[,.;!?-]|\bbut|\bthough|\bexcept|\bsadly|\bunfortunately|\balas)"
    r"(?: (?!add|put|take|want)\w+){0,5}? (?:"
    r"(?:can ?not|could not)(?: \w+)? (?:afford|pay for|justify|spend|buy|have)"
    r"(?: (?:it|that|them|this|so much|that much|one|any))?(?= [.,;!]|$)"
    r"|(?:says?|said|thinks?|goes) (?:no|nope|not|otherwise)\b"
    r"|(?:will|does|would|did|do) not (?:let|allow|approve|agree|want me)\b|(?:am|are) not allowed"
    r"|(?:(?:have|got|there is) )?no (?:money|cash|budget)\b|not enough (?:money|cash)\b"
    r"|(?:am|are) (?:broke|skint)\b|(?:over|out of|above|beyond) (?:my |our |the )?budget\b"
    r"|too (?:dear|expensive|much|pricey) for (?:me|us|my \w+)\b)"
)
"""What forbids what was named before it: "I want the X but can't afford it"."""
_HIMSELF: Final = re.compile(
    r"\b(?:i|we)(?: \w+){0,3} (?:add|put|do|enter|type|order|buy)\b[^.!?;]*(?<!for )(?<!to )"
    r"\b(?:myself|ourselves)\b"
)
_LOOKS: Final = re.compile(
    r"(?:(?:please|ok|so|and|now|then|can you|could you|would you|,) )*"
    r"(?:give|get|send|show|fetch|read|hand) (?:me|us) [^.!?,;]*"
    r"\b(?:details?|infos?|information|specs?|specifications?|reviews?|prices?|weights?|ratings?"
    r"|measurements|dimensions|page|link|description|data)(?: please| pls| now)*[ .!?]*$"
)
_AWAY: Final = re.compile(
    r"\b(?:want|wants|need|like)\b[^.!?,;]*\b(?:gone|removed|deleted|refunded|cancell?ed)\b"
)
_EXAMPLE: Final = re.compile(
    r"\bfor (?:example|instance)\b|\be ?\. ?g\b|\bas an example\b|\btake [^.,!?;]*, say\b"
    r"|^(?:(?:ok|so|well|just|now|then|,) )*take [^:.!?]+[:-] (?:is|are|does|do|what|how|would|can"
    r"|which|where|has)\b"
)
_ELSEWHERE: Final = re.compile(
    r"\byour own (?:cart|basket)\b|\b(?:to|into|in|from|with|on|of) (?:order )?db-\d+"
)
_IN_TIME: Final = re.compile(
    r"^(?:(?:and|so|ok|,) )*(?:can|could|may|might) (?:i|we) (?:\w+ )?(?:get|have|receive)\b"
    r"[^.!?]* (?:by|before|until|till|within|in time for) \w+"
)
"""What asks of its arrival: "can I get two of them by Friday"."""
_AS_MANY: Final = re.compile(
    r"\bas many\b(?! as (?:there are|you have|possible))"
    r"|\b(?:add|take|want|need|get|buy|order|put|have)(?: me| us| in)? up to \w+"
)
_OR_RATHER: Final = re.compile(r"\bor (?:rather|better|maybe|perhaps|else|possibly)\b")
_OR: Final = re.compile(
    r"[.,;!?-] or (?:the|a|an|that|this|else|maybe|perhaps|[a-z]+ [a-z]+)\b(?! so\b)"
)
_NO_COUNT: Final = re.compile(
    rf"(?:add|take|put|want|need|get|buy|order|have)(?: me| in)? (?:- ?\d|\d+[.,]\d+ (?!{_NUMBER}"
    r"|l\b|litres?\b|liters?\b|kg\b|lbs?\b|oz\b|m\b|litre\b|liter\b))"
)
_BARGAIN: Final = re.compile(
    rf"\b(?P<n>{_NUMBER}|a) (?:of (?:it|them|those|these) )?for (?:(?:[$€£] ?)?\d+[.,]\d\d\b"
    r"|[$€£] ?\d+|\d+ ?(?:[$€£]|dollars?|bucks|usd|quid|euros?)"
    r"|(?:[2-9]\d|1\d\d)\b(?! (?:\w+ ){0,2}(?:people|persons?|kids|guests|days?|nights?|l\b|litres?"
    r"|liters?|each|apiece))"
    rf"|the price of\b|free\b|{_NUMBER}(?=[ .!?]*$))"
)
"""A price for so many that is not the shop's, or may be none: "2 for 70", "3 for 2"."""
_OF_ELSE: Final = (
    r"(?:card|flat|apartment|apt|door|room|code|floor|age|aged|turns?|turning|pin|zip|gate|table"
    r"|class|grade|score|rating|address|unit|level|route|bus|street|road"
    r"|(?:(?:my|our|his|her|their)(?: \w+)?|phone|house|door|order|card) number(?: (?:is|was|:))?"
    r"|(?:he|she|who|(?:my|our|his|her|the) (?:(?:little|youngest|oldest|eldest|older|younger) )?"
    r"(?:sons?|daughters?|kids?|child|children|boys?|girls?|baby|babies|dog|cat|grandson"
    r"|granddaughter|niece|nephew|brother|sister|twins|one|eldest|oldest|youngest|name|size|team"
    r"|group|temperature|shoe|foot|house|flat|door)) (?:is|are|was|turns?|turned|will be))"
    r"(?: (?:only|just|about|now|already|almost|nearly|no|nr|#|:))*"
)
_NEEDS: Final = re.compile(r"\bnot (?:really )?(?:want|need|like)\b[^.,!?;]* to (?!go\b)[a-z]+\b")
"""How goods shall not be is no wish to be rid of them: "I don't want the lamp to be bright"."""
_BACK_AT_ITS_END: Final = re.compile(
    r"[.,;!-] (?:(?:hm+|oh|ah|ugh|wait|well|actually|or|but|sorry|on second thoughts?) (?:, )?)+"
    r"(?:no|nope|nah|not|do not|rather not|better not)[ .!]*$"
)
_COMPARES: Final = re.compile(
    r"\b(?:cheap|light|heav[iy]|warm|bright|dear|bigg|small|larg|strong|nic|long|short)\w*er of\b"
    r"|\b(?:better|best|\w+est) of\b"
)
_FINDS_ALIKE: Final = re.compile(
    r"\b(?:is(?! (?:the one|it)\b)|are|looks?|seems?|sounds?|feels?|has|costs?"
    r"|(?<!would )(?:likes?|loves?))\b"
    r"[^.!?;]*, (?:and )?[^.!?;,]*\b(?:too|also|as well)[ .!]*$"
)
"""What is found of two: "the first is nice, the third too"."""
_WISHES: Final = re.compile(
    r"\b(?:add|put|take|want|need|buy|get|give|order|grab|please|pls|will have|would like|go for"
    r"|go with|in (?:my|the) cart|have to have)\b"
)
_TWO_COUNTS: Final = re.compile(
    rf"\b{_NUMBER} of (?:these|those|this|that|them|it)(?: ones?)? (?:and|plus) {_NUMBER}\b"
)
_IDIOMS: Final = re.compile(
    r"\btake (?:it|that|this) (?:as(?! well\b)|from"
    r"|into|under|up with|up on|back|easy|away|personally"
    r"|for granted|slow(?:ly)?|seriously|literally)\b"
    r"|\bput (?:it|that|this) (?:this way|that way|differently|another way|simply|mildly|bluntly"
    r"|down to|off\b|on hold|in writing|to (?:him|her|them|my \w+)|past)"
    r"|\b(?:can|could|may|do) (?:i|we) (?:bring|take|send|give)"
    r" (?:it|that|this|them|these|those) back"
)
_WANTS_PROOF: Final = re.compile(
    r"\b(?:give|tell|name|any|what|one|good|\d) (?:me |us )?(?:\w+ ){0,2}reasons? (?:to|why|for)\b"
    r"|\b(?:promise|guarantee|assure|prove|swear|convince|persuade) (?:me|us|that|it|to)\b"
    r"|\bnot (?:quite |nearly |really )?(?:enough|sufficient)[ .!]*$"
)
_NOT_THIS: Final = re.compile(r"^(?:(?:no|oh|ok|,) )*not (?:the|my|those|these) [^.,;!?]+, \w+")
_NOT_THAT_ONE: Final = re.compile(
    r"^(?:(?:no|oh|ok|hm+|but|,) )*not (?:the|that|this) (?:[\w-]+ ){0,3}ones?[ .!]*$"
)
"""What may be said of a list as well as of the cart: "not the cheapest one"."""
_OF_ANOTHER: Final = re.compile(
    rf"\b{_NUMBER} of the (?!same\b|{_MANY})(?:[\w-]+ ){{1,2}}(?:one|ones|pair)\b"
)
_AND_COUNT: Final = re.compile(rf"(?:and|or) {_NUMBER}[ .!]*")
_A_PIECE: Final = (
    r"\b(?:a|an|1|one)(?: of (?:the|my|those|these))? "
    r"(?:(?!and|or|the|my|but)[a-z'-]+ ){{0,3}}?{}\b"
)

_NO_WISHES: Final = (
    _IDIOMS, _WANTS_PROOF, _SCORNS, _ANOTHER_DAY, _HIMSELF, _EXAMPLE, _ELSEWHERE,
    _NO_COUNT, _BACK_AT_ITS_END,
)  # fmt: skip


def wished(intents: Sequence[Intent], plain: str, text: str) -> tuple[Intent, ...]:
    """Return what was read, its changes as questions where the words make no wish of them."""
    read = tuple(_of_pairs(_of_one_piece(one, plain), plain) for one in intents)
    changes = [one for one in read if isinstance(one, CART)]
    if not changes:
        return read
    if len(read) == 1 and isinstance(changes[0], SetQuantity) and _is_of_else(changes[0], plain):
        return (Talk("told"),)
    if any(_is_of_else(one, plain) for one in changes):
        return tuple(_counted_otherwise(one, plain) for one in read)
    more = Add | SetQuantity | Swap
    if any(isinstance(one, more) for one in changes) and any(_unwished(read, plain, text)):
        return tuple(doubtful(one) if isinstance(one, CART) else one for one in read)
    is_told = _TELLS.search(text.lower()) or _SCORNS.search(plain)
    removes = any(isinstance(one, Remove) for one in changes)
    turns = _NEEDS.search(plain) or (len(read) == 1 and _NOT_THIS.search(plain))
    turns = turns or _NOT_THAT_ONE.search(plain)
    # A count of another one is no new count of what was put in.
    sets = len(read) == 1 and isinstance(changes[0], SetQuantity) and _OF_ANOTHER.search(plain)
    if is_told or sets or (removes and turns):
        return tuple(doubtful(one) if isinstance(one, CART) else one for one in read)
    return read


def _unwished(read: Sequence[Intent], plain: str, text: str) -> Iterator[bool]:
    """Yield for each way to wish for nothing more whether a text does."""
    changes = [one for one in read if isinstance(one, CART)]
    adds = [one for one in changes if isinstance(one, Add)]
    for shape in _NO_WISHES:
        yield shape.search(plain) is not None
    yield _TELLS.search(text.lower()) is not None
    forbids = _FORBIDS.search(plain)
    yield forbids is not None and _ACTS.search(plain[forbids.end() :]) is None
    yield _AS_MANY.search(plain) is not None or _IN_TIME.search(plain) is not None
    yield _LOOKS.match(plain) is not None
    yield len(adds) == len(changes) and _AWAY.search(plain) is not None
    bargain = _BARGAIN.search(plain)
    yield bargain is not None and any(getattr(one, "quantity", 0) for one in changes)
    yield _OR_RATHER.search(plain) is not None and len(read) > len(changes)
    yield len(adds) > 1 and _OR.search(plain) is not None
    yield _AND_COUNT.fullmatch(plain) is not None
    finds = _FINDS_ALIKE.search(text.lower()) or _FINDS_ALIKE.search(plain)
    yield finds is not None and _WISHES.search(plain) is None
    yield _TWO_COUNTS.search(plain) is not None and len(changes) == 1
    yield any(_is_of_a_range(one, plain) for one in changes)
    refused = re.findall(r"\bbut not (\d+)\b", _digits(plain))
    yield any(str(one.quantity) in refused for one in adds)
    # The one of two that is to be found out was read as a part of a name.
    named = [one.item.words for one in adds if isinstance(one.item, Named)]
    yield any(_COMPARES.search(" ".join(words)) for words in named)


def _is_of_a_range(one: Intent, plain: str) -> bool:
    """Tell whether a count is one end of a range of goods: "2-3 fleeces"."""
    count = getattr(one, "quantity", None)
    ranges = re.findall(
        rf"(?<![\w.]){_NUMBER} ?(?:-|/) ?{_NUMBER}(?! ?[\w-]*(?:person|man|season"
        r"|layer|burner|size))",
        plain,
    )
    return any(str(count) in re.findall(r"\d+", found) for found in ranges)


def _digits(plain: str) -> str:
    return re.sub(rf"\b(?:{_MANY})\b", lambda found: str(NUMBERS[found[0]]), plain)


def _is_of_else(one: Intent, plain: str) -> bool:
    """Tell whether a change's count is said of something else alone: "my house number is 4"."""
    if not isinstance(one, Add | SetQuantity) or getattr(one, "double", False):
        return False
    said = _digits(plain)
    places = [found.start() for found in re.finditer(rf"(?<![\w.-]){one.quantity}(?![\w.%])", said)]
    others = {found.end() for found in re.finditer(rf"\b{_OF_ELSE} (?=\d)", said)}
    return bool(places) and {*places} <= others and (one.quantity or 1) > 1


def _counted_otherwise(one: Intent, plain: str) -> Intent:
    """Ask of goods without the count that is none of theirs: "with card 2"."""
    if isinstance(one, Add) and _is_of_else(one, plain):
        return Doubtful("add", (one.item,), 1)
    return doubtful(one) if isinstance(one, CART) else one


def _of_pairs(one: Intent, plain: str) -> Intent:
    """Return a place of a list that counts pairs as so many of something, which is asked."""
    match one:
        case Add(Nth(n, counted=False), 1) if re.search(rf"\b{n} pairs?\b", _digits(plain)):
            return Doubtful("add", (It(many=True),), n)
        case _:
            return one


def _of_one_piece(one: Intent, plain: str) -> Intent:
    """Take one piece out where one is said, not all that there are: "take a bag out"."""
    match one:
        case Remove(Named((*_, noun)), None) if is_one_piece([noun], plain):
            return replace(one, quantity=1)
        case _:
            return one


def is_one_piece(nouns: Iterable[str], plain: str) -> bool:
    """Tell whether one of what these nouns call is said: "a lamp"."""
    return any(re.search(_A_PIECE.format(re.escape(noun)), plain) for noun in nouns)


def counts_else(number: int, plain: str) -> bool:
    """Tell whether a number is said of something else than goods alone: "he is 4"."""
    return _is_of_else(Add(Named(()), number), plain)
