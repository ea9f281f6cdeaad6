"""A text as it is read: in plain English, without what is said beside the wish."""

from functools import lru_cache
from typing import Final

from daybook.demo.model.grammar.language.chat.wording.aside import without_asides
from daybook.demo.model.grammar.language.chat.wording.foreign import in_english
from daybook.demo.model.grammar.language.chat.wording.plainly import plainly
from daybook.demo.model.grammar.language.tokens import Token, tokenise

LONGEST: Final = 2_000
"""Characters that are read of one message."""


def tokens_of(text: str) -> list[Token]:
    """Cut a text into tokens as it is read: in English, without what is said beside the wish."""
    return list(_tokens_of(text))


@lru_cache(maxsize=128)
def _tokens_of(text: str) -> tuple[Token, ...]:
    # One text is cut by a dozen readers in each decision, which was four tenths of its time.
    return tuple(tokenise(in_plain_words(text)))


def in_plain_words(text: str) -> str:
    """Put a text into plain English, cut to what is read of one message."""
    return plainly(without_asides(in_english(text[:LONGEST])))
