"""What is to be done, by the words around the things of a clause. Pure.

A clause is compared with its things written as `@` and its counts that stand alone as `#`, so that
one pattern holds for all goods: "chuck @ in", "@ can go", "make it #".
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

Act = Literal["add", "want", "remove", "set", "swap", "keep", "buy", "clear"]

_I: Final = r"(?:i|we)"
_START: Final = (
    r"^(?:(?:and|so|ok|okay|then|just|please|now|well|also|yes|yeah|yep|sure|right|all right|fine"
    r"|good|great|perfect|nice|cool|super|lovely|excellent|wonderful|brilliant|thanks|deal|sold"
    r"|in that case|i think|i guess) )*"
)
_WILL: Final = (
    rf"{_I} (?:think |believe |guess |suppose )?(?:{_I} )?(?:will|would|shall|would rather|am going"
    r" to|are going to|want to|would like to|would love to|should like to|have decided to)"
)
_HAVE: Final = (
    r"(?:have|take|taking|get|getting|go for|go with|going for|going with|buy|grab|pick|choose"
    r"|order|settle for|settle on|stick with)"
)
_PUT: Final = (
    r"(?:put|add|include|throw|chuck|pop|toss|stick|bung|whack|sling|shove|plonk|place|slip|load"
    r"|drop|stuff|pack|squeeze)"
)
_OUT: Final = (
    r"(?:take|took|throw|chuck|toss|kick|pull|get|put|leave|cross|strike|sling|boot|pop|drop|cut"
    r"|move)"
)
_INTO: Final = (
    r"(?:in|into|in to|to|on|onto|inside)(?: (?:my|the|our|your))? ?(?:shopping )?"
    r"(?:cart|bag|order|list|there)"
)
_IN: Final = rf"(?:{_INTO}|in|on top|in as well|in there|in too)"
_NO_PLACE: Final = (
    r"(?! (?:the|a|an|my|our|your) (?!cart\b|bag\b|order\b|list\b|shopping\b|basket\b)\w)"
)
"""Not into a dishwasher, or a rucksack."""
_SET_VERB: Final = (
    r"(?:bring|put|take|go|drop|get|keep|leave|make|set|change|bump|increase|reduce|lower|raise"
    r"|cut|turn|adjust|update|back|down|up)"
)

_PATTERNS: Final[Sequence[tuple[Act, str]]] = (
        # In this order: the first that fits counts.
        ("swap", r"\b(?:swap|exchange|replace|switch|trade|change) @ "
                 r"(?:for|with|to|against|by|into)"
                 r" @"),
        ("keep", rf"\b{_OUT} @ (?:out|off|away) (?:except|but|apart from|other than)(?: for)? @"
                 rf"|\b{_OUT} @ (?:except|but|apart from|other than)(?: for)? @ (?:out|off|away)"),
        ("swap", r"@ (?:instead of|rather than|in place of|not) @"),
        ("keep", r"\b(?:keep only|only keep|just keep|keep just|keep nothing but|leave only"
                 r"|only leave) @|\b(?:remove|delete|throw out|bin|ditch|drop|lose|scrap|kick out"
                 r"|take out|empty|clear|get rid of) (?:@ )?(?:except|but|apart from|other than"
                 r"|bar|save|besides)(?: for)? @|^@ (?:except|but|apart from|other than)(?: for)?"
                 r" @ (?:can go|out|away)"),
        ("keep", r"^(?:(?:and|ok|no|well|actually) )*(?:only|just) @(?: (?:after all|though|then"
                 r"|please|instead|in the end))*$"),
        ("clear", r"\b(?:empty|clear|wipe|reset|bin|scrap|dump|delete|remove|ditch|trash|drop|lose"
                  r"|cancel|clean) (?:out )?(?:the |my |this )?(?:whole |entire |full |complete )*"
                  r"(?:thing|lot|cart|bag|list|order list|shebang)\b(?: out)?"
                  r"|\b(?:start|begin) (?:over|again|from scratch|afresh)\b"),
        ("remove", r"# (?:less|fewer|too many)\b"),
        ("add", r"\bplus (?:@|#)"),
        ("buy", r"\b(?:order|buy|purchase|pay for|pay|ring up|check out) @(?: up)?$"
                r"|\b(?:order|buy|purchase|pay for) @(?! (?:to|in|into|for(?! (?:me|us)\b))\b)"),
        ("add", r"\b(?:put|bring|get|add) @ back(?: in)?\b|\bback in (?:with )?@"),
        ("remove", rf"\b{_OUT} (?:@|#)(?: back)? (?:out|off|away)(?: (?:again|of|from)"
                   r"(?: (?:my|the) cart)?)?\b"),
        ("remove", rf"\b{_OUT} (?:out|off|away) @"),
        ("remove", r"\b(?:take|remove|delete|drop|clear|lose|kick) (?:@|#) (?:from|out of|off)"
                   r"(?: (?:my|the|our))? cart"),
        ("remove", r"\b(?:remove|removed|dropped|delete|bin|ditch|scrap|dump|erase|discard"
                   r"|axe|rm|lose|delist"
                   r"|get rid of|out with|away with|strike|scratch|kick|no more"
                   r"|(?<!to )(?<!at )(?<!of )(?<!below )minus|subtract|leave out|skip|drop"
                   r"|cancel|uncart|forget about|forget|cut) (?:@|#)"
                   r"(?! (?:in|into|down|to|orders?)\b)"),
        ("remove", r"@ (?:can|may|must|has to|have to|should|needs? to|will have to) (?:go"
                   r"|leave)\b(?! (?:down|up|to|in|into|with|well|on|for)\b)"
                   r"|@ (?:is|are) (?:out|off)(?: (?:then|now|please|again|too|after all))*$"
                   r"|(?<!check )@ (?:out|off|away)(?: (?:please|then|now|again|thanks))*$"),
        ("remove", rf"\b{_I} (?:really )?(?:do not|no longer|did not|never|would not|will not)"
                   r" (?:want|need|ask for|order|like|take) (?:@|#)"),
        ("set", rf"\b{_SET_VERB} (?:@ )?(?:(?:the )?(?:quantity|qty|amount|number|count) )?"
                r"(?:(?:down|up|back|it|of @) )*(?:to|at|=) (?:just |only |be )?(?:the )?#"),
        ("set", r"\b(?:make|set|change|turn|let us (?:say|make|do)) (?:@ )?(?:just |only )?#"),
        ("set", r"@ (?:quantity|qty|amount|count)? ?(?::? ?=|to|down to|up to) #"),
        ("add", rf"\b{_PUT} (?:for )?(?:me |us )?(?:down )?(?:for )?(?:in )?(?:@|#)(?: {_IN})?"),
        ("add", rf"\b{_PUT} {_IN} (?:@|#)"),
        ("add", rf"@ (?:goes|go|going|come|comes|belongs?) {_IN}{_NO_PLACE}"
                rf"|\bin @ (?:goes|go)\b|@ {_INTO}"
                r"|\binto (?:my|the) cart (?:with )?@"),
        ("add", r"\b(?:give|get|grab|fetch|hand|order|buy|bring|cop|sort|snag|sign|do) (?:me|us)"
                r"(?: up for| with| down for)? (?:@|#)"),
        ("add", r"\b(?:let me|let us|can i|could i|may i|can we|could we) (?:please )?(?:just )?"
                rf"{_HAVE} (?:@|#)"),
        ("add", rf"\b{_WILL} (?:just |also |then |still |please |definitely )*{_HAVE}(?: for)?"
                r" (?:@|#)"),
        ("add", rf"{_START}(?:{_I} (?:am |are |just |then )*)?(?:take|taking|grab|pick"
                r"|choose|go for"
                r"|go with|going for|going with) (?:on )?(?:@|#)"),
        ("add", rf"{_START}(?:snag|cop|bag|have|sold|deal|plus) (?:on )?(?:@|#)"),
        ("want", rf"\b{_I} (?:really |also |just |only |still |am |are |do |will )*"
                 r"(?:want|need|after"
                 r"|(?:would|should) (?:really |also |just )?(?:like|love|fancy)|looking for"
                 r"|require"
                 r"|could use|wanted|needed) "
                 r"(?:to (?:have|buy|get|order|take|add|see) )?(?:@|#)"),
        ("want", rf"{_START}(?:get|buy|order|want|need|give)"
                 r" (?:@|#)"),
        ("add", r"\blet us (?:do|make it) (?:@|#)"),
        ("want", r"^@ it is\b|^@ (?:will do|would do|for me|for us)\b"),
)  # fmt: skip
_ACTS: Final = tuple((act, re.compile(pattern)) for act, pattern in _PATTERNS)

_NO_QUANTITY: Final = re.compile(r"\b(?:prices?|name|address|budget|limit|size)\b")

_OF_GOODS: Final = re.compile(
    r"\b(?:that|which|who|be|costs?|rated|is|are) $|(?:@|\bones?) (?:@ |can |will )+$"
)
"""Before what goods do or cost themselves: "that go to zero", "can be up to 35"."""

_LOSES: Final = re.compile(
    r"\b(?:i|we|you|they|people|everyone|everybody|kids|boys|girls)"
    r" (?:always |just |often |usually |never |sometimes |only )*(?:lose|forget|drop|skip|cut|kick)"
    r" [@#]$"
)
"""What happens to people's things: "we lose everything"."""

WORDS: Final = frozenset(
    """
    add put throw chuck pop toss stick bung whack sling shove plonk place drop remove delete ditch
    bin scrap dump erase discard lose kick cancel swap replace exchange switch change keep empty
    clear checkout pay order buy cop rm forget discontinue double triple halve return send mail
    email increase reduce lower raise took removed dropped swapped
    """.split()  # noqa: SIM905
)
"""Verbs that change something: where one stays unread, something else may be meant."""


def act_of(shape: str) -> tuple[Act, str] | None:
    """Return the act of a clause's shape, and the shape without the words that say it."""
    for act, pattern in _ACTS:
        found = pattern.search(shape)
        if found is not None and act == "remove" and _LOSES.search(shape[: found.end()]):
            continue
        if found is not None and act == "set" and _OF_GOODS.search(shape[: found.start()]):
            continue
        if found is not None and not (act == "set" and _NO_QUANTITY.search(shape)):
            kept = "".join(sign for sign in found.group() if sign in "@#")
            rest = f"{shape[: found.start()]} {' '.join(kept)} {shape[found.end() :]}"
            return act, " ".join(rest.split())
    return None
