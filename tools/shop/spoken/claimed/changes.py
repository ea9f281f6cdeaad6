"""What is said to have been changed in a cart: how many there are now of what, what came in whose place, what stayed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Final

from daybook.state.money import in_units
from daybook.state.shop.cart import Cart, CartLine, Removed
from daybook.tools.said.grammar.saying import OF_NOTHING
from daybook.tools.said.grammar.things import sorts_in, sorts_of
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.text import plain

_N: Final = rf"(?P<n>\d{{1,2}}|{'|'.join(SMALL)})"
_TO_SO_MANY: Final = rf"to (?:just |only |exactly |a total of )?{_N}\b(?![.,]\d)(?! ?(?:usd|dollars|%|percent|stars?|of 5|persons?|people|kg|g|cm|litres?|days?|weeks?|hours?|working|address|c\b|degrees))"
_SETS: Final = r"(?:set|lowered|reduced|cut|raised|changed|increased|decreased|adjusted|updated|dropped|bumped|upped|trimmed|corrected|brought(?: down| up)?|put(?: down| up)?|taken(?: down| up)?)"
_SO_MANY_NOW: Final = tuple(
    re.compile(one)
    for one in (
        rf"\b(?:i|we)(?:'ve| have)?(?: just| now| already| also| then)* {_SETS} (?P<what>[^.;]{{1,70}}?) ?{_TO_SO_MANY}(?P<behind>.*)",
        rf"^\W*(?:and |then |also )?(?P<what>(?!(?:i|we|you|it|they)\b)(?:[\w']+ ){{1,9}}?){_SETS} {_TO_SO_MANY}(?P<behind>.*)",
        rf"^\W*(?:and |then |also )?{_SETS} (?P<what>(?:the|your|it|them|from|quantity|number) ?[^.;]{{0,60}}?) ?{_TO_SO_MANY}(?P<behind>.*)",
        rf"(?P<what>\b(?:quantity|number|amount|count|cart|basket)\b[^.;]{{0,40}}?) (?:is|was|are|were|has been|'s)(?: now| just| already)* {_SETS} {_TO_SO_MANY}(?P<behind>.*)",
        rf"(?P<what>\b(?:the|your) [\w' ]{{2,40}}?) (?:is|are|'s|went|go|goes|came)(?: now)? (?:down|up|back) {_TO_SO_MANY}(?P<behind>.*)",
        rf"(?P<what>\b(?:quantity|number of [a-z]+)\b(?: (?:of|in|for|on) [\w' ]{{1,25}}?)?) (?:is|stands at|is set to|is at)(?: now)? {_N}\b(?![.,]\d)(?P<behind>.*)",
    )
)
_STAYS: Final = re.compile(
    rf"\b(?:number|quantity|count) of (?P<what>[\w' ]{{2,30}}?) (?:is|are|was|has|stays?|stayed|remains?|remained)(?: been)?(?: left| kept)? (?:unchanged|the same|as (?:it was|before)|untouched|at)\W+(?:still |just |only |at )*{_N}\b(?![.,]\d)"
)
_CHECKS_OUT: Final = re.compile(
    r"\byou can (?:now |already )?(?:check out|checkout|pay)(?: now| right away)? for (?:usd )?[$€£]?(\d[\d,]*\.\d\d)(?: usd)?(?: now| right away| today)?\W*$"
)
"""Says what all that is in the cart costs now."""
_MODAL_OF_WHAT_IS: Final = re.compile(
    r"\b(?:if|whether|once|would|could|or|either|instead|option)\b|'d\b"
)
_IN_THERE: Final = re.compile(r"\b(?:is|are|'s|'re) (?:still |also |both |all )*in there\b")
_WERE: Final = re.compile(r"\bfrom (?:just |only )?$")
_ANOTHER: Final = re.compile(
    r"\b(?:the|that|this|an?|any) (?:\w+ )?(?:other|alternative|replacement|substitute|second|new|similar)\b|\banother\b|\binstead\b|\balternatives?\b"
)
"""Names something else than what is there."""
_OF_NO_CART: Final = re.compile(
    r"\b(?:total|price|budget|limit|sum|filter|search|rating|address|date|card|order db|temperature|size)\b"
)
_MODAL: Final = re.compile(
    r"\b(?:will|would|can|could|may|might|shall|should|if|whether|once|want|wants|please|let me|to be|first|originally|at first)\b|'ll\b|'d\b"
)
_UNCHANGED: Final = re.compile(
    r"\bnothing (?:in|about) (?:your|the) (?:cart|basket) (?:has |was |is |'s )?(?:been )?(?:changed|touched|moved|different)\b|\b(?:cart|basket) (?:is|was|has been|remains|stays|stayed) (?:still )?(?:unchanged|untouched|as it was|the same|left as it was)\b|"
    r"\b(?:haven't|have not|didn't|did not) (?:change|changed|touch|touched) (?:anything in |a thing in )?(?:your|the) (?:cart|basket)\b"
)
_REPLACES: Final = re.compile(
    r"\b(?:replaces|has replaced|takes? the place of|took the place of)\b.*\b(?:in|into) (?:your|the) (?:cart|basket)\b"
)
_IN_ALL: Final = re.compile(r"\b(?:items|pieces|things|articles|in all|in total|altogether)\b")
_LEFT_IN: Final = re.compile(
    r"\b(?:i|we)(?:'ve| have)?(?: also| just| now)* (?:left|kept) (?:the|your) (?P<what>(?:[\w']+ ){1,5})in\W*$"
)
_EXCHANGED: Final = (
    re.compile(
        r"\b(?:replaced|swapped|exchanged|traded|switched|substituted)(?: out)? (?P<went>(?:the|your) [\w' ]+?) (?:for|with|by|to) (?P<came>[\w' ]+)\W*$"
    ),
    re.compile(
        r"^\W*(?P<went>(?:the|your) (?:[\w']+ ){0,4}[\w']+?)(?: is|'s| are| was| were) (?:now )?(?:out|gone|removed)\W*$(?P<came>)"
    ),
    re.compile(
        r"^\W*(?P<came>(?:the|your) (?:[\w']+ ){0,4}[\w']+?)(?: is|'s| are| was| were) (?:now )?(?:in|added|back in)\W*$(?P<went>)"
    ),
)
_SETS_APART: Final = re.compile(
    r"\b(?:instead of|in place of|in the place of|rather than|in exchange for|replac\w+|swapp\w+|exchang\w+|trad\w+|not|no|without|unlike|than|like|from|beside|besides|next to|with|for|as|matches|suits|fits|and the)\W+(?:(?:the|your|a|an)\W+)?(?:[\w']+ ){0,3}$"
)
_INSTEAD_OF: Final = re.compile(
    r"\b(?:instead of|in place of|in the place of|rather than|in exchange for|replacing|without|unlike)\W+(?:(?:the|your|a|an)\W+)?(?:[\w']+ ){0,4}$"
)
_BARE: Final = re.compile(r"^\W*(?:the|your|a|an|one|two|three|both) (?:[\w']+ ){0,3}[\w']+\W*$")
_ITEM: Final = re.compile(
    rf"^\W*(?:and |plus |as well as )?(?:the|your|a|an|\d{{1,2}}|{'|'.join(SMALL)})(?: [x×])? (?:[\w'-]+ ){{0,7}}[\w'-]+\W*$"
)
_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|did|do|does|will|would|can|could|comes?|goes|went|came|costs?|stays?|stayed|left|out|gone|removed|instead|not|if|it|they|i|we|you)\b|'(?:s|re|ve|ll)\b"
)


def sets_otherwise(cart: Cart, said: str) -> bool:
    """Tell whether something in a cart is said to have been set to another number than there is of it."""
    if not cart.lines or _MODAL.search(said) or OF_NOTHING.search(said):
        return False
    for found in filter(None, (one.search(said) for one in _SO_MANY_NOW)):
        if _OF_NO_CART.search(found["what"]):
            return False
        many = SMALL.get(found["n"]) or int(found["n"])
        told = {sort for sort, _, _ in sorts_in(found["what"])}
        if told and not any(told & _sorts_of(line) for line in cart.lines):
            return True
        lines = _called_in(cart, f"{found['what']} {found['behind']}") or cart.lines
        quantities = [line.quantity for line in lines]
        is_in_all = lines is not cart.lines or _IN_ALL.search(said) is not None
        return many not in (*quantities, *([sum(quantities)] if is_in_all else []))
    return False


def stays_otherwise(cart: Cart, said: str) -> bool:
    """Tell whether another number is said to be unchanged than there is of it, or another sum to be paid now."""
    if not cart.lines or _MODAL_OF_WHAT_IS.search(said):
        return False
    if (sum_ := _CHECKS_OUT.search(said)) is not None:
        return Decimal(sum_[1].replace(",", "")) != Decimal(in_units(cart.total.amount))
    found = _STAYS.search(said)
    if found is None or OF_NOTHING.search(found.group()):
        return False
    many = SMALL.get(found["n"]) or int(found["n"])
    lines = _called_in(cart, found["what"]) or cart.lines
    return many not in [line.quantity for line in lines]


def keeps(cart: Cart, said: str, names: Sequence[frozenset[str]]) -> bool:
    """Tell whether what was taken out is said to be "in there" still, and is named."""
    if not _IN_THERE.search(said) or _MODAL.search(said) or OF_NOTHING.search(said):
        return False
    held = frozenset[str]().union(*(_names_of(line) for line in cart.lines))
    gone = frozenset[str]().union(*(_names_of(one) for one in cart.removed)) - held
    return bool(names) and all(one & gone for one in names)


def so_many_now(pieces: re.Pattern[str], said: str) -> re.Match[str] | None:
    """Find how many there are said to be, and not how many there were: "from one pair to four pairs"."""
    return next(
        (one for one in pieces.finditer(said) if not _WERE.search(said[: one.start()])), None
    )


def speaks_of_another(cart: Cart, said: str, names: Sequence[frozenset[str]]) -> bool:
    """Tell whether a sentence speaks of something beside what a cart holds: "the other tent; I haven't put it in"."""
    held = frozenset[str]().union(*(_names_of(line) for line in cart.lines))
    return _ANOTHER.search(said) is not None or any(not one & held for one in names)


def _names_of(one: CartLine | Removed) -> frozenset[str]:
    return frozenset({plain(one.sku), plain(one.name)})


def left_in(cart: Cart, said: str) -> bool:
    """Tell whether something is said to have been left in a cart of whose sort it holds nothing."""
    found = _LEFT_IN.search(said)
    told = {sort for sort, _, _ in sorts_in(found["what"])} if found else set()
    return bool(told) and not any(told & _sorts_of(line) for line in cart.lines)


def exchanged_otherwise(cart: Cart, said: str, gone: Sequence[Removed]) -> bool:
    """Tell whether what was taken out is said to be in, and what is in to be out, by their sorts.

    Args:
        gone: what was taken out in this turn.
    """
    if _MODAL.search(said):
        return False
    if (_REPLACES.search(said) and not gone) or (_UNCHANGED.search(said) and gone):
        return True
    if not gone or not cart.lines:
        return False
    kept = frozenset[str]().union(*map(_sorts_of, cart.lines))
    out = frozenset[str]().union(*(sorts_of([plain(one.name), plain(one.sku)]) for one in gone))
    for found in filter(None, (one.search(said) for one in _EXCHANGED)):
        went, came = (
            {sort for sort, _, _ in sorts_in(found[which] or "")} for which in ("went", "came")
        )
        if (went and went <= kept - out) or (came and came <= out - kept):
            return True
    return False


def joined(
    clauses: Sequence[str], names: Sequence[frozenset[str]], within: re.Pattern[str]
) -> Iterator[str]:
    """Yield what only names a thing before the clause that says something of it, as one.

    Args:
        within: finds the clause that says of something that it is in the cart.
    """
    for one, other in pairwise(clauses):
        is_name = any(one.strip(" .:*") in some for some in names)
        if ((_BARE.match(one) and sorts_in(one)) or is_name) and within.search(other):
            yield f"{one} and {other}"


def listed_behind(clauses: Sequence[str], begins: re.Pattern[str]) -> Iterator[str]:
    """Yield each thing of a list as one that a cart holds, but the first, which is said to be.

    Args:
        begins: finds the clause that says that what it names is in the cart.
    """
    is_list = False
    for clause in clauses:
        if begins.search(clause):
            is_list = not OF_NOTHING.search(clause)
        elif is_list and _ITEM.match(clause) and not _VERB.search(clause) and sorts_in(clause):
            yield f"your cart holds {clause.strip()}"
        else:
            is_list = False


def put_beside(said: str, names: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Return the names of the goods that are said to be in a cart, without those that are set apart from it.

    Args:
        names: of each thing that a clause mentions.
    """
    return [one for one in names if sorts_of(one) and not _is_set_apart(said, one)]


def sets_apart(before: str) -> bool:
    """Tell whether what stands before the noun of a thing sets it apart from what is in a cart."""
    return _INSTEAD_OF.search(before) is not None


def _is_set_apart(said: str, names: frozenset[str]) -> bool:
    places = [said.find(" ".join(name.split()[:2])) for name in names if " " in name]
    starts = [place for place in places if place >= 0]
    return not starts or _SETS_APART.search(said[: min(starts)]) is not None


def _called_in(cart: Cart, text: str) -> list[CartLine]:
    """Return the lines of whose sort a text speaks; of several those whose names it says most of."""
    told = {sort for sort, _, _ in sorts_in(text)}
    of_sort = [line for line in cart.lines if told & _sorts_of(line)]
    words = set(text.split())
    most = max((len(words & set(plain(one.name).split())) for one in of_sort), default=0)
    return [one for one in of_sort if len(words & set(plain(one.name).split())) == most]


def _sorts_of(line: CartLine) -> frozenset[str]:
    return sorts_of([plain(line.name), plain(line.sku)])
