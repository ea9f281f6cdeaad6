"""What a clause takes from the one before it, where it only goes on with it: its no, or its "can"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_GOES_ON: Final = re.compile(
    r"^(?:\w+ed|sent|paid|bought|taken|mailed)(?:,? (?:or|nor|and) (?:\w+ed|sent|paid|bought|taken|mailed))?\W*$"
)
"""Goes on with what nothing is said to be: "nothing was charged, ordered or mailed"."""

_CANNOT_BE: Final = re.compile(
    r"\b(?:cannot|can't|can not|can|may|could|must|would|will|should|might) be\b|'[dl]l? be\b"
)
_IS_NOT: Final = re.compile(r"\b(?:nothing|none|not|never|neither|nobody)\b|n't\b")
_MAY: Final = re.compile(
    r"\b(?:cannot|can't|can not|can|may|could|couldn't|must|would|wouldn't|will|won't|should|might|shall)\b(?! (?:now |already )?have\b)|'ll\b|\b(?:i|you|we)'d\b(?! \w+(?:ed|en)\b)|"
    r"\b(?:happy|glad|able|free|welcome|ready|going|want|like|need|have|has|try|best|easiest|enough) (?:\w+ )?to\b|\blet me\b"
)
"""In a clause of what somebody may do, and those that go on with it: "I can read it to you, put it in your cart or ..."."""

_DOES: Final = re.compile(
    r"^(?:\W|(?:or|and|then|also|just|even|simply|maybe|perhaps|else|either)\b)*"
    r"(?P<what>(?:add|put|place|take|remove|swap|replace|exchange|set|raise|lower|reduce|increase|change|update|adjust|empty|clear|leave|keep|"
    r"order|reorder|buy|purchase|reserve|hold|charge|pay|refund|cancel|return|send|resend|mail|e ?mail|forward|check|look|search|find|show|read|list|"
    r"compare|tell|explain|help|start|try|retry|run|go|give|get|pick|choose|suggest|recommend|narrow|walk|see|ask|wait|open|write|make|"
    r"bring|drop|ship|deliver|book|settle|complete|finish|switch|move|mark|stop|confirm|place)\b.*)",
    re.DOTALL,
)
"""A verb in its bare form, at the beginning of a clause that names nobody who does it."""

_SAYS_ITSELF: Final = re.compile(
    r"\b(?:is|are|was|were|isn't|aren't|wasn't|weren't|has|had|did|went|came|got|failed|stands)\b|\w's\b"
)


def carried_on(clauses: Sequence[str]) -> list[str]:
    """Write before each clause that only goes on with another one what it takes from that.

    Example:
        >>> carried_on(["i can read it to you", "or put it in your cart"])
        ['i can read it to you', 'i can put it in your cart']
        >>> carried_on(["nothing was charged", "ordered or mailed"])
        ['nothing was charged', 'nothing was ordered or mailed']
    """
    found = list[str]()
    for clause in clauses:
        before = found[-1] if found and not found[-1].endswith(".") else ""
        is_of_list = bool(_GOES_ON.match(clause) and _IS_NOT.search(before))
        can_be = _CANNOT_BE.search(before) if _GOES_ON.match(clause) else None
        does = _DOES.match(clause)
        if can_be is not None:
            found.append(f"it {can_be.group()} {clause}")
        elif is_of_list:
            found.append(f"nothing was {clause}")
        elif before and does and _MAY.search(before) and not _SAYS_ITSELF.search(clause):
            found.append(f"i can {does['what']}")
        else:
            found.append(clause)
    return found
