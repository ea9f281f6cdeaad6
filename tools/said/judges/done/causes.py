"""Judge what a sentence says of why something was not done, against what the machine tells of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.grammar.causes import ANSWERED, APPROVED, INVENTED, SAID, TOLD, Cause
from daybook.tools.said.grammar.saying import EARLIER
from daybook.tools.said.known import Effect, Known
from daybook.tools.said.text import plain

_SAID: Final = [(re.compile(pattern), causes) for pattern, causes in SAID]
_DECLINED: Final = _SAID[0][0]
_NOT: Final = re.compile(
    r"(?:\b(?:not|never)\b|n't\b)(?! (?:accept|honou?r)|.*\b(?:if|whether|because|be(?:en)? charged)\b)"
)
_TOLD: Final = [(cause, re.compile(pattern)) for cause, pattern in TOLD]
_ASKS_WHY: Final = re.compile(r"\b(?:why|whether|what made|the reason)\b")
_DENIED: Final = re.compile(r"\b(?:not|n't|never|no|wasn't|isn't|without|neither)\W*$|n't\W*$")
_NOT_YET: Final = re.compile(r"\b(?:until|till|before|once|if|when|unless|as soon as)\b")
_OUT_OF_DATE: Final = re.compile(
    r"\b(?:because|since|as) (?:it|the card|your card|that one)(?:'s| has| had| is| was)? (?:already )?(?:expired|run out|out of date|outdated|blocked|frozen|over its limit|maxed out)\b"
)
"""Says of a card why it was declined, which a card's bank alone knows."""
_DENIES: Final = re.compile(r"\b(?:no|not|never|nothing|none|nobody|without)\b|n't\b")
_TOO_FEW: Final = re.compile(
    r"\b(?:only|just|not|no|too few|fewer|less|one|1|a single|the last)\b|n't\b"
)
_ALREADY: Final = re.compile(r"\balready\b", re.IGNORECASE)
_MAY_BE: Final = re.compile(
    r"\b(?:can|could|may|might|perhaps|maybe|possibly|possible|whether|if|such as|for (?:example|instance)|e\.g|often|usually|sometimes|"
    r"don't know|do not know|not know|worth checking|check)\b(?!n't| not)"
)
"""Before a reason of which it is only said that it may be one."""
_HAD_IT_BEEN: Final = re.compile(r"(?:\bwould|'d) have\b.*\bhad (?:you|i|we|they|it)\b")
"""Hangs on a condition behind it that is not so: "you'd have got it back had you agreed"."""
_ONE_OF_SOME: Final = re.compile(
    r"^\W*(?:and |or )?(?:the|an?) (?:first|second|third|next|other|another|last|usual|most common|likeliest) (?:\w+ )?(?:is|would be|being|might be)\b"
)
"""Before one of several reasons that are told in turn."""
_IN_STOCK: Final = re.compile(
    r"\b(?:no shortage|plenty (?:left|of them|in stock)|(?:(?<!\d )(?:is|are)|'s|'re) (?:still |now )*in stock)\b"
)


def of_causes(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what is so, for each reason that is another one than the machine's."""
    now = [one for one in known.effects if one.is_now]
    if not now or EARLIER.search(_ALREADY.sub(" ", clauses.text)):
        return
    text = plain(clauses.text)
    cause = _cause_of(now)
    line = now[-1].line or "Nothing was done."
    if cause == "declined" and _OUT_OF_DATE.search(text):
        yield line
    for clause in clauses.asserted:
        if _HAD_IT_BEEN.search(clause):
            continue
        if (
            (cause in ("rejected", "expired") and _says(APPROVED, clause))
            or (cause == "unanswered" and _says(ANSWERED, clause))
            or (cause == "stock" and _IN_STOCK.search(clause) and not _TOO_FEW.search(clause))
            or (cause == "declined" and _denies(_DECLINED, clause))
        ):
            yield line
        elif cause is not None and (reason := INVENTED.search(clause)):
            held = (plain(line), *known.plain_texts)
            if _is_of_a_mail(reason.group(), now):
                continue
            if not _may_be_one(clause, text, reason.group()) and not any(
                reason.group() in read for read in held
            ):
                yield line
        elif cause is not None:
            yield from (
                line
                for pattern, causes in _SAID
                if cause not in causes and _says(pattern, clause) and _may_be(causes, known)
            )


def _cause_of(now: list[Effect]) -> Cause | None:
    """Return why what was to be done in this turn was not; None where all was, or nobody knows."""
    if any(one.outcome == "in doubt" for one in now):
        return "unanswered"
    failed = [one for one in now if one.outcome in ("not done", "undone")]
    if not failed:
        return None
    if all(one.kind.name == "mail" for one in failed) and len(failed) < len(now):
        return "mail"
    line = failed[0].line
    return next((cause for cause, pattern in _TOLD if pattern.search(line)), None)


def _is_of_a_mail(reason: str, now: list[Effect]) -> bool:
    """Tell whether what was handed over is the mail of which nobody knows whether it was sent."""
    return "handed over" in reason and any(
        one.kind.name == "mail" and one.outcome == "in doubt" for one in now
    )


def _may_be_one(clause: str, text: str, reason: str) -> bool:
    """Tell whether a reason is denied, or only said to be one that there may be."""
    if is_open(clause) or _DENIES.search(clause.partition(reason)[0]):
        return True
    before = text.partition(reason)[0]
    return _MAY_BE.search(before) is not None or _ONE_OF_SOME.match(before) is not None


def _may_be(causes: frozenset[Cause], known: Known) -> bool:
    """Tell whether a reason can be judged: of stock only where all that was read is there."""
    stock = [min(one.stock) for one in known.records if one.stock]
    return causes != {"stock"} or (bool(stock) and min(stock) > 0)


def _denies(pattern: re.Pattern[str], clause: str) -> bool:
    found = pattern.search(clause)
    if found is None or _ASKS_WHY.search(clause[: found.end()]):
        return False
    return _NOT.search(clause[: found.end()]) is not None


def _says(pattern: re.Pattern[str], clause: str) -> bool:
    found = pattern.search(clause)
    if found is None or _DENIED.search(clause[: found.start()]):
        return False
    if pattern is ANSWERED and _NOT_YET.search(clause[: found.start()]):
        return False
    return pattern is not _DECLINED or _NOT.search(found.group()) is None
