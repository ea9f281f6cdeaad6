"""Tell whether somebody says yes and nothing else."""

from __future__ import annotations

_YES = frozenset(
    {
        *("yes", "y", "yep", "yeah", "yup", "ok", "okay", "okey", "k", "sure", "fine", "right"),
        *("approve", "approved", "i approve", "approve it", "accept", "accepted", "i accept"),
        *("confirm", "confirmed", "i confirm", "agree", "agreed", "i agree", "proceed", "continue"),
        *("go ahead", "go for it", "go on", "do it", "do that", "make it so", "carry on", "lgtm"),
        *("sounds good", "looks good", "that is fine", "thats fine", "all right", "alright"),
        *("correct", "thats right", "that is right", "of course", "absolutely", "definitely"),
        *("buy it", "buy them", "order it", "order them", "pay", "place the order", "perfect"),
        *("ja", "ja bitte", "oui", "si", "sí", "sim", "da", "jawohl", "genau", "d accord"),
    }
)
"""Whole sayings that agree, without signs and in lower case."""

_BESIDE = frozenset({"please", "then", "thanks", "thank you", "now", "and", "bitte", "great", "so"})
"""What may stand beside one."""

_APOSTROPHES = "'\u2019"

_LONGEST = 4
"""Words of a saying at most."""


def is_assent(text: str) -> bool:
    """Tell whether a message says nothing but yes, whatever its case and punctuation.

    Example:
        >>> is_assent("Yes, go ahead please!"), is_assent("yes, but in blue")
        (True, False)
    """
    kept = "".join(
        sign if sign.isalnum() else "" if sign in _APOSTROPHES else " " for sign in text.casefold()
    )
    words = kept.split()
    agrees = False
    while words:
        for length in range(min(_LONGEST, len(words)), 0, -1):
            saying = " ".join(words[:length])
            if saying in _YES or saying in _BESIDE:
                agrees |= saying in _YES
                words = words[length:]
                break
        else:
            return False
    return agrees
