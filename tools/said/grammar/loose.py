"""How people write who are in a hurry, or who learnt English late: data.

Each pattern and what stands for it in plain English; a text is read after they were put in place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_SHORT: Final = {
    **{"u": "you", "ur": "your", "yr": "your", "ya": "you", "im": "I'm", "ive": "I've"},
    **{"dont": "don't", "didnt": "didn't", "doesnt": "doesn't", "wasnt": "wasn't", "isnt": "isn't"},
    **{"arent": "aren't", "werent": "weren't", "hasnt": "hasn't", "havent": "haven't"},
    **{"hadnt": "hadn't", "couldnt": "couldn't", "wouldnt": "wouldn't", "cant": "can't"},
    **{"wont": "won't", "thats": "that's", "theres": "there's", "theyre": "they're"},
    **{"youre": "you're", "youve": "you've", "weve": "we've", "gonna": "going to"},
    **{"wanna": "want to", "gotta": "have to", "cuz": "because", "coz": "because"},
    **{"bc": "because", "tho": "though", "thru": "through", "rn": "right now", "pls": "please"},
}
"""Words without what was left out of them."""

_SMALL: Final = {
    **{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8},
    **{"nine": 9, "ten": 10},
}

_PARTICIPLES: Final = {
    **{"cancel": "cancelled", "send": "sent", "refuse": "refused", "decline": "declined"},
    **{"reserve": "reserved", "charge": "charged", "refund": "refunded", "reject": "rejected"},
    **{"deliver": "delivered", "confirm": "confirmed", "approve": "approved", "take": "taken"},
    **{
        "remove": "removed",
        "rate": "rated",
        "add": "added",
        "accept": "accepted",
        "ship": "shipped",
    },
    **{"pay": "paid", "place": "placed", "give": "given", "book": "booked", "bill": "billed"},
}
"""Verbs that stand bare where a participle should: "order is cancel"."""

_PASTS: Final = {
    **{"give": "gave", "send": "sent", "take": "took", "pay": "paid", "put": "put", "make": "made"},
    **{"keep": "kept", "buy": "bought", "cancel": "cancelled", "charge": "charged"},
    **{"order": "ordered", "place": "placed", "reserve": "reserved", "refund": "refunded"},
    **{"return": "returned", "book": "booked", "ship": "shipped", "look": "looked"},
    **{"check": "checked", "settle": "settled", "remove": "removed", "add": "added"},
}
"""Verbs of the present that tell of what was, beside "already": "I already give back"."""

_GERUNDS: Final = {
    (
        re.sub(r"([^aeiou][aeiou])([pl])$", r"\1\2\2", one) if one in ("ship", "cancel") else one
    ).removesuffix("e")
    + "ing": past
    for one, past in _PASTS.items()
}
"""Verbs as they stand behind "succeeded in"."""

_AUX: Final = (
    r"(?:is|are|was|were|been|get|got|gets)(?: not| already| now| all| also| just| still)*"
)
_WHO: Final = r"(?:i|we|they|shop|bank|system|colleague|you)"
_ANY_PARTICIPLE: Final = "|".join(_PARTICIPLES)
_ANY_PAST: Final = "|".join(_PASTS)


def _participle(found: re.Match[str]) -> str:
    return found[1] + _PARTICIPLES[found[2].lower()]


def _compared(found: re.Match[str]) -> str:
    """Write "more cheap" as English does."""
    word = found[1].lower()
    return {"heavy": "heavier", "big": "bigger"}.get(word, f"{word}er")


def _past(found: re.Match[str]) -> str:
    verb = _PASTS[(found["verb"] or found["before"]).lower()]
    return f"{found['who']} already {verb}"


SPELT_OUT: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    (
        re.compile(rf"(?<![\w'.@/-])(?:{'|'.join(_SHORT)})(?![\w'@-]|\.\w)", re.IGNORECASE),
        lambda found: _SHORT[found.group().lower()],
    ),
    (
        re.compile(
            rf"\b({_AUX} )({_ANY_PARTICIPLE})\b(?! (?:the|your|it|an?|my|me|them|this|that|\w+ing)\b)",
            re.IGNORECASE,
        ),
        _participle,
    ),
    (
        re.compile(
            rf"\b(?P<who>{_WHO}) (?:already (?P<verb>{_ANY_PAST})|(?P<before>{_ANY_PAST}) already)\b",
            re.IGNORECASE,
        ),
        _past,
    ),
    (
        re.compile(r"\b(one|two|three) time\b(?! ?(?:use|only|offer|code|pass|zone|slot))"),
        r"\1 times",
    ),
    (
        # Of nothing it is said that it was done: "0.00 refunded".
        re.compile(
            r"(?<![\w.,$€£-])[$€£]?0(?:[.,]00)? ?(?:usd|eur|dollars)?(?= (?:was |were |has been |is )?\w+(?:ed|aken|aid|ent)\b)",
            re.IGNORECASE,
        ),
        "nothing",
    ),
    (re.compile(r"\ban? (litre|liter|minute|hour|kilo) and a half\b", re.IGNORECASE), r"1.5 \1s"),
    # What only rounds a number says no "not".
    (
        re.compile(
            r"\bnot (?:quite|even|exactly|much more than|more than|less than) (?=\W?\d)", re.I
        ),
        "",
    ),
    (re.compile(r"\b(?:only |just |about )?like (?=\W?\d)", re.IGNORECASE), ""),
    # What is set apart by "what ... is" is told: "what you've bought is the lamp".
    (
        re.compile(
            r"\bwhat (?=(?:you|i|we)(?:'ve| have)?(?: just| now)? (?!can\b|want|need|like|would|could|should|see\b)\w+(?: \w+){0,2} (?:is|was|are|were)\b)",
            re.IGNORECASE,
        ),
        "",
    ),
    # What is only set against something else is not told of it: "it's not the order that failed".
    (
        re.compile(
            r"\b(?:it|that)(?:'s| is| was)(?: not|n't) (?:the|your) \w+ that \w+(?: through)?,?(?: but)?|"
            r"\b(?:it|that) (?:isn't|wasn't) (?:the|your) \w+ that \w+(?: through)?,?(?: but)?",
            re.IGNORECASE,
        ),
        "",
    ),
    # What a person is asked to have known is told.
    (
        re.compile(
            r"^\W*did (?:you|ya) (?:know|notice|see|hear)(?: that)? ([^?]*)\?", re.IGNORECASE
        ),
        r"\1.",
    ),
)
"""What is put in the place of what."""

_BETWEEN: Final = (
    r"however|though|too|unfortunately|sadly|alas|luckily|happily|gladly|of course|naturally|by the way|therefore|"
    r"in turn|indeed|then|as it happens|as you (?:asked|wished|wanted|know)|as agreed|as usual|dear|my dear|love|"
    r"mate|folks|sir|madam|for once|after all|in fact|on the other hand|for its part|i'm afraid|i am afraid|"
    r"sorry to say|i'm sorry to say|thankfully|fortunately|frankly|honestly|you see|mind you|as well"
)
PLAINER: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    SPELT_OUT[0],
    (re.compile(rf",\s?(?:{_BETWEEN})\s?,(?=\s*(?:not|but)\b)", re.IGNORECASE), ","),
    (re.compile(rf",\s?(?:{_BETWEEN})\s?,", re.IGNORECASE), " "),
    (re.compile(r"(?<=[\w.]) STOP(?=\s|$)"), ";"),
    # The button that somebody pressed is what they said.
    (
        re.compile(
            r"[\"“'‘](yes|no|decline|reject|cancel|deny|approve|confirm|accept|not now)[.,!]?[\"”'’](?!\w)",
            re.IGNORECASE,
        ),
        r"\1",
    ),
    (re.compile(r"\bhaving\b", re.IGNORECASE), "has"),
    (
        re.compile(
            r"\bit(?:'s| is| was) the (\w+) (?:that|which) (?:ran out|is sold out|are sold out|was sold out|were sold out)\b(?: on us)?",
            re.IGNORECASE,
        ),
        r"the \1 are sold out",
    ),
    (re.compile(r"\bcontinue to be\b", re.IGNORECASE), "are still"),
    (re.compile(r"\bcontinues to be\b", re.IGNORECASE), "is still"),
    (
        re.compile(r"\bmore (cheap|light|heavy|big|small|long|warm)(?= than\b)", re.IGNORECASE),
        _compared,
    ),
    (
        re.compile(
            r"\b(holds|capacity of) (?:a|one) (?:full |whole )?(litre|liter)\b(?! and)", re.I
        ),
        r"\1 1 \2",
    ),
    (re.compile(r"\bhalf a (kilo|kilogram|litre|liter)\b", re.IGNORECASE), r"0.5 \1"),
    (re.compile(r"\btwo dozens?\b", re.IGNORECASE), "24"),
    (re.compile(r"\bthree dozens?\b", re.IGNORECASE), "36"),
    (re.compile(r"\b(?:gone|went|go|going) (?:right )?ahead and (?=\w)", re.IGNORECASE), ""),
    (re.compile(r"\b(?:was|were|been|is|are) costing\b", re.IGNORECASE), "cost"),
    (re.compile(r"\bif i'?m reading (?:this|that|it) (?:right|correctly),? ?", re.IGNORECASE), ""),
    (re.compile(r"\bfailed to (?=(?:respond|answer|reply|react)\b)", re.IGNORECASE), "did not "),
    # What is said in passing is said: ", which is on its way", "with your card charged", "now that it is paid".
    (re.compile(r",\s+(?:which|who)\b(?! (?:one|of)\b)", re.IGNORECASE), ", it"),
    (
        re.compile(
            r"\bwith (?=(?:your|the) (?:\w+ ){1,2}(?:charged|placed|paid|ordered|refunded|cancelled|canceled|reserved|sent|mailed|booked)\b)",
            re.IGNORECASE,
        ),
        "",
    ),
    (re.compile(r"\bnow that (?=(?:your|the|it|they|this|we|i|both)\b)", re.IGNORECASE), ""),
    (
        re.compile(
            r"\b(?:did|does) (?:in fact |actually |indeed )?get (?=\w+(?:ed|aid|ent|old)\b)",
            re.IGNORECASE,
        ),
        "was ",
    ),
    (
        re.compile(r"\bhad to be left out\b|\b(?:was|were) left out(?! of)\b", re.IGNORECASE),
        "was not ordered",
    ),
    # Who was able to do it did it.
    (
        re.compile(
            rf"\b(?:(?:was|were|'ve been|have been) able to|managed to) ({_ANY_PAST})\b",
            re.IGNORECASE,
        ),
        lambda found: _PASTS[found[1].lower()],
    ),
    (
        re.compile(rf"\bsucceeded in ({'|'.join(_GERUNDS)})\b", re.IGNORECASE),
        lambda found: _GERUNDS[found[1].lower()],
    ),
    # What is only thought likely is told: "it should have gone through by now", "must have been charged".
    (
        re.compile(
            r"\b(?:should|must|ought to|will|'ll|may well|might well)(?: now| already| by now| also| all| then| probably| surely)* have "
            r"(?=(?:been|gone|come|got|arrived|reached|received|landed|left|paid|sent|taken|\w+ed)\b)",
            re.IGNORECASE,
        ),
        " has ",
    ),
    (re.compile(r"\b(?:should|must|ought to)(?: now| already| by now)+ be\b", re.IGNORECASE), "is"),
    (re.compile(r"\b(is|are|was|were|'s|'re) no longer (?=[a-z]+ed\b)", re.IGNORECASE), r"\1 not "),
    (
        re.compile(
            r"\b(one|two|three|four|five|six|seven|eight|nine|ten) and a half\b", re.IGNORECASE
        ),
        lambda found: f"{_SMALL[found[1].lower()]}.5",
    ),
    (
        re.compile(
            r"(?<!below )(?<!above )(?<!under )(?<!over )(?<!than )(?<!least )\b(one|two|three|four|five)(?= (?:out of|of) (?:five|5)\b| stars?\b)",
            re.IGNORECASE,
        ),
        lambda found: str(_SMALL[found[1].lower()]),
    ),
    # What somebody confirms, acknowledges or records is told: "we confirm receipt of your payment".
    (
        re.compile(
            r"\b(?:i|we|this is to|please take this as)(?: hereby| can| gladly| herewith| do| may)* (?:confirm|acknowledge|record|certify)s? "
            r"(?:the |your |a |receipt of |(?:the )?receipt of )*(?:full |successful )?(purchase|order|payment|charge|refund|cancellation|reservation|debit|dispatch)\b",
            re.IGNORECASE,
        ),
        r"the \1 was made",
    ),
    (re.compile(r"\bno more (?=\w+(?:ed|e|t)\b)(?! more\b)", re.IGNORECASE), "no longer "),
    (re.compile(r"\bminus (?=\d)", re.IGNORECASE), "-"),
    (
        re.compile(r"\bminus (ten|five|one|two|three|four|six|seven|eight|nine)\b", re.IGNORECASE),
        lambda found: f"-{_SMALL[found[1].lower()]}",
    ),
)
"""What is put in the place of what before anything of a sentence is read."""

ROUGHLY: Final = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|close to|not quite|not even|just (?:over|under)|a bit (?:over|under)|"
    r"some|approximately|circa|or so|give or take|(?:less|more) than|over|under|rounded)\b|~",
    re.IGNORECASE,
)
"""In a sentence whose figures are rounded."""
