"""A sentence in plain English: numbers in digits, short forms written out, what only stands between commas left out.

All checks read this form of a sentence; what is taken out of an answer, or shown, is the sentence as it was written.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from daybook.tools.said.grammar.loose import PLAINER
from daybook.tools.said.grammar.saying import TAKEN_BACK, TAKES_BACK
from daybook.tools.said.numbers import SMALL, in_digits
from daybook.tools.said.text import Sentence

_WHICH: Final = re.compile(
    r"^\W*(?:(?:so|and|but|now|then)\W+)?(?:which|what|who)(?: one| of (?:them|these|those|the two))? (?P<rest>(?:is|was|are|were|costs?|has|have|weighs?)\b.*)\?",
    re.IGNORECASE,
)
_WHETHER: Final = re.compile(
    r"^\W*(?:(?:so|and|but|now|then)\W+)?(?P<verb>is|are|was|were|has|have|had|did|does|do|can|will) "
    r"(?P<who>it|they|you|i|we|that|this|there|both|(?:the|my|your|this|that) \w+(?: \w+)?(?= (?:in|on|been|\w+(?:ed|en|able|proof|ight|aid|ent))\b)|(?:the|my|your|this|that) \w+) (?P<rest>.*)\?",
    re.IGNORECASE,
)
_HOW_MANY: Final = re.compile(
    r"^\W*(?:(?:so|and|but)\W+)?how many (?P<what>\w+) (?P<verb>has|have|does|do) (?P<who>(?:the|it|they|your|this|that)\b[^?]*?)(?: have| get| got)?\?",
    re.IGNORECASE,
)
_MADE_OF: Final = re.compile(
    r"^\W*(?:(?:so|and|but)\W+)?what(?: material)? (?P<verb>is|are) (?P<who>(?:the|it|they|your|this|that)\b[^?]*?) made (?:of|from)\?",
    re.IGNORECASE,
)
_A_NUMBER: Final = re.compile(
    r"(?:just |only |exactly )?(\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|none)(?: of them| in all| so far)?",
    re.IGNORECASE,
)

_YES: Final = re.compile(
    r"^\W*(?:yes|yep|yeah|yup|sure|of course|certainly|indeed|absolutely|definitely|it is|they are|it was|it has|i have|i did)\b[ ,.!:;–-]*(?!to\b)",
    re.IGNORECASE,
)
_NO: Final = re.compile(
    r"^\W*(?:no|nope|not at all|not yet|it isn't|it wasn't|it hasn't)\b(?=\W*$|[,.!;:])[ ,.!:;–-]*",
    re.IGNORECASE,
)
_TO_WHAT_DEGREE: Final = re.compile(
    r"\b(?:twice|double|again|more|all|both|only|already|still|yet|any|anything|too|else|another|or)\b",
    re.IGNORECASE,
)
_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|did|do|does|will|can|could|would|may|might|shall|should|'s|'re|'ve|'ll|depends?|let|tell|i|you|we|not|no|none|neither)\b|n't\b",
    re.IGNORECASE,
)
_MOST_OF_A_NAME: Final = 9
"""Words of what only names the thing that was asked for."""

_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "＇": "'"})


def in_plain_english(text: str) -> str:
    """Write a text in plain English, on as many lines as before."""
    text = in_digits(text.translate(_QUOTES))
    for pattern, plainly in PLAINER:
        text = pattern.sub(plainly, text)
    return text


def answered(asked: str, text: str) -> str:
    """Write out what is said where a question before it says the rest.

    Example:
        >>> answered("Which is the cheapest?", "The Marten Wood.")
        'The Marten Wood is the cheapest.'
        >>> answered("Was my card charged?", "Yes, once.")
        'my card was charged; once.'
    """
    which, whether = _WHICH.match(asked), _WHETHER.match(asked)
    bare = text.strip().rstrip(".!")
    if which and len(bare.split()) <= _MOST_OF_A_NAME and not _VERB.search(bare):
        return f"{bare} {which['rest']}."
    many, made = _HOW_MANY.match(asked), _MADE_OF.match(asked)
    if many and (number := _A_NUMBER.fullmatch(bare)):
        number_ = SMALL.get(number[1].lower(), number[1])
        return f"{many['who']} has {number_} {many['what']}."
    if made and len(bare.split()) <= _MOST_OF_A_NAME and not _VERB.search(bare):
        return f"{made['who']} {made['verb']} made of {bare}."
    for pattern, no in ((_YES, ""), (_NO, " not")):
        if no and whether and _TO_WHAT_DEGREE.search(whether["rest"]):
            # "Not twice" is once.
            continue
        if whether and (said := pattern.match(text)):
            rest = text[said.end() :]
            return f"{whether['who']} {whether['verb'].lower()}{no} {whether['rest']}; {rest}"
    return text


def _without_what_is_taken_back(text: str) -> str:
    """Leave out what somebody says that they had said, and was wrong."""
    return TAKEN_BACK.sub("it was wrong", text) if TAKES_BACK.search(text) else text


def worded(sentence: Sentence) -> Sentence:
    """Return a sentence in plain English, where it stood."""
    return replace(
        sentence,
        text=_without_what_is_taken_back(in_plain_english(sentence.text)),
        heading=in_plain_english(sentence.heading),
    )
