"""A sentence in plain English: numbers in digits, short forms written out, what only stands between commas left out.

All checks read this form of a sentence; what is taken out of an answer, or shown, is the sentence as it was written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from daybook.tools.said.grammar.loose import PLAINER
from daybook.tools.said.numbers import in_digits
from daybook.tools.said.text import Sentence

_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "＇": "'"})


def in_plain_english(text: str) -> str:
    """Write a text in plain English, on as many lines as before."""
    text = in_digits(text.translate(_QUOTES))
    for pattern, plainly in PLAINER:
        text = pattern.sub(plainly, text)
    return text


def worded(sentence: Sentence) -> Sentence:
    """Return a sentence in plain English, where it stood."""
    return replace(
        sentence,
        text=in_plain_english(sentence.text),
        heading=in_plain_english(sentence.heading),
    )
