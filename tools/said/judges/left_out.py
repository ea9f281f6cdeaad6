"""Judge what is said to be covered, free or allowed, against the rules that leave it out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.unknowable import GAINSAID
from daybook.tools.said.judges.invented import SAYS_SOMETHING
from daybook.tools.said.known import Known
from daybook.tools.said.text import plain

_IS_NOT_DONE: Final = re.compile(
    r"\b(?P<what>[a-z]+(?:(?:,| and| or) [a-z]+)*) (?:is|are) not (?P<done>[a-z]+?)(?:ed|en|d)\b"
)
_IS_FREE: Final = re.compile(r"\b(?:the )?(?P<what>[a-z]+(?: [a-z]+)?) is free\b")
_PAYS: Final = re.compile(r"\b(?:pay|pays|paid|cost|costs|charged?|fee|expense|own cost)\b")
_COSTS_NOTHING: Final = re.compile(r"\b(?:nothing|free|no (?:cost|charge|fee))\b")
_UNUSED: Final = re.compile(
    r"\bwhat (?:was|is|has) not (?:been )?(?P<used>[a-z]+) can be (?P<done>[a-z]+)\b"
)
_INCLUDED: Final = re.compile(r"\b([a-z]{3,}) (?:is |are )?included\b")
_CHARGED_WHEN: Final = re.compile(r"\bcard is charged when the order is placed\b")
_CHARGED_ELSE: Final = re.compile(
    r"\bcharged (?:only )?(?:when|once|after|as soon as|before)\b(?!.*\b(?:order|placed|order it|checkout|check out)\b)"
)

_COVERS: Final = re.compile(
    r"\bcover\w*|\bwarrant\w*|\bguarantee\w*|\brepair(?:s|ed)?\b|\breplac(?:es?|ed)\b|\bfix(?:es|ed)?\b|\bpays? for\b|\binclud\w+|\bfree of charge\b|\byou(?:'ll| will)? get (?:a new|another|a replacement)\b"
)
_OF_COVER_ALONE: Final = re.compile(r"\b(?:covers?|covering|includes?|including)\b")
"""Begins what is covered, in a list of it."""
_OF_COVER: Final = re.compile(
    r"\bcover\w*|\bwarrant\w*|\bguarantee\w*|\byou(?:'ll| will)? get (?:a new|another|a replacement)\b"
)
_LEAVES_OUT: Final = re.compile(
    r"\b(?:except|excluding|excluded|exclud\w+|apart from|only|unless|yourself|on you|on your own|faults?|defects?|defective|material|making|manufactur\w+|factory|"
    r"out of|beyond|question|depends|whether|pay|separate|rather than|instead|fair)\b"
)
"""In a clause that tells what is left out of a rule, or why something is covered all the same."""

_COVERED: Final = {
    "accident": r"\baccident\w*|\b(?:rip|rips|ripped|tear|tears|torn|drop|drops|dropped|crash\w*|puncture\w*|snap|snaps|snapped)\b|\byou (?:break|broke|damage|damaged|burn|lose|lost)\b|\byour own fault\b",
    "wear": r"\bwear\b(?! (?:it|them|the|this|your)\b)|\b(?:worn|wears|wearing) (?:out|down|through)\b",
}
"""By which words people speak of what a warranty leaves out."""

_BACK: Final = (
    r"(?:return\w*|refund\w*|(?:send|sent|bring|brought|take|taken|give|given)\b.{0,25}\bback)"
)
_USED_BACK: Final = (
    r"(?<!un)(?<!un )\b{used} (?:items?|things?|gear|goods|ones?|products?|equipment|articles?|stuff)\b.*\b{back}|"
    r"\b{back}\b.*(?<!un)(?<!un )\b{used} (?:items?|things?|gear|goods|ones?|products?|equipment|articles?|stuff)\b|"
    r"\b{back}\b.*\beven (?:if|when|after|though)\b.*\b(?:{used}|using|worn|wearing|tried|opened|washed)\b|\beven (?:if|when|after)\b.*\b(?:{used}|worn|washed)\b.*\b{back}|"
    r"\b{used} or (?:not|un{used})\b"
)
_OR_NOT: Final = re.compile(r"\bor not\b")
_GOES_TO_THE_CARD: Final = re.compile(r"\bmoney goes back to the card\b")
_GOES_ELSEWHERE: Final = re.compile(
    r"\b(?:refund\w*|money|back|reimburs\w+)\b.*\b(?:as|in|by|via|into) (?:an? |your |the )?(?:gift card|voucher|store credit|shop credit|credit note|cash|bank account|bank transfer|cheque|paypal|coupon)\b"
)
_FREE_ONLY: Final = re.compile(
    r"\bfree (?:only )?(?:for|from|over|above|on|with) (?:all )?(?:orders?|purchases?|[$€£]|usd|\d|members?)|\bonly free\b|\bfree (?:only|if you (?:spend|order|buy))\b"
)
_ALL_OF_IT: Final = re.compile(
    r"\bcovers? (?:just about |pretty much |absolutely )?(?:anything|everything|whatever|all (?:kinds|sorts|types) of|any (?:kind|sort|type) of|all damage|any damage)\b"
)
_BEARS_RETURN: Final = re.compile(
    r"\b(?:you|customers?|buyers?)(?:'ll| will|'d| would| have to| need to| must)* (?:\w+ )?(?:pay|pays|cover|covers|bear|bears|buy|arrange)\b.*\b(?:return (?:shipping|postage|label|costs?|fees?|delivery|freight)|(?:postage|shipping|way) back|sending (?:it|them|things) back)\b|"
    r"\b(?:returns?|returning|sending (?:it|them|things) back)\b(?: \w+){0,3} (?:costs?|sets?) you\b(?!.* (?:nothing|no )\b)|"
    r"\breturn (?:shipping|postage|costs?)\b.*\b(?:your own|own (?:expense|cost|pocket)|not free|on you|deducted|charged|\d)"
)


def of_what_is_left_out(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield a rule that was read, where a clause says that what it leaves out is covered, free or allowed."""
    lines = [line for text in known.texts if "get_policy" in text for line in _lines_of(text)]
    if not lines or clauses.is_question:
        return
    whole = plain(clauses.text)
    said = clauses.ruled or (() if clauses.is_unreal else (whole,))
    said = tuple(_carried_on(said))
    for line in lines:
        rule = plain(line)
        if any(_contradicts(rule, clause, whole) for clause in said):
            yield line


def _carried_on(said: Sequence[str]) -> Iterator[str]:
    """Yield clauses, one without a verb behind one of what is covered as one of that: "and also accidents"."""
    of_cover = False
    for at, clause in enumerate(said):
        # Before another verb it may be what that is said of.
        goes_on = of_cover and not any(
            SAYS_SOMETHING.search(one) or GAINSAID.search(one) for one in said[at:]
        )
        of_cover = goes_on or (
            _OF_COVER_ALONE.search(clause) is not None and not GAINSAID.search(clause)
        )
        yield f"it covers {clause}" if goes_on else clause


@lru_cache(maxsize=256)
def _lines_of(text: str) -> tuple[str, ...]:
    return tuple(re.split(r"(?<=[.;]) |\n", text))


def _contradicts(rule: str, clause: str, whole: str) -> bool:
    if _covers_otherwise(rule, clause, whole):
        return True
    if GAINSAID.search(clause):
        return False
    if (free := _IS_FREE.search(rule)) and not _COSTS_NOTHING.search(clause):
        what = free["what"].split()[-1]
        if _PAYS.search(clause) and what in re.findall(r"[a-z]+", clause):
            return True
        if what == "label" and _BEARS_RETURN.search(clause):
            return True
    if free is not None and _FREE_ONLY.search(clause):
        what = free["what"].split()[-1]
        if re.search(r"\breturn" if what == "label" else rf"\b{what}", clause):
            return True
    if _GOES_TO_THE_CARD.search(rule) and _GOES_ELSEWHERE.search(clause):
        return True
    if (unused := _UNUSED.search(rule)) and _takes_back_otherwise(unused, clause, whole):
        return True
    if (included := _INCLUDED.search(rule)) and re.search(
        rf"\b{included[1]} (?:is|are|gets|comes|will be|'ll be) (?:\w+ )?(?:added|extra|on top|due|charged)\b|\bplus (?:\w+ )?{included[1]}\b",
        clause,
    ):
        return True
    return bool(_CHARGED_WHEN.search(rule) and _CHARGED_ELSE.search(clause))


def _takes_back_otherwise(unused: re.Match[str], clause: str, whole: str) -> bool:
    used, done = unused["used"], unused["done"]
    if re.search(
        rf"\b{used}\b.*\b{done}\b|\bback\b.*\b{used} or un{used}\b",
        clause,
    ):
        return True
    back = re.search(_USED_BACK.format(used=used, back=_BACK), whole)
    return back is not None and GAINSAID.search(_OR_NOT.sub(" ", whole)) is None


def _covers_otherwise(rule: str, clause: str, whole: str) -> bool:
    """Tell whether what a rule says is not covered is said to be, by a clause and the condition that it hangs on."""
    no = _IS_NOT_DONE.search(rule)
    if no is None or GAINSAID.search(clause):
        return False
    of_it = [one.strip().rstrip("s") for one in re.split(r",| and | or ", no["what"])]
    if no["done"] != "cover":
        return re.search(rf"\b{no['done']}", clause) is not None and any(
            re.search(rf"\b{one}", clause) for one in of_it if one
        )
    if _ALL_OF_IT.search(clause) and not _LEAVES_OUT.search(clause):
        return True
    if not _COVERS.search(clause) or _LEAVES_OUT.search(clause):
        return False
    begins = whole.partition(clause)[0] if whole.startswith(("if ", "when ", "should ")) else ""
    is_in_it = re.match(r"^\W*(?:and )?[\w ]{4,25} (?:is|are) (?:also |even )?included\b", clause)
    of_cover = is_in_it or _OF_COVER.search(whole) or re.search(r"\bfree of charge\b", clause)
    return of_cover is not None and any(
        re.search(_COVERED.get(one, rf"\b{one}"), f"{begins} {clause}") for one in of_it if one
    )
