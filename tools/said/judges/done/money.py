"""Judge how money is said to have gone: how often, by what means, how much, and with what fee."""

from __future__ import annotations

import re
from collections.abc import Iterator

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.grammar.loose import ROUGHLY
from daybook.tools.said.grammar.saying import OF_NOTHING
from daybook.tools.said.judges.done.told import told_of
from daybook.tools.said.known import Known
from daybook.tools.said.text import Sentence, amounts_in, plain

_TWICE = re.compile(
    r"\b(?:(?:two|2|three|3) (?:separate |identical |different )?(?:debits|charges|payments|orders)|twice(?! as\b)|two times|(?:charged|billed|paid|refunded) double|a second time|three times|thrice)\b"
)
_TOOK = ("took", "taken", "gone", "went", "hit", "debits", "charges", "payments")
_OF_ONE = re.compile(
    r"\b(?:each|per|apiece|(?<!all )of (?:it|them|which|that|this)|fee|for (?:the|one)|more|less|extra|still|only)\b"
)
"""In a clause whose sum is only a part of what was charged."""
_OF_ALL = re.compile(
    r"\b(?:totals?|sum|all|charged?|refund(?:ed)?|amount|payment|order)\b", re.IGNORECASE
)
_A_PART = re.compile(
    r"\b(?:i|we)(?:'ve| have)? (?:just |now )*cancell?ed (?:the|your) (?!order|whole)[\w ]{1,30} only\b|\b(?:i|we)(?:'ve| have)? (?:just |now |also )*cancell?ed (?:just|only) (?:the|your|one)\b|\b(?:i|we)(?:'ve| have)? (?:just |now )*only cancell?ed (?:the (?!whole|entire|order)|one)\b|\bonly the (?!whole|entire|order)\w+(?: \w+)? (?:was|were|has been|got) cancell?ed\b"
)
_FEE = re.compile(
    r"\b(?:cancellation|restocking|handling|service|booking|processing|late|small) fees?\b|\b\d[\d.]* ?(?:usd|dollars) (?:for )?(?:handling|processing|restocking)\b|\b(?:minus|less) (?:the |a )?(?:shipping|postage|handling|fees?)\b|\bdeduction of\b|\b(?:retained|withheld|kept back|deducted) (?:\w+ )?from (?:the|your) refund\b"
)
_NO_FEE = re.compile(r"\b(?:any|avoid|waived?|free)\b")
_MEANS = re.compile(
    r"\b(?:issued|paid|refunded|returned|credited|sent|given|getting|get|got|gave|refund|money (?:comes|goes|went|came|is)(?: \w+){0,2})\b.{0,40}\b"
    r"(store credit|bank account|other card|gift card|voucher|coupon|bank transfer|paypal|cheque)\b"
)
_BY_MEANS = re.compile(
    r"\b(?:usd|money|refund|dollars)\b.{0,25}\b(?:by|as|per|via) (?:an? )?(cheque|check by post|bank transfer|wire transfer|paypal|voucher|gift card|store credit)\b"
)
"""By which money is said to have come or gone."""


def of_twice(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, where something is said to be done twice that was done once."""
    for clause in Clauses(sentence).asserted:
        if not _TWICE.search(clause) or OF_NOTHING.search(clause) or is_open(clause):
            continue
        for kind in known.kinds:
            done = [one for one in known.effects if one.kind == kind and one.outcome == "done"]
            forms = "|".join((*kind.done, *(_TOOK if kind.name == "charge" else ())))
            if len(done) > 1 or not re.search(rf"\b(?:{forms})\b", clause):
                continue
            if done:
                yield told_of(done[0], kind)
            elif re.search(r"\b(?:i|we)\b", clause):
                yield f"Nothing was {kind.undone} twice."


def of_means(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, where money is said to have gone in a way that stands nowhere."""
    for clause in Clauses(sentence).asserted:
        means = _MEANS.search(clause) or _BY_MEANS.search(clause)
        if means is None or OF_NOTHING.search(clause) or is_open(clause):
            continue
        held = (*known.texts, *known.beside, *known.said)
        if not any(means[1] in plain(text) for text in held):
            yield f"Nothing that was read tells of a {means[1]}."


def of_sums(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, where another sum is said to be charged or refunded in this turn."""
    kinds = [one for one in known.kinds if one.name in ("charge", "refund")]
    for clause in Clauses(sentence).asserted:
        told = {one.value for one in amounts_in(clause)}
        if "|" in sentence.text and not _OF_ALL.search(sentence.text):
            # What a row tells is of the thing that it names.
            continue
        if len(told) != 1 or _OF_ONE.search(clause) or ROUGHLY.search(sentence.text):
            continue
        for kind in kinds:
            done = [
                one
                for one in known.effects
                if one.kind == kind and one.is_now and one.outcome == "done"
            ]
            sums = {one.value for effect in done for one in amounts_in(effect.line)}
            words = "|".join(
                (*kind.done, *kind.nouns, *(("back", "returned") if kind.name == "refund" else ()))
            )
            if not sums or told & sums or not re.search(rf"\b(?:{words})\b", clause):
                continue
            yield told_of(done[0], kind)


def of_a_part(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, where only a part of an order is said to be cancelled, and all of it was."""
    done = [
        one
        for one in known.effects
        if one.kind.name == "cancel" and one.is_now and one.outcome == "done"
    ]
    for clause in Clauses(sentence).asserted if done else ():
        if (
            _A_PART.search(clause)
            and not OF_NOTHING.search(clause)
            and not is_open(clause.replace(" only", ""))
        ):
            yield told_of(done[-1], done[-1].kind)


def of_fees(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, where a fee is told of that stands nowhere."""
    for clause in Clauses(sentence).asserted:
        fee = _FEE.search(clause)
        if fee is None or OF_NOTHING.search(clause) or _NO_FEE.search(clause) or is_open(clause):
            continue
        held = (*known.texts, *known.beside, *known.said)
        if not any("fee" in plain(text).split() for text in held):
            yield "Nothing that was read tells of a fee."
