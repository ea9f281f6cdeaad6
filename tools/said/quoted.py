"""Leave out of a sentence what it only repeats of what was read, in quotation marks."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from daybook.tools.said.codes import codes_in
from daybook.tools.said.known import Known
from daybook.tools.said.text import Sentence, plain
from daybook.tools.said.wording import in_plain_english

_QUOTED: Final = re.compile(r"[\"“](?P<what>[^\"”\n]+)(?:[\"”]|$)")
_LEAST_WORDS: Final = 3
_LEAST_OF_A_SENTENCE: Final = 5
_MARKS: Final = re.compile(r"^[\s>*_-]*(?:\d of 5: )?")


def without_quotes(sentence: Sentence, known: Known) -> Sentence:
    """Return a sentence with blanks in the place of what it quotes as it was read.

    A quotation that stands in nothing that was read stays, and is judged.

    Example:
        >>> said = 'Hanna says "12 kilos on the hips" of it.'
        >>> read = Known(texts=("5 of 5 | Twelve kilos on the hips and none on the shoulders.",))
        >>> without_quotes(Sentence(said, 0, 0, True), read).text.split()
        ['Hanna', 'says', 'of', 'it.']
    """

    def left(found: re.Match[str]) -> str:
        quote = plain(found["what"]).strip(" .,!?…")
        is_read = len(quote.split()) >= _LEAST_WORDS and any(
            quote in _plain_english(text) for text in known.texts
        )
        return " " * len(found.group()) if is_read else found.group()

    text = _QUOTED.sub(left, sentence.text)
    return replace(sentence, text=text) if text != sentence.text else sentence


@lru_cache(maxsize=256)
def _plain_english(text: str) -> str:
    return plain(in_plain_english(text))


def stands_as_read(sentence: Sentence, known: Known) -> bool:
    """Tell whether a whole sentence stands word for word in what was read: a policy's, a description's.

    Example:
        >>> policy = Known(texts=("There is no PayPal, gift card or discount code.",))
        >>> stands_as_read(Sentence("There is no PayPal, gift card or discount code.", 0, 0, True), policy)
        True
    """
    said = plain(_MARKS.sub("", sentence.text)).strip(" .!?…")
    # What names an id may have been read before it changed.
    if len(said.split()) < _LEAST_OF_A_SENTENCE or codes_in(sentence.text):
        return False
    return any(said in text for text in known.plain_texts)
