"""Read a question for what is known of a person. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.read.person.wishes import LEAD
from daybook.demo.model.grammar.language.chat.vocabulary import COLOURS, MATERIALS
from daybook.demo.model.grammar.language.intents.past import AskKnown

_OF_ME: Final = (
    r"(?:(?:of |about )?(?:(?:my|our) (?:\w+ ){0,2}?(?:sizes?|budget|limit|name|allergy|allergies"
    r"|preferences?|taste|diet|height|details)\b.*|(?:what|that|anything|everything) (?:i|we)"
    r" (?:said|told|like|hate|wear|want|have told|can not|am)\b.*|(?:that )?i (?:am|hate|can not"
    r"|like"
    r"|do not|prefer|wear|take|never|said|told)\b.*|(?:the )?\w+ (?:thing|bit|part|stuff|limit"
    r"|allergy)|about me|me|anything about me|anything on me))"
)
_ASKED: Final = tuple(
    re.compile(f"{LEAD}{pattern}")
    for pattern in (
        r"(?:do|did|have) (?:not )?you (?:not )?(?:(?:still|even|actually|really"
        r"|happen to|already|ever) )*(?:know|remember|recall|remembered|forgot|forget|forgotten"
        rf"|noted?|saved?|stored?|kept|keep|written|write)(?: down)? (?P<what>{_OF_ME})",
        r"(?:can|could) you (?:still |even )*(?:remember|recall|tell me) (?P<what>(?:what )?my"
        r" (?:\w+ )?(?:"
        r"sizes?|budget|limit|name)\b.*|what (?:i|we) (?:said|told)\b.*)",
        r"(?:do|have) you (?:still|already) (?:have|got|have got)"
        r" (?P<what>my (?:\w+ )?(?:sizes?|budget|limit|name|preferences?|allergy|allergies))\b.*",
        r"you (?:do |still |will |should |did )*(?:remember|know|recall|noted|saved)"
        rf" (?P<what>{_OF_ME})[ ,]+(?:right|yes|do you not|no|correct|though|still|or not)$",
        r"(?:what|which)(?: \w+)? (?:did|have) (?:i|we) (?:said?|say|tell|told|give|given"
        r"|mentioned?)"
        r"(?: you)?(?: (?P<what>about .+|for my .+))?(?: again| before| earlier)*$",
        r"(?:what|which) (?:(?:\w+ )?sizes?|brands?|colou?rs?|budget|limit|materials?|name)"
        r" (?:did|have)"
        r" (?:i|we) (?:say|said|tell|told|give|given|mention|mentioned)\b.*",
        r"did (?:i|we) (?:already |ever )?(?:say|tell you|mention|give you)"
        rf" (?P<what>{_OF_ME}|what .+|about .+)",
        r"(?:please |can you |could you )*remind me (?:again )?(?:of |about )?(?P<what>(?:what"
        r"|which)"
        r" (?:\w+ )?(?:sizes?|budget|limit|colou?rs?|i (?:said|told|like|hate)|my)\b.*|my (?:\w+"
        r" )?(?:"
        r"sizes?|budget|limit)\b.*)",
        r"(?:tell me |show me |and |so )*what (?:all )?(?:have you|did you|you have|you|is it you"
        r"|is"
        r" it that you|do you) (?:got |have |just |already )*(?:saved?|noted?|stored?|remember"
        r"|remembered|written|wrote|write|kept|keep|know|recorded)(?: down| so far| now| of|"
        r" about| on"
        r"| for| me| myself| us| in your (?:memory|notes))*$",
        r"(?:what|which)(?: (?:\w+ )?sizes?)? (?:do|did) i (?:take|wear|need|have)(?: again)?$",
        r"(?:what|which) (?:\w+ )?(?:sizes?|budget|limit) (?:i|we|am i|are we) (?:have|wear|take|am"
        r"|are|use|need|told|gave|said|in)\b(?: (?:you|on|in|for)\b.*)?",
        r"(?:what|which) (?:\w+ )?(?:sizes?|budget|limits?|allergy|allergies|preferences?|details)"
        r" (?:do|did|have) you (?:have |got |have got )?(?:written|write|noted?|saved?|stored?|put"
        r"|recorded|kept|keep|got|remember)\b(?: down)?(?: .*)?",
        r"what (?:is|was) (?:his|her|their) (?:\w+ )?sizes?(?: again)?$",
        r"(?:what|which) (?:colou?rs?|materials?|brands?|things) (?:do|did) i (?:like|prefer|hate"
        r"|love"
        r"|want|dislike)(?: again| best| most)?$",
    )
)
_NAMES_SIZE: Final = re.compile(
    r"\b(?:(shoe|boot|jacket|sock|coat) )?(sizes?)\b|\b(budget|limit)\b|\b(name)\b|\b(allerg\w+)\b"
)
_SOFT: Final = MATERIALS | COLOURS | {"feathers", "feather", "fur", "vegan", "nickel", "latex"}


def asked_of_oneself(text: str) -> AskKnown | None:
    """Return what a sentence asks of what is known; None where it asks nothing of it."""
    for pattern in _ASKED:
        if (found := pattern.fullmatch(text)) is None:
            continue
        what = (found.groupdict().get("what") or text).strip().removesuffix(" down")
        if named := _NAMES_SIZE.search(what):
            word = next((part for part in named.groups()[1:] if part), "")
            word = "size" if word.startswith("size") else word
            word = {"limit": "budget"}.get("allergy" if word.startswith("allerg") else word, word)
            return AskKnown((*filter(None, named.groups()[:1]), word))
        soft = tuple(word for word in what.split() if word in _SOFT)
        return AskKnown(soft)
    return None
