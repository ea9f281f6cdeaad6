"""What the shop itself knows of a sentence of an answer: what is in the cart, and what is not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from daybook.state.money import in_units
from daybook.state.shop.cart import Cart, described
from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.saying import OF_NOTHING, ONLY_SPOKEN_OF
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.text import Sentence, plain
from daybook.tools.shop.spoken.claimed.changes import (
    exchanged_otherwise,
    joined,
    keeps,
    left_in,
    listed_behind,
    sets_otherwise,
    speaks_of_another,
    stays_otherwise,
)
from daybook.tools.shop.spoken.claimed.counts import (
    OF_THE_SHELF,
    PIECES,
    adds_more_than_there_are,
    adds_up_otherwise,
    counts_a_sort_otherwise,
    counts_otherwise,
    is_otherwise,
    may_be_so_many,
)
from daybook.tools.shop.spoken.claimed.gone import (
    lists_what_is_gone,
    may_be_of_what_is_gone,
    said_to_be_out,
    took,
)
from daybook.tools.shop.spoken.claimed.lines import is_called, is_named
from daybook.tools.shop.spoken.claimed.within import (
    NOT_THERE,
    denies_what_is_there,
    holds,
    holds_none_of,
    puts_in_another_sort,
    puts_in_what_is_not_there,
)
from daybook.tools.shop.spoken.claimed.wording import ADDED, CART, IN_CART, LISTED, MODAL, WITHIN

_EMPTY: Final = re.compile(
    rf"\b{CART}(?:'s| is| was| has been| stands| now| left)*(?: all| completely| already| still| currently| yet|"
    rf" again| as)* (?:empty|cleared(?: out)?|emptied|bare)\b|"
    rf"\b(?:nothing|not (?:a thing|anything)) (?!like\b|called\b|named\b|such\b)(?:is |was |)?(?:left )?(?:{IN_CART})\b(?! (?:that |which )?(?:has|have|had|is|was|are|were|isn't|'s|will|won't|gets?|got|can|can't|could|needs?|looks|costs?|seems|would|may|might|must|should|changes|changed|expires?|weighs?|comes?|stands?)\b(?! (?:anymore|any more|now|at the moment|right now|left|yet|so far)\W*$))|"
    rf"\bempty {CART}\b|"
    rf"\b(?:don't|do not|doesn't|does not) (?:have|hold|contain|list) anything {IN_CART}|"
    rf"\b(?:emptied|cleared out) (?:your|the) {CART}|\bi(?:'ve| have) (?:empty|clear|cleared) (?:your|the) {CART}|"
    rf"\b{CART} (?:holds|contains|has|lists) nothing\b",
    re.IGNORECASE,
)

_NONE_OF: Final = re.compile(
    rf"\bno (?:\w+ )?(\w+) (?:in|left in) (?:your|the) {CART}", re.IGNORECASE
)

_BEGINS_A_LIST: Final = re.compile(f"{WITHIN.pattern}|{LISTED.pattern}", re.IGNORECASE)

_REMOVED_BEHIND: Final = re.compile(
    r"(?:^|\b(?:the|your) )(?:\w+ ){0,5}?(\w+) (?:is |was |has been |'s )?(?:removed|"
    r"deleted|taken out)\W*$"
)
"""The thing and what became of it: "Headlamp removed"."""

_REDUCED: Final = re.compile(
    rf"\bquantity\b.*\b(?:was|were|is|are|been|now) (?:reduced|lowered|set|cut|changed) to (?:\d{{1,2}}|{'|'.join(SMALL)})\b"
)

_ONLY_ADDED: Final = re.compile(
    rf"\b(?:(?:could|was able to|managed to) only|only (?:managed|was able) to) "
    rf"(?:add|put|fit|get) (?=\d|[a-z])(\d{{1,2}}|{'|'.join(SMALL)})\b"
)

_ONLY_BEHIND: Final = re.compile(
    rf"\b(?:could|was able to|managed to) (?:add|put in|put|fit in|get in) only (\d{{1,2}}|{'|'.join(SMALL)})\b"
)


_TOTAL: Final = re.compile(
    rf"\b{CART}(?:'s)?(?: (?:sub)?total (?:is|of|comes to|stands at|was|:)?|"
    rf"(?: now)? (?:comes? to|adds? up to|stands at|totals|is worth|sums up to))"
    r"[^\w$]*(?:usd )?\$?(\d[\d,]*\.\d\d)"
)

_CAME_TO: Final = re.compile(rf"\b{CART}(?:'s total)? (?:came|amounted|added up) to\b")
"""Of what a cart held before it was bought."""

_WAS_WITHIN: Final = re.compile(
    rf"\b(?:was|were|had(?! to\b)|'d|held|sat|lay|contained)\b.*\b(?:{CART}|in there)\b|\b{CART}\b.*\b(?:had|held|contained)\b"
)

_STILL_WITHIN: Final = re.compile(
    r"\b(?:still|now|left|remains?|is|are|added|put|has been)\b|'(?:s|re)\b"
)
"""Not of what was in the cart, and is gone."""

_OF_BEFORE: Final = re.compile(r"\W*you (?:took|removed|have|had|put|added)\b", re.IGNORECASE)
"""Tells of what a person did, at whatever time."""

_HOW_MANY: Final = re.compile(r"\badded:? (\d{1,2})\b(?!\.)", re.IGNORECASE)

_NOT_REMOVED: Final = re.compile(
    r"\b(?:haven't|have not|didn't|did not|not|nothing|wasn't able to|unable to|couldn't|"
    r"could not)\b.*\b(?:removed?|taken|took|take)\b",
    re.IGNORECASE,
)

_NOT_ADDED: Final = re.compile(
    r"\b(?:did not|didn't|haven't|have not)\b.{0,12}\badd(?:ed)? anything\b", re.I
)

_EMPTIED: Final = re.compile(
    rf"\b(?:i|we)(?:'ve| have)? (?:just |now )*(?:emptied|cleared(?: out)?) (?:your|the) {CART}\b|"
    rf"\b(?:removed|emptied|cleared|deleted|lost|expired|timed out)\b.*\b(?:by (?:the |our )?(?:system|shop|store|machine)|automatically)\b|"
    rf"\b{CART}\b.*\b(?:timed out|expired|was reset)\b"
)
"""Says that something was in the cart, and is gone."""

_INTO: Final = re.compile(
    rf"\b(?:dropped|tossed|put|moved|thrown?|threw)\b(?! out)(?: \w+){{0,6}} (?:in|into) (?:your|the) {CART}\b"
)

_REPLACED: Final = re.compile(
    r"\b(?:i|we)(?:'ve| have)? (?:just |now |also |already )*(?:replaced|swapped|exchanged|traded|substituted|switched)(?: out)? (?:\w+ of )?(?:the|your|one|both|two|it|them|this|that|those|these|everything|that one)\b|^\W*(?:swapped|replaced)\b(?!.*\b(?:card|address|digits|numbers|names)\b)"
)

_HOLDS_NOTHING: Final = re.compile(
    rf"\b{CART}\b(?: \w+){{0,3}}? (?:contains?|holds?|has|lists|shows) (?:no|nothing|zero|0)\b|"
    rf"\b(?:no|zero|0) (?:\w+ ){{1,3}}?(?:are |is )?{IN_CART}\b|^\W*(?:and )?with (?:it|them|that)\b"
)

_NOTHING_LIKE: Final = re.compile(r"\bnothing (?:like|called|named|such as)\b")
"""Tells that what somebody called so is not there, and not that nothing is."""

_OF_THE_REST: Final = re.compile(
    rf"\b(?:what|everything|all) else\b|\brest of (?:what is in )?(?:your|the) {CART}\b"
)
"""Speaks of all in the cart but what is named."""

_WHAT_IS_WITHIN: Final = re.compile(rf"\b(?:what|whatever|whether)\b.*\b{CART}\b")
"""Speaks of what the cart holds, and says nothing of it."""


def denies(state: Mapping[str, Any], sentence: str, names: Sequence[frozenset[str]]) -> str:
    """Say what is in the cart, where a sentence says otherwise.

    Args:
        names: of each thing that it mentions, as `plain` writes them.
    """
    cart: Cart = state["cart"]
    turn_id = state["turn"]["turn_id"]
    checkout = state.get("checkout")
    has_orders = checkout is not None and bool(checkout.orders)
    clauses = Clauses(Sentence(sentence, 0, 0, begins=False)).asserted
    whole = plain(sentence)
    if _NOTHING_LIKE.search(whole):
        return ""
    is_of_cart = re.search(rf"\b{CART}\b|\bin there\b", whole) is not None
    if any(one.turn_id == turn_id for one in cart.removed):
        clauses = tuple(one for one in clauses if not _is_of_what_was_there(one))
    if clauses and (adds_up_otherwise(cart, whole) or stays_otherwise(cart, whole)):
        return _told(cart)
    if (
        is_of_cart
        and cart.lines
        and any(counts_otherwise(cart, one, is_of_cart=True) for one in clauses)
    ):
        return _told(cart)
    if clauses and puts_in_what_is_not_there(cart, whole, names):
        return _told(cart)
    if "|" in sentence and lists_what_is_gone(cart, plain(sentence)):
        return _told(cart)
    if OF_THE_SHELF.search(whole) and not is_of_cart:
        # A number beside it alone counts what the shop has: "still in stock (56 pairs)".
        clauses = tuple(one for one in clauses if not PIECES.fullmatch(one.strip(" .!")))
    clauses = (*clauses, *joined(clauses, names, WITHIN), *listed_behind(clauses, _BEGINS_A_LIST))
    if speaks_of_another(cart, whole, names):
        clauses = tuple(one for one in clauses if not NOT_THERE.search(one))
    is_denied = any(_contradicts(cart, clause, names, turn_id, has_orders) for clause in clauses)
    return _told(cart) if is_denied else ""


def _contradicts(
    cart: Cart, said: str, names: Sequence[frozenset[str]], turn_id: str, state_has_orders: bool
) -> bool:
    gone = [one for one in cart.removed if one.turn_id == turn_id]
    names = [one for one in names if any(is_named(name, said) for name in one)]
    said_ = _ONLY_BEHIND.sub(r"could only add \1", said)
    if (only := _ONLY_ADDED.search(said_)) and cart.lines:
        return not may_be_so_many(only[1], cart)
    if _OF_THE_REST.search(said):
        return False
    if (total := _TOTAL.search(said)) and not MODAL.search(said) and cart.lines:
        return Decimal(total[1].replace(",", "")) != Decimal(in_units(cart.total.amount))
    if not cart.lines and _CAME_TO.search(said):
        return False
    if not gone and not cart.lines and _EMPTIED.search(said) and not state_has_orders:
        return True
    if (empty := _EMPTY.search(said)) and not MODAL.search(said[: empty.start()]):
        return bool(cart.lines)
    if none := _NONE_OF.search(said):
        return any(is_called(line, none.group(1)) for line in cart.lines)
    if _NOT_REMOVED.search(said):
        return bool(gone)
    if adds_more_than_there_are(cart, said):
        return True
    if sets_otherwise(cart, said) or left_in(cart, said) or exchanged_otherwise(cart, said, gone):
        return True
    if _REDUCED.search(said) and not MODAL.search(said) and holds_none_of(cart, said):
        return True
    if _HOLDS_NOTHING.search(said) and not cart.lines:
        return False
    if counts_otherwise(cart, said) or is_otherwise(cart, said) or keeps(cart, said, names):
        return True
    if denies_what_is_there(cart, said):
        return True
    if _NOT_ADDED.search(said) or OF_NOTHING.search(said):
        return False
    if removed := _REMOVED_BEHIND.search(said):
        if names or may_be_of_what_is_gone(cart, said, gone):
            return not took(cart, said, names, cart.removed)
        return any(is_called(line, removed[1]) for line in cart.lines)
    if (taken := said_to_be_out(said)) and not _INTO.search(said) and not _OF_BEFORE.match(said):
        is_out = took(cart, said, names, cart.removed)
        return not MODAL.search(said[: taken.start()]) and not is_out
    if _WHAT_IS_WITHIN.search(said):
        return False
    if puts_in_another_sort(cart, said) or counts_a_sort_otherwise(cart, said):
        return True
    if _REPLACED.search(said) and not gone and not ONLY_SPOKEN_OF.search(said):
        return True
    within = WITHIN.search(said) or LISTED.search(said)
    if within and not MODAL.search(said[: within.end()]) and holds_none_of(cart, said):
        return True
    if ONLY_SPOKEN_OF.search(said):
        return False
    if not cart.lines and state_has_orders and not re.search(rf"\b{CART}\b", said):
        # What was added and then ordered is in it no more.
        return False
    if ADDED.search(said) or WITHIN.search(said):
        many = _HOW_MANY.search(said)
        most = max((line.quantity for line in cart.lines), default=0)
        return not holds(cart, said, names) or (many is not None and int(many.group(1)) > most)
    return False


def _is_of_what_was_there(clause: str) -> bool:
    """Tell whether a clause tells what was in the cart, and not what is in it."""
    return _WAS_WITHIN.search(clause) is not None and _STILL_WITHIN.search(clause) is None


def _told(cart: Cart) -> str:
    if not cart.lines:
        return "The cart is empty."
    _, *rows, total = described(cart)
    return f"In the cart: {'; '.join(row.strip() for row in rows)}; {total}."
