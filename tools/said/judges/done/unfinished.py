"""Judge what is said to be still missing of what was done in this turn, and to have been done only in part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.known import Known
from daybook.tools.said.text import plain

_ORDER: Final = (
    r"(?:orders?|purchase|it|booking|cancellation|refund|payment|charge|money|which|that|they)"
)
_MISSING: Final = re.compile(
    rf"(?:\bwill|'ll) (?:only )?be (?:charged|billed|debited|placed|refunded) (?:only )?(?:when|once|after|as soon as|at the|on the|in|next|tomorrow|later)\b|\b(?:awaiting|awaits|waits? for|waiting for|pending|needs?|requires?|subject to|depends on|lacks?) (?:\w+ ){{0,2}}(?:confirm\w*|approv\w*|consent|ok|okay|yes|signature|answer|review|check|verif\w*|payment)\b|"
    rf"\b(?:will|'ll) (?:only )?be (?:handled|processed|refunded|settled|dealt with|paid|returned|charged|credited) (?:separately|later|afterwards|individually|in a second step|at a later)\b|\b(?:payable|to be paid|pay) (?:on|upon|at) (?:delivery|arrival|pick ?up)\b|\bcash on delivery\b|\border (?:is|remains|stays) (?:only |just )?(?:provisional|preliminary|tentative|a draft)\b|\b(?:paid|half|rest|remainder|balance)\b.{0, 20}\bon (?:delivery|arrival)\b|"
    rf"\b{_ORDER} (?:will |'ll )?(?:only |not )?(?:be |is |becomes? |counts? )*(?:valid|binding|final|effective|complete|in force|processed|placed|confirmed)\b(?: \w+)? (?:once|when|as soon as|if|after|until|unless)\b|"
    r"\b(?:before|until|once|as soon as|unless) (?:the |your )?(?:refund|money|payment|order|cancellation|charge) (?:is|can be|will be|gets|has been) (?:made|paid|issued|processed|started|sent|released|taken|placed|valid)\b|"
    r"\b(?:you(?:'ll| will)?|still|please) (?:still |now |first )*(?:have to|need to|must|should|got to|has to|needs to) (?:\w+ )?(?:confirm|approve|pay|sign|verify|settle|send (?:\w+ ){0,3}back|return|click|activate)\b|"
    r"\b(?:need|needs|has|have) to be (?:sent back|returned|confirmed|approved|paid|signed|verified|brought back|shipped back)\b|"
    r"\b(?:please|kindly) (?:confirm|approve|pay|sign|verify|click|activate)\b|"
    r"\b(?:shop|store|bank|colleague|team|manager)\b (?:will|'ll|has to|still has to|must|is going to) (?:\w+ )?(?:decide|approve|confirm|check|review|process)\b|"
    r"\b(?:i|we)(?:'ve| have)? (?:only |just )?(?:asked for|requested|applied for|filed|submitted|put in(?: for)?|handed in) (?:the |a |your )?(?:\w+ )?(?:cancellation|refund|order|request)\b|"
    r"\b(?:kept|keep|held|hold|stored|stays?) (?:\w+ )?(?:as|in) (?:a )?(?:\w+ )?(?:credit|deposit|balance)\b|\bas (?:a )?(?:\w+ )?(?:credit|deposit)\b"
)
_STILL_OPEN: Final = re.compile(
    r"\b(?:payment|charge|money|amount|total|bill) (?:is|are|remains|stays)(?: still| now| currently)* (?:being processed|processing|in progress|under way|open|outstanding|unpaid|due|owed|unconfirmed|unclear|missing|to be paid|pending|in doubt)\b"
)
_NOT: Final = re.compile(
    r"\b(?:not|n't|never|nothing|none|no|without|nobody|neither|if|would|could|any|another|other|mail|message)\b|n't\b"
)
_IN_PART: Final = re.compile(
    r"\b(?:only|just) (?:an?|one|two|three|half|part|some|\d+)\b(?: [\w']+){0,4} (?:was|were|is|are|has been|have been|got)(?: \w+)? (?P<done>\w+)\b|"
    r"\b(?:could|can|managed to|was able to) only (?P<does>cancel|refund|order|charge|reserve|place) (?:a |the |one |some )?(?:part|half|one|some|portion|rest)\b|"
    r"\b(?P<did>[a-z]+) (?:only |just )?(?:one|two|half|part|some) of (?:the|your|it|them|those)\b(?: (?:two|three|four|both|\d+))?"
)

_PARTLY: Final = re.compile(
    r"\b(?:only )?(?:partly|partially|in part|halfway) (?:\w+ ){0,2}?(?:cancelled|canceled|refunded|paid|charged|ordered|placed|done)\b|\b(?:cancelled|canceled|refunded|paid|charged|ordered) (?:only )?(?:partly|partially|in part|halfway)\b"
)
_ELSE_NOT: Final = re.compile(
    r"^\W*(?:but |and )?(?:the|your|one|both) (?:\w+ ){1,3}(?:was|were|is|are|has|have)(?: not|n't)\W*$"
)

_FAILED_ELSE: Final = re.compile(
    r"\b(?:refused|rejected|declined|failed|bounced|cancelled|canceled|affected|delayed|lost)\b"
)
"""What only something else was: "the mail was refused, the order wasn't"."""

_OF_MONEY: Final = frozenset({"order", "charge", "cancel", "refund"})


def of_unfinished(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what was done, where all of it was done in this turn and something of it is said to be missing."""
    now = [one for one in known.effects if one.is_now and one.kind.name != "mail"]
    if (
        not {one.kind.name for one in now} & _OF_MONEY
        or any(one.outcome != "done" for one in now)
        or clauses.is_question
    ):
        return
    text = clauses.text.lower()
    for clause in (*clauses.asserted, *_conditional(clauses)):
        if (
            ((_MISSING.search(clause) or _STILL_OPEN.search(clause)) and not _NOT.search(clause))
            or _PARTLY.search(clause)
            or (_ELSE_NOT.search(clause) and "mail" not in clause and not _FAILED_ELSE.search(text))
        ):
            yield now[0].line or "It was done."
        elif (part := _IN_PART.search(clause)) and not _NOT.search(clause):
            done = part["done"] or part["did"] or part["does"]
            kinds = [one for one in now if done in (*one.kind.done, *one.kind.base)]
            yield from (one.line for one in kinds if one.line)


def _conditional(clauses: Clauses) -> tuple[str, ...]:
    """Return the whole of a sentence that only goes on with a condition: "valid once you confirm"."""
    return (plain(clauses.text),) if not clauses.asserted else ()
