"""Read what shall be forgotten of a person, wherever in a sentence and with whatever reason. Pure.

What is to go is no goods: a size, a limit, a taste, or what was said about something. "Forget the
socks" is of the cart, and nothing is read of it here.
"""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.read.person.wishes import LEAD, said_by, wish_behind
from daybook.demo.model.grammar.language.chat.vocabulary import MATERIALS
from daybook.demo.model.grammar.language.intents.past import Forget
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import NOUNS, fold

_MAY: Final = (
    r"(?:(?:you (?:can|could|may|might|should|must)|(?:can|could|will|would) you|i (?:want|need"
    r"|would like) you to|i think you (?:can|should)|feel free to|it is (?:ok|fine|safe) to"
    r"|go ahead and|better|best|let us|(?:would|do) you mind)"
    r" (?:(?:please|just|now|actually|also|kindly|safely|then) )*)?"
)
_FORGETS: Final = (
    r"(?:forget|forgetting|unremember|disregard|ignore|never mind|stop (?:remembering|noting"
    r"|storing)|do not (?:remember|note|store|save|keep)|(?:you )?(?:do not|no|not) (?:need|have)"
    r" to (?:remember|note|store|save|keep|know)|i do not want you to (?:remember|note|store|save"
    r"|keep"
    r"|know)|scrap|(?:scratch|strike|cross)(?: out| off)?|i take back|take back)"
    r"(?: about)?"
)
_DELETES: Final = (
    r"(?:delete|deleting|erase|erasing|remove|removing|wipe|clear|drop|lose|take|get rid of|purge"
    r"|cross out)"
)
_THING: Final = (
    r"(?:things?|bit|part|stuff|business|rule|note|comment|remark|issue|restriction|constraint"
    r"|request|preference|nonsense|detail|info)"
)
_OF: Final = r"(?:about|on|with|of|regarding|concerning)"
_TOLD: Final = (
    r"(?:have |ever |just |had |already )*(?:said|told you|told|mentioned|noted|saved|know|knew"
    r"|wrote|stored|remember|remembered|kept|written|gave you)"
    r"(?: (?:down|earlier|before|just now|to you|you|anything|something|in the beginning))*"
)
_WORN: Final = (
    r"(?:shoe|boot|jacket|sock|coat|clothes|clothing|foot|shirt|dress|hat|glove|eu|uk|us)"
)
_TOPICS: Final = (
    # A size, a limit, a trait.
    rf"(?:(?:the|that|this) (?:{_WORN} )?|(?:(?:my|our|his|her) )(?:\w+ ){{0,2}}?|{_WORN} |)"
    r"sizes?(?: (?:thing|bit|part|stuff|(?:that )?(?:i|you) (?:said|told you|gave you|mentioned"
    r"|know|have|noted|saved)))?",
    r"(?:the|my|that|this|our) (?:(?:[$]?\d+|forgotten) )?(?:dollars? |bucks |usd )?(?:price "
    r"|spending"
    r" )?(?:budget"
    r"|limit|maximum|cap)(?: (?:of|thing|bit)(?: [$]?\d+)?(?: dollars| bucks| usd)?)?",
    r"(?:the|my|that|this|our) (?:\w+ ){0,2}?(?:allergy|allergies|intolerance|diet|name|birthday"
    r"|preferences?|favou?rite \w+|nickname|height|weight|age|feet|knees?)",
    # "The wool thing", "the bit about wool", "what i said about wool", "that i hate wool".
    rf"(?:the|my|that|this|our|all that|the whole|that whole) (?:\w+ ){{1,3}}?{_THING}",
    rf"(?:the|that|my|any|all the|all that) (?:\w+ )?{_THING}(?: (?:that )?(?:i|you) {_TOLD})?"
    rf" {_OF} .+?",
    rf"(?:what|whatever|anything|everything|all|the (?:fact|thing|stuff)) (?:that )?(?:i|you|we)"
    rf" {_TOLD} {_OF} .+?",
    r"(?:that|this|it|what(?:ever)? you (?:have|know|wrote|keep)) (?:about|regarding|concerning)"
    r" .+?",
    rf"(?:that )?(?:i|we) {_TOLD}(?: {_OF})? .+?",
    r"(?:the fact )?(?:that )?(?:i|we|my \w+) (?:am|are|is|was|hate|hates|like|likes|love|prefer"
    r"|dislike|can not|could not|do not|does not|never|only|always|wear|wears|take|takes|want|have"
    r"|has|need|said|buy|detest) .+?",
)
_PLACE: Final = (
    r"(?:from|off|out of|in) (?:your|my|the) (?:memory|notes?|profile|records?|file|data|mind"
    r"|brain|list of (?:facts|things))"
)
_TAIL: Final = (
    rf"(?: {_PLACE})?(?:(?: ,)? (?:will you|would you|can you|ok|thanks|cheers"
    r"|please|now|again|any more|anymore|any longer|altogether|completely"
    r"|entirely|earlier|before|then|too|also|for good|at all))*"
    r"(?=$| ?,| - | (?:because|since|as|i|it|that|they|he|she|my|we|but|and|so|for|you (?:can"
    r"|may|do not)|the doctor|turns out|no need|please|just)\b)"
)
_FORGOTTEN: Final = tuple(
    re.compile(rf"{LEAD}{_MAY}(?:please |just )*{pattern}{_TAIL}")
    for pattern in (
        *(rf"{_FORGETS} (?P<topic>{topic})" for topic in _TOPICS),
        *(rf"{_DELETES} (?P<topic>{topic})" for topic in (*_TOPICS[:3], *_TOPICS[4:7])),
        rf"(?:delete|erase|drop|remove) (?P<topic>{_TOPICS[3]})",
        rf"(?:{_DELETES}|{_FORGETS}) (?:the |my |that )?(?P<topic>[\w' ]+?)(?= {_PLACE})",
        r"unremember (?:the |my |that )?(?P<topic>[\w' ]+?)",
    )
)
_UNDONE: Final = re.compile(
    rf"{LEAD}(?:the|my|that) (?P<topic>(?:\w+ ){{0,2}}?(?:sizes?|budget|limit|allergy|{_THING}))"
    r"(?: (?:is|was|are|were) (?:\w+ )*?(?:wrong|mistake|joke|old|outdated|over|gone|right|true"
    r"|correct|off)\b[^,]*)?[ ,]+(?:so |and |please |you (?:can|may) |can you |just )*"
    r"(?:forget|delete|drop|remove|erase|scrap|scratch) (?:it|that|about it|about that|this)$"
)
_GONE: Final = (
    r"(?:forget|forgotten|deleted?|erased?|scrap(?:ped)?|scratch(?:ed)?|struck(?: out| off)?"
    r"|cross(?:ed)? (?:out|off)|wiped?|ignored?|disregard(?:ed)?|let go(?: of)?|unremember)"
)
_MAY_GO: Final = (
    r"(?:(?:(?:please|just|now|then|so|actually) )*(?:you (?:can|could|may|might|should|must|need"
    r" to|have to)|(?:can|could|may|should|must|needs? to|has to|have to|is to) be|please|kindly|i"
    r" (?:want|would like) you to)(?: (?:please|just|now|also|safely|all|be))* )"
)
_FRONTED: Final = re.compile(
    rf"{LEAD}(?P<topic>{'|'.join(_TOPICS[:3])}|(?:the|my|that|this|our) (?:\w+ ){{1,3}}?{_THING}"
    rf"|{_TOPICS[4]}|(?:what|whatever|anything|everything) (?:that )?(?:i|you|we) {_TOLD} {_OF}"
    rf" (?:\w+ ?){{1,3}}?),? {_MAY_GO}{_GONE}\b(?! (?:to|not|how|when)\b)"
)
"""What shall be forgotten, before the word that says so: "shoe size you can forget"."""
_IS_NOT: Final = re.compile(
    r"^(?:.*\b)?(?:it|that|this|the (?:problem|cause|reason|rash|itch|trouble)) (?:is|was) not "
    r"(?:the |my |a |from |about )*(?P<topic>[a-z]+)(?: (?:thing|allergy|at all|after all|then|that"
    r"|which|causes|does it|anyway))*[ ,;.]+(?:so |and |please |then |you (?:can|may|should) "
    r"|can you |just )*(?:forget|delete|drop|erase|scrap|scratch|ignore) (?:it|that|this|about it"
    r"|about that|my note|the note)(?: (?:please|then|now|thanks))*$"
)
"""What turned out not to be so, and shall be forgotten."""
_OTHER_MIND: Final = re.compile(
    rf"{LEAD}i (?:have )?changed my mind (?:about|on|regarding) (?:the |my )?(?P<topic>(?:\w+"
    rf" ){{0,2}}\w+)"
    r"[ ,.]+(?:so |and |please |you (?:can|may) |can you |just )*(?:forget|delete|drop|erase"
    r"|scrap|scratch)"
    r" (?:it|that|about it|about that|this)$"
)
_NO_LONGER: Final = re.compile(
    rf"{LEAD}(?:(?:i am|we are) (?:a )?)?(?:no longer (?:a )?(?P<now>vegan|vegetarian|allergic to"
    r" \w+)|not (?:a )?(?P<more>vegan|vegetarian|allergic to \w+) (?:any more|anymore|any longer"
    r"|now))\b.*"
)
_ALL: Final = ("", "me", "myself", "us")
_LITTLE: Final = frozenset(
    """
    the my that this our his her their all whole i we you am are is was hate hates like likes love
    prefer dislike can not could do does never only always wear wears take takes want have has need
    said buy detest told mentioned about on with of regarding concerning thing things bit part stuff
    business rule note comment remark issue restriction constraint request nonsense detail info what
    whatever anything everything fact know noted saved stored ever just already down earlier before
    to something a an any mine dollars bucks usd disliked stand really mention remember allergic
    """.split()  # noqa: SIM905
)


def forgotten(sentence: Sequence[Token]) -> tuple[tuple[Forget, ...], Sequence[Token]] | None:
    """Return what shall be forgotten, and the tokens of a wish behind it."""
    text = said_by(sentence)
    if (undone := _undone(text)) is not None:
        return (undone,), ()
    found: list[Forget] = []
    while (one := _one_forgotten(text)) is not None:
        found.append(one[0])
        more = _MORE.match(one[1])
        text = f"forget {one[1][more.end() :]}" if more is not None else one[1]
        if more is None or _one_forgotten(text) is None:
            return tuple(found), wish_behind(one[1], sentence)
    return None


_MORE: Final = re.compile(r"(?: |,|and )+(?:about )?(?=(?:the|my|what|that) )")


def _one_forgotten(text: str) -> tuple[Forget, str] | None:
    """Return what shall be forgotten first, and the text behind it."""
    for pattern in _FORGOTTEN:
        found = pattern.match(text)
        subject = _subject(found["topic"]) if found is not None else ""
        if found is not None and subject not in _ALL and not _is_of_goods(found["topic"]):
            return Forget(subject), text[found.end() :]
    return None


def _undone(text: str) -> Forget | None:
    """Read what is said to be wrong, or over, as something to forget."""
    if (denied := _IS_NOT.match(text)) is not None and denied["topic"] in MATERIALS:
        return Forget(denied["topic"])
    if found := _UNDONE.match(text) or _FRONTED.match(text) or _OTHER_MIND.match(text):
        subject = _subject(found["topic"])
        return Forget(subject) if subject and not _is_of_goods(found["topic"]) else None
    found = _NO_LONGER.match(text)
    return None if found is None else Forget(_subject(found["now"] or found["more"]))


def _subject(topic: str) -> str:
    if re.search(r"\b(?:budget|limit|cap|maximum)\b", topic):
        return "budget"
    words = re.sub(r"'s?\b", "", topic).split()
    left = " ".join(word for word in words if word not in _LITTLE)[:60]
    return left or next((word for word in words[-1:] if word in ("her", "him", "them")), "")


def _is_of_goods(topic: str) -> bool:
    """Tell whether goods are named: "forget the tent thing" may be said of the cart."""
    told = re.search(
        r"\b(?:said|told|mentioned|know|noted|saved|sizes?)\b"
        r"|^(?:that|this|it|what.*) (?:about|regarding|concerning)\b",
        topic,
    )
    return told is None and any(fold(word) in NOUNS for word in topic.split())
