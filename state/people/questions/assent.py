"""Tell whether somebody says yes and nothing else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

_YES = frozenset(
    {
        *("yes", "y", "yep", "yeah", "yup", "yea", "ya", "aye", "ok", "okay", "okey", "k", "sure"),
        *("fine", "right", "correct", "absolutely", "definitely", "certainly", "indeed", "lgtm"),
        *("good", "perfect", "cool", "super", "alright", "of course", "all right", "sure thing"),
        *("i do", "i am sure", "im sure", "thats right", "that is right", "good to go", "you may"),
        *("sounds good", "looks good", "looks right", "that works", "works for me", "it works"),
        *("approve", "approved", "accept", "accepted", "confirm", "confirmed", "agree", "agreed"),
        *("allow", "allowed", "authorize", "authorise", "proceed", "continue", "submit", "lets go"),
        *("go", "go ahead", "go for it", "go on", "carry on", "make it so", "do", "do it"),
        *("buy", "order it", "order them", "order this", "pay", "place", "purchase it", "charge"),
        *("send", "ship", "finalize", "finalise", "take it", "book it", "i want it", "do that"),
        *("ja", "jawohl", "genau", "bestatigen", "bestatigt", "einverstanden", "oui", "d accord"),
        *("si", "sim", "vale", "claro", "adelante", "da", "да", "はい", "是", "好"),
    }
)
"""Whole sayings that agree, without signs and accents and in lower case."""

_BESIDE = frozenset(
    {
        *("please", "then", "thanks", "thank you", "now", "and", "so", "just", "great", "really"),
        *("i", "we", "you", "me", "my", "your", "sir", "lets", "let us", "ill", "well", "say"),
        *("it", "this", "that", "thats", "them", "these", "those", "the", "is", "are", "to"),
        *("with", "for", "answer", "order", "purchase", "payment", "plan", "question", "request"),
        *("card", "everything", "all of it", "would like to", "want to", "happy to"),
        *("can", "may", "bitte"),
    }
)
"""What may stand beside one."""

_SIGNS = str.maketrans(dict.fromkeys("👍👌✅✔☑🆗💯", " yes "))

_APOSTROPHES = "'\u2019"

_LONGEST = 4
"""Words of a saying at most."""

_ONCE_MORE = re.compile(r"(.)\1+$")


def is_assent(text: str, asked: Collection[str] = ()) -> bool:
    """Tell whether a message says nothing but yes, whatever its case and punctuation.

    Args:
        asked: titles of what is asked, whose words may stand beside a yes.

    Example:
        >>> is_assent("Yes, go ahead please!"), is_assent("yes, but in blue")
        (True, False)
    """
    beside = _BESIDE.union(*map(_words, asked))
    words = _words(text)
    agrees = False
    while words:
        for length in range(min(_LONGEST, len(words)), 0, -1):
            saying = _plain(" ".join(words[:length]))
            if saying in _YES or saying in beside:
                agrees |= saying in _YES
                words = words[length:]
                break
        else:
            return False
    return agrees


def _plain(saying: str) -> str:
    """Return a saying whose last letter is not drawn out."""
    return saying if saying in _YES else _ONCE_MORE.sub(r"\1", saying)


def _words(text: str) -> list[str]:
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_SIGNS))
    return "".join(
        sign if sign.isalnum() else "" if _is_silent(sign) else " " for sign in letters
    ).split()


def _is_silent(sign: str) -> bool:
    return sign in _APOSTROPHES or unicodedata.combining(sign) > 0
