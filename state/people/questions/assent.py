"""Tell whether a message says yes and nothing else."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

_YES = frozenset(
    {
        *("yes", "y", "yep", "yeah", "yup", "aye", "ok", "okay", "k", "sure", "fine", "right"),
        *("correct", "absolutely", "definitely", "certainly", "indeed", "good", "perfect", "cool"),
        *("alright", "works", "approve", "approved", "accept", "accepted", "confirm", "confirmed"),
        *("agree", "agreed", "allow", "authorize", "proceed", "continue", "submit", "go", "do"),
        *("buy", "pay", "place", "purchase", "charge", "send", "ship", "take", "book"),
        *("ja", "genau", "oui", "si", "sim", "vale", "claro", "da", "да", "はい", "是", "好"),
    }
)
"""Words that agree, without signs and accents and in lower case."""

_BESIDE = frozenset(
    {
        *("please", "then", "thanks", "thank", "you", "now", "and", "so", "just", "great", "i"),
        *("we", "me", "my", "your", "lets", "let", "us", "well", "it", "this", "that", "thats"),
        *("them", "these", "the", "is", "are", "am", "to", "with", "for", "of", "on", "ahead"),
        *("all", "order", "payment", "plan", "question", "request", "card", "everything", "want"),
        *("sounds", "looks", "may", "bitte", "course", "thing", "happy", "would", "like"),
    }
)
"""Words that may stand beside one."""

_SIGNS = str.maketrans({**dict.fromkeys("👍👌✅✔☑🆗💯", " yes "), "'": None, "\u2019": None})


def is_assent(text: str, asked: Collection[str] = ()) -> bool:
    """Tell whether a message says nothing but yes, whatever its case and punctuation.

    Args:
        asked: titles of what is asked, whose words may stand beside a yes.

    Example:
        >>> is_assent("Yes, go ahead please!"), is_assent("yes, but in blue")
        (True, False)
    """
    words = set(_words(text))
    beside = _BESIDE.union(*map(_words, asked))
    return bool(words & _YES) and words <= _YES | beside


def _words(text: str) -> list[str]:
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_SIGNS))
    plain = "".join(sign for sign in letters if not unicodedata.combining(sign))
    return "".join(sign if sign.isalnum() else " " for sign in plain).split()
