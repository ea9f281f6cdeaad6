"""Read what so many would cost, however it is supposed: "if I got two, what would it be?". Pure.

Three things are looked for wherever they stand: a supposition ("if we took", "in case"), a word of
money ("how much", "the damage"), and what is counted. A sum is told where two of the three are
there and nothing in the sentence turns it into something else: an act of its own, a negation, a
question of the shop.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.frames.questions import in_that_respect
from daybook.demo.model.grammar.language.chat.frames.things import Count, things_in
from daybook.demo.model.grammar.language.chat.read.changes.sums import summed
from daybook.demo.model.grammar.language.chat.read.goods.attributes import attributed
from daybook.demo.model.grammar.language.chat.talking import mood_of
from daybook.demo.model.grammar.language.intents.cart import Doubtful, ShowCart
from daybook.demo.model.grammar.language.intents.goods import Times
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import (
    By,
    Every,
    Extreme,
    It,
    Named,
    Reference,
)
from daybook.demo.model.grammar.language.intents.talk import Agree
from daybook.demo.model.grammar.language.tokens import Kind, Token

_HAVING: Final = (
    r"(?:took|take|taking|bought|buy|got|get|getting|had|have|ordered|order|wanted|want|added|add"
    r"|put|grabbed|grab|picked|pick|chose|choose|went|go|made|make|raised|raise|upped|bumped"
    r"|increased|increase|doubled|needed|need|were|was|would|did|do|made|used|snagged|nabbed"
    r"|decided|end|ended)"
)
_SUPPOSES: Final = re.compile(
    r"\b(?:if|when|suppose|supposing|assuming|imagine|say|let us say) (?:(?:that|only) )?"
    r"(?:i|we|he|she|they|you|my \w+|the \w+|it)(?: (?:only|just|also|both|all|actually|maybe"
    r"|really|each|now|instead|then))*"
    rf" {_HAVING}\b|\bin case\b|\b(?:what|how) (?:if|about if)\b|\bif it (?:was|were|is) \d"
)
_OF_MONEY: Final = re.compile(
    r"\bhow much\b(?! (?:do|does|would|will|is|are)?(?: \w+){0,6} (?:weigh|hold))"
    r"|\b(?:what|how much)(?: \w+){0,8}? (?:be|cost|costs|come to|comes to|total|make|makes|run to"
    r"|come out (?:at|to)|set (?:me|us) back|run me|run us|owe|pay|amount to)\b"
    r"|\b(?:total|sum|subtotal|damage|bill|grand total|price|cost|costs|pricing|cost me|cost us)\b"
    r"|\b(?:comes? to|set (?:me|us) back|makes it|(?:that|this|they|what) make it"
    r"|how many dollars|expensive)\b"
    r"|\b(?:over|under|above|below|within|past|beyond|more than|less than|exceed)"
    r" (?:(?:my|the|our) (?:budget|limit)|budget|\$?\d{2,6}\b)"
)
_OF_ELSE: Final = re.compile(
    r"\b(?:discount|discounts|deal|deals|free|shipping|ship|ships|delivery|deliver|delivered|return"
    r"|returns|refund|refunds|card|postcode|post|postage|cancel|cancelled|voucher|vouchers|code"
    r"|warranty|order number|weigh|weight|heavy|carry|fit|fits|room|space|not|without|less|fewer"
    r"|never|no|nor|except|unless|swap"
    r"|swapped|replace|replaced|dropped|drop|remove|removed|took out|take out|instead|please|than"
    r"|left|remains?|gift|wrapped|tax|taxes|euros?|pounds|currency|show|find|looking|search"
    r"|parcels?|packages?|arrives?"
    r"|anything|something|any|recommend|stock|still have|enough|size|sizes|out|off)\b"
)
_SUM_TOO: Final = re.compile(
    r"\b(?:(?:over|under|above|below|more than|less than) \$?\d+|(?<!and \d )(?<=\d )instead"
    r"|instead(?= of (?:one|two|1|2)\b))"
)
_ASKS: Final = re.compile(r"\b(?:what|how|would|will|is|are|do|does)\b")
_OF_A_SUM: Final = re.compile(
    r"\b(?:what|how|prices?|costs?|totals?|sum|bill|pay|owe|comes?|damage|makes?)\b"
)
_EACH: Final = frozenset({"each", "both"})
_NOUN: Final = re.compile(
    r"^(?:(?:and|so|ok|but|then|also|now|the|total|full) )*(?:price|cost|costs|total|sum)"
    r"(?: \w+){0,2} (?:for|of)\b"
)
_TOGETHER: Final = re.compile(
    r"\b(?:both|all (?:two|three|four|five|\d|of (?:them|it|these|those))|all|everything|the lot"
    r"|the (?:two|three|four|five)(?: of them)?|they|them)\b.*\b(?:together|altogether|in total"
    r"|combined|total)\b|\b(?:together|altogether|in total|combined)\b.*\b(?:both|all|everything"
    r"|the (?:two|three|four))\b"
)
_LONGEST: Final = 28
_SETS: Final = re.compile(
    r"\b(?:raised?|upped|up|bumped?|increased?|made|make|changed?|set|went|go|push(?:ed)?)\b"
    r"(?: \w+){0,5}? (?:up )?(?:to|it|that|them) (?:just )?\d+|\bit (?:was|were|is) \d"
)
_ENDS: Final = frozenset({".", "!", "?", "\n"})


def only_asked(tokens: Sequence[Token]) -> tuple[Intent, ...] | None:
    """Return the sums and attributes that a text asks for alone; None where it wants more.

    Beside them only talk may stand, and what says of how many. A question for an attribute of "it"
    alone is left to those who know what is open.
    """
    found: list[Intent] = []
    sentences = _sentences(tokens)
    sums = False
    for sentence in sentences:
        asked = supposed(sentence)
        sums = sums or asked is not None
        asked = asked or _attributed(sentence)
        if asked is None and found and (_asks_back(sentence) or _is_of_all(sentence)):
            continue
        if asked is None and mood_of(sentence) is None and not _is_small(sentence):
            return None
        found += asked or ()
    is_of_it = all(isinstance(getattr(one, "item", None), It) for one in found)
    return tuple(found) or None if sums or len(sentences) > 1 or not is_of_it else None


def _attributed(sentence: Sequence[Token]) -> tuple[Intent, ...] | None:
    found = attributed(sentence)
    return None if found is None else tuple(in_that_respect(found, sentence))


def _is_of_all(sentence: Sequence[Token]) -> bool:
    text = " ".join(token.text for token in sentence).strip(" ?!.,;:-\n")
    return _ALL.fullmatch(text) is not None


_ALL: Final = re.compile(
    r"(?:(?:of|for|and|all|both|each|every one|them|those|these|the|two|three|please|,) ?)+"
)


def supposed(sentence: Sequence[Token]) -> tuple[Intent, ...] | None:
    """Return the sum that a sentence asks for; None where it asks for none."""
    text = " ".join(token.text for token in sentence).strip(" ?!.,;:-\n")
    supposes = _SUPPOSES.search(text) is not None
    money = _OF_MONEY.search(text) is not None
    asks = bool(sentence) and sentence[-1].text == "?"
    if len(sentence) > _LONGEST:
        return None
    is_sum = money or (asks and _SPLITS.search(text) is not None)
    if is_sum and (shared := _shared(sentence)) is not None:
        return (shared,)
    if not (supposes or money):
        return None
    if supposes and money and _LEAVES_OUT.search(text) and len(gone := _left_out(sentence)) == 1:
        return (Doubtful("remove", gone),)
    if _OF_ELSE.search(_SUM_TOO.sub("", text)) or _acts(sentence, text, supposes):
        return None
    is_of_all = _OF_A_SUM.search(text) is not None and _TOGETHER.search(text) is not None
    if money and is_of_all and not supposes and not _counts_any(sentence):
        return (Times(1, Every()),)
    if not supposes and price_bounds(text) != (None, None):
        return None
    counted = _counted(sentence, supposes=supposes)
    if not counted:
        return None
    is_question = asks or _ASKS.search(text) is not None or _NOUN.match(text) is not None
    if (supposes and (money or asks or "what if" in text)) or (money and is_question):
        first, *rest = counted
        if first[0] == 0:
            # "Ones that go to zero, what do they cost?"
            return None
        sets = _SETS.search(" ".join(_digits(token) for token in sentence)) is not None
        return (Times(first[0], first[1], tuple(rest), sets=sets),)
    return None


_SHARED: Final = re.compile(
    r"\b(?:split|splitting|divide|divided|share|shared|sharing)\b(?: \w+){0,4}?"
    r" (?:(?:by|between|among|amongst|across|over|into|for|with) )?(?:(?:the|all|us) )*(\d{1,2})\b"
    r"(?: (?:of us|ways?|people|persons?|friends|pers))*"
    r"|\b(\d{1,2})[ -]?ways?\b(?: split)?"
    r"|\b(?:per (?:head|person)|each)\b(?: \w+){0,4}? (?:if|when|for|with|between|among)"
    r"(?: (?:the|all|there are|we are|it is))* (\d{1,2}) (?:of us|people|persons|friends|share)\b"
)
_SPLITS: Final = re.compile(r"\b(?:split|splitting|divided?)\b")
_OF_ALL_OF_IT: Final = re.compile(
    r"\b(?:total|everything|all of it|it all|the lot|cart|both|whole)\b"
)


def _shared(sentence: Sequence[Token]) -> Times | None:
    """Return the sum that several share: "what is the X, split by eight?"."""
    found = _SHARED.search(" ".join(map(_digits, sentence)))
    texts = {token.text for token in sentence}
    if found is None or ACTS & texts - {"split", "share"}:
        return None
    among = int(next(group for group in found.groups() if group))
    things, _ = things_in(sentence)
    named = [one for one in things if one.sure and not isinstance(one.item, It | Every)]
    if not named:
        of_all = _OF_ALL_OF_IT.search(" ".join(token.text for token in sentence)) is not None
        return Times(1, Every() if of_all else It(), among=among)
    (first, *rest) = [(one.quantity or 1, one.item) for one in named]
    return Times(first[0], first[1], tuple(rest), among=among)


_LEAVES_OUT: Final = re.compile(
    r"\b(?:do|did|would|does) not (?:take|get|buy|have|want|need|order)\b|\bwithout\b"
    r"|\b(?:took|take|left|leave|threw|kicked) .* (?:out|off|away)\b"
    r"|\b(?:left|leave) out\b|\b(?:dropped|removed|skipped|skip)\b"
)


def _left_out(sentence: Sequence[Token]) -> tuple[Reference, ...]:
    things, counts = things_in(sentence)
    items = [one.item for one in things if one.sure and one.quantity is None]
    named = [item for item in items if not isinstance(item, It | Every)] or items
    return () if counts else tuple(dict.fromkeys(named))


def _digits(token: Token) -> str:
    return str(token.value) if token.kind is Kind.NUMBER else token.text


def _counts_any(sentence: Sequence[Token]) -> bool:
    things, counts = things_in(sentence)
    return bool(counts) or any(one.quantity is not None for one in things)


def _acts(sentence: Sequence[Token], text: str, supposes: bool) -> bool:
    """Tell whether a verb acts that is none of a supposition: "add two, and what is the sum?"."""
    supposed_from = _SUPPOSES.search(text) if supposes else None
    window: set[str] = set()
    if supposed_from is not None:
        window = set(text[supposed_from.start() : supposed_from.end() + 40].split())
    verbs = ACTS & {token.text for token in sentence}
    if not supposes and re.match(
        r"(?:(?:and|so|ok|then|now) )*(?:take|get|grab|give|have|i)\b", text
    ):
        return True
    if re.search(r"\b(?:what|how much)(?: \w+){0,3} (?:pay|order)\b", text):
        verbs -= {"pay", "order"}
    return bool(verbs - window)


def _counted(sentence: Sequence[Token], *, supposes: bool) -> list[tuple[int, Reference]]:
    """Return what is counted, and how many of each; nothing where that is not clear."""
    things, counts = things_in(sentence)
    meant = [one for one in things if not isinstance(one.item, It) or one.quantity is not None]
    meant = [_by_degree(one) for one in meant if _is_meant(one)]
    if any(not one.sure for one in meant):
        return []
    text = " ".join(map(_digits, sentence))
    pointed = [one for one in meant if not isinstance(one.item, Every)]
    if len(pointed) == 1 and _WITH_IT.search(text) and not counts:
        # "If I took it together with the X": both of them.
        return [(1, It()), (pointed[0].quantity or 1, pointed[0].item)]
    if len(pointed) > 1:
        # "What would both be" only says again of how many that are named.
        meant = pointed
    if (shared := _FOR_EACH.search(text)) is not None and len(meant) < _PAIR:
        thing = next((one.item for one in meant if not isinstance(one.item, Every)), It())
        return [(int(shared[1]) * int(shared[2]), thing)]
    texts = {token.text for token in sentence}
    numbers = [one for one in counts if not _counts_none(sentence, one)]
    if len(meant) == _PAIR and meant[0].quantity is None and isinstance(meant[1].item, It):
        # "The X ones, two of them".
        meant = [replace(meant[0], quantity=meant[1].quantity)]
    if len(numbers) == 1 and len(meant) == 1 and _is_beside(sentence, numbers[0], meant[0]):
        # "If I took 3 and the X too": so many of what is spoken of, and one of that.
        return [(numbers[0].value, It()), (1, meant[0].item)]
    if numbers and _EACH & texts and len(meant) > 1:
        return [(numbers[0].value, one.item) for one in meant]
    if numbers and not meant and _EACH & texts:
        return [(numbers[0].value, Every())]
    if len(meant) == 1 and meant[0].quantity is None and numbers:
        return [(_of_persons(numbers), meant[0].item)]
    if meant and not numbers:
        named = [(one.quantity or 1, one.item) for one in meant]
        is_said = supposes or any(one.quantity is not None for one in meant)
        is_said = is_said or (len(meant) > 1 and _IN_ONE.search(text) is not None)
        return named if is_said else []
    if len(meant) == 1 and isinstance(meant[0].item, It | Named | Extreme):
        # "Two of those, one for him": what is said of one of them is none more.
        count = meant[0].quantity or 1
        rest = sum(one.value for one in numbers)
        return [(count if rest <= count and count > 1 else count + rest, meant[0].item)]
    if not meant and numbers:
        return [(_of_persons(numbers), It())]
    return []


def _is_beside(sentence: Sequence[Token], count: Count, thing: Thing) -> bool:
    between = [token.text for token in sentence[count.end : thing.start]]
    is_named = isinstance(thing.item, Named) and thing.quantity is None
    while between[:1] and between[0] in ("of", "them", "those", "these", "it", "pairs", "pieces"):
        between = between[1:]
    return is_named and between[:1] in (["and"], ["&"], ["plus"], ["with"])


_IN_ONE: Final = re.compile(r"\b(?:together|altogether|in total|combined|in all|all in)\b")
_FOR_EACH: Final = re.compile(
    r"\b(\d{1,2}) (?:\w+ )?for (?:each|every one) of (?:\w+ ){0,2}?(\d{1,2})\b"
)
_WITH_IT: Final = re.compile(
    r"\b(?:it|that|this)(?: one)? (?:(?:together|along|combined) )?(?:with|and|plus)"
    r" (?:(?:the|a|one|1) )?\w"
)
_PAIR: Final = 2


def _by_degree(thing: Thing) -> Thing:
    """Read "the light ones" as those that are the lightest of what is on view."""
    match thing.item:
        case Named((word,)) if word in _DEGREES:
            return replace(thing, item=Extreme(_DEGREES[word]))
        case _:
            return thing


_DEGREES: Final[dict[str, By]] = {
    "light": "lightest", "heavy": "heaviest", "cheap": "cheapest", "expensive": "dearest",
    "dear": "dearest", "warm": "warmest", "bright": "brightest", "big": "largest",
    "small": "smallest",
}  # fmt: skip


def _is_meant(thing: Thing) -> bool:
    return not (isinstance(thing.item, Every) and thing.quantity is None and thing.item.words)


def _of_persons(counts: Sequence[Count]) -> int:
    """Return the sum of "one for him and one for me"; of "two, one for him" it is two."""
    first, *rest = [one.value for one in counts]
    return first if first > 1 and sum(rest) <= first else first + sum(rest)


def _counts_none(sentence: Sequence[Token], count: Count) -> bool:
    before = sentence[count.start - 1].text if count.start else ""
    if before in ("my", "our", "his", "her", "their"):
        # "For me and my two mates".
        return True
    return before in ("over", "under", "above", "below", "than", "within", "past", "beyond", "$")


def _sentences(tokens: Sequence[Token]) -> list[list[Token]]:
    found: list[list[Token]] = [[]]
    for token in tokens:
        found[-1].append(token)
        if token.text in _ENDS:
            found.append([])
    return [one for one in found if any(token.kind is not Kind.MARK for token in one)]


def _asks_back(sentence: Sequence[Token]) -> bool:
    """Tell whether a sentence only asks for the sum of the one before it."""
    text = " ".join(token.text for token in sentence).strip(" ?!.,;:-\n")
    asked = summed(sentence)
    things, counts = things_in(sentence)
    is_of_sum = _OF_MONEY.search(text) is not None and not counts
    is_it = all(isinstance(one.item, It) for one in things) and not ACTS & {*text.split()}
    return (asked is not None and all(isinstance(one, ShowCart | Agree) for one in asked)) or (
        is_of_sum and is_it
    )


def _is_small(sentence: Sequence[Token]) -> bool:
    return all(token.text in _SMALL or token.kind is Kind.MARK for token in sentence)


_SMALL: Final = frozenset(
    """
    ok hm well so and right yes no wait sorry question quick just asking
    """.split()  # noqa: SIM905
)
