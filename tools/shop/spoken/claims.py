"""What the shop itself knows of a sentence of an answer: what is in the cart, and what is not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from daybook.state.money import in_units
from daybook.state.shop.cart import Cart, CartLine, Removed, described
from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.saying import OF_NOTHING, ONLY_SPOKEN_OF
from daybook.tools.said.grammar.things import sorts_in, sorts_of
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.text import Sentence, plain
from daybook.tools.shop.spoken.changes import (
    exchanged_otherwise,
    joined,
    left_in,
    listed_behind,
    put_beside,
    sets_apart,
    sets_otherwise,
)

_CART: Final = r"(?:cart|basket)"
_THERE: Final = (
    rf"(?:(?:in|into|to|inside|of) (?:(?:your|the|her|his|their|this) )?{_CART}|in there|in it)"
)
_IN_CART: Final = rf"(?:in|into|to|inside) (?:(?:your|the|her|his|their) )?{_CART}"
_EMPTY: Final = re.compile(
    rf"\b{_CART}(?:'s| is| was| has been| stands| now| left)*(?: all| completely| already| still| currently| yet|"
    rf" again| as)* (?:empty|cleared(?: out)?|emptied|bare)\b|"
    rf"\b(?:nothing|not (?:a thing|anything)) (?:is |was |)?(?:left )?(?:{_IN_CART})\b(?! (?:that |which )?(?:has|have|had|is|was|are|were|isn't|'s|will|won't|gets?|got|can|can't|could|needs?|looks|costs?|seems|would|may|might|must|should|changes|changed|expires?|weighs?|comes?|stands?)\b(?! (?:anymore|any more|now|at the moment|right now|left|yet|so far)\W*$))|"
    rf"\bempty {_CART}\b|"
    rf"\b(?:don't|do not|doesn't|does not) (?:have|hold|contain|list) anything {_IN_CART}|"
    rf"\b(?:emptied|cleared out) (?:your|the) {_CART}|\bi(?:'ve| have) (?:empty|clear|cleared) (?:your|the) {_CART}|"
    rf"\b{_CART} (?:holds|contains|has|lists) nothing\b",
    re.IGNORECASE,
)
_NONE_OF: Final = re.compile(
    rf"\bno (?:\w+ )?(\w+) (?:in|left in) (?:your|the) {_CART}", re.IGNORECASE
)
_ADDED: Final = re.compile(
    rf"^\W*added\b|\b(?:updated|changed) (?:your|the) {_CART} (?:with|to)\b|\b(?:filled|loaded|stocked) (?:your|the) {_CART}\b|\b(?:added|put|popped|dropped|tossed|placed|threw|slipped)\b.*\b{_CART}\b|"
    rf"\b(?:put|placed|added|got) (?:\w+ ){{1,6}}in (?:its|their) (?:place|stead)\b|"
    r"\b(?:have|has|'ve|i|we) (?:just |now |also )*added\b|\b(?:was|were|been) added\b",
    re.IGNORECASE,
)
_WITHIN: Final = re.compile(
    rf"\b(?:is|are|'s|'re|stays?|remains?|sits?|sitting|waiting|still|left|kept|chilling|"
    rf"showing)\b(?: \w+){{0,3}} {_IN_CART}\b|^\W*(?:\w+ ){{1,4}}in (?:your |the )?{_CART}\W*$|"
    rf"\b{_CART} (?:still |now |currently )*(?:has|holds|contains|shows|"
    rf"lists)\b(?! (?:been|nothing|changed|not))",
    re.I,
)
_LISTED: Final = re.compile(
    rf"^\W*(?:still |now )?(?:in )?(?:your|the) {_CART}(?: now| right now| still)? (?!(?:total|being|is|isn't|was|wasn't|itself|alone|as|and|because|since|while|when|until|unless|for|on|with|without|will|would|can|could|does|doesn't|stays?|stayed|remains?|goes|went|empties|unchanged|untouched|empty)\b)\w"
)
"""A row under "In your cart:"."""

_BEGINS_A_LIST: Final = re.compile(f"{_WITHIN.pattern}|{_LISTED.pattern}", re.IGNORECASE)

_OF_NO_GOODS: Final = re.compile(
    r"\b(?:mail|e ?mail|message|confirmation|receipt|money|amount|charge|account|card|bank|payment|funds|sum|usd|dollars|request|query|question|answer)\b|[$€£]"
)
"""Tells of what came or went that was in no cart."""

_REMOVED: Final = re.compile(
    rf"^\W*(?:removed|deleted|dropped)\b|\b(?:removed|took|taken|deleted|dropped|dumped|chucked|tossed|binned|ditched|scrapped|(?<=i )take|(?<=we )take|"
    rf"thrown|struck|cleared?|pulled|kicked|moved|gone|cut|"
    rf"had to (?:drop|remove|delete|clear|pull|cut|take|throw|kick))\b.*"
    rf"\b(?:out|off|from|{_CART})\b|\b(?:have|'ve|i|we) (?:just |now )*removed\b|"
    rf"\b(?:i|we)(?:'ve| have)? (?:just |now )?put (?:the|your|both) (?:\w+ ){{1,4}}away from (?:your|the) {_CART}\b|"
    rf"\b(?:i|we)(?:'ve| have)? left out (?:the|your|both|one)\b|\b(?:the|your) (?:\w+ ){{1,4}}(?:went|came) out\b|"
    rf"\bleft out of\b.*\b{_CART}\b|"
    rf"\b(?:is|are|was|were|'s|'re) (?:now |already )*(?:out of|off|gone from) "
    rf"(?:your|the) {_CART}\b",
    re.IGNORECASE,
)
_REMOVED_BEHIND: Final = re.compile(
    r"(?:^|\b(?:the|your) )(?:\w+ ){0,5}?(\w+) (?:is |was |has been |'s )?(?:removed|"
    r"deleted|taken out)\W*$"
)
"""The thing and what became of it: "Headlamp removed"."""

_ADDED_SO_MANY: Final = re.compile(
    rf"^\W*(?:i |i've |i have |just )?added (?P<n>\d{{1,2}}|{'|'.join(SMALL)}) (?P<what>(?:[\w']+ ){{0,4}}\w+)\W*$"
)
_REDUCED: Final = re.compile(
    rf"\bquantity\b.*\b(?:was|were|is|are|been|now) (?:reduced|lowered|set|cut|changed) to (?:\d{{1,2}}|{'|'.join(SMALL)})\b"
)
_PUTS: Final = re.compile(
    rf"\b(?:i|we)(?:'ve| have)? (?:[\w' ,]{{1,60}} and )?(?:just |also |now |already )*(?:put|added|placed|popped|dropped|tossed|slipped|threw) (?P<what>[^.;?!:]{{3,90}}(?:\.\d\d[^.;?!:]{{0,40}})?) {_IN_CART}\b"
)
_ONLY_ADDED: Final = re.compile(
    rf"\b(?:(?:could|was able to|managed to) only|only (?:managed|was able) to) "
    rf"(?:add|put|fit|get) (?=\d|[a-z])(\d{{1,2}}|{'|'.join(SMALL)})\b"
)
_ONLY_BEHIND: Final = re.compile(
    rf"\b(?:could|was able to|managed to) (?:add|put in|put|fit in|get in) only (\d{{1,2}}|{'|'.join(SMALL)})\b"
)
_TOTAL: Final = re.compile(
    rf"\b{_CART}(?:'s)?(?: (?:sub)?total (?:is|of|comes to|stands at|was|:)?|"
    rf"(?: now)? (?:comes? to|adds? up to|stands at|totals|is worth|sums up to))"
    r"[^\w$]*(?:usd )?\$?(\d[\d,]*\.\d\d)"
)

_CAME_TO: Final = re.compile(rf"\b{_CART}(?:'s total)? (?:came|amounted|added up) to\b")
"""Of what a cart held before it was bought."""

_WAS_WITHIN: Final = re.compile(
    rf"\b(?:was|were|had(?! to\b)|'d|held|sat|lay|contained)\b.*\b(?:{_CART}|in there)\b|\b{_CART}\b.*\b(?:had|held|contained)\b"
)
_STILL_WITHIN: Final = re.compile(
    r"\b(?:still|now|left|remains?|is|are|added|put|has been)\b|'(?:s|re)\b"
)
"""Not of what was in the cart, and is gone."""

_OF_BEFORE: Final = re.compile(r"\W*you (?:took|removed|have|had|put|added)\b", re.IGNORECASE)
"""Tells of what a person did, at whatever time."""

_HOW_MANY: Final = re.compile(r"\badded:? (\d{1,2})\b(?!\.)", re.IGNORECASE)
_PIECES: Final = re.compile(
    rf"(?<![\w.,-])(\d{{1,3}}|{'|'.join(SMALL)}) (?:\w+ )?(?:pieces?|items?|things?|articles?|pairs?(?! of)|"
    rf"goodies|products?|lines?)\b(?: in all)?(?! (?:found|were found|match|over|under|above|below|at a time|more))"
)
_OF_THE_SHELF: Final = re.compile(r"\b(?:in stock|available|left|remaining|on the shelf)\b")
_WENT_INTO_AN_ORDER: Final = re.compile(
    r"\b(?:were|was|been|got|went|have|has|are|is)\b.*\b(?:order\w*|bought|moved|placed|charged|paid|checked out|purchased)\b"
)
"""Tells of what was in a cart that is empty since it was bought."""
_OF_THEM: Final = re.compile(
    rf"\b(?:you(?:'ve| have)(?: got)?|there(?:'s| are| is)|that makes|(?:now|still) with) (\d{{1,2}}|{'|'.join(SMALL)}) of (?:them|those|these|it)\b"
)
_BOTH: Final = re.compile(rf"\bboth\b.*\b(?:{_THERE}|still)\b|\b(?:{_THERE})\b.*\bboth\b")
_GIVEN: Final = re.compile(
    rf"\b(?:the|your|these|those|both|all|two|three|four|five|\d+) (?:[\w']+ ){{1,6}}{_IN_CART}\b"
)
_EXTREME: Final = re.compile(
    r"\b(?P<how>cheapest|lowest priced|least expensive|smallest|dearest|priciest|most expensive|costliest|biggest|highest priced) "
    r"(?:thing|item|line|product|piece|article|one|part|position)\b"
)
_IN_ALL: Final = re.compile(
    r"(?<![\w.,])(?:usd )?[$€£]?(\d+\.\d\d)(?: ?(?:usd|eur|dollars|euros))?(?: \w+){0,2}? (?:for (?:both|the two|the pair|the three|all (?:of them|two|three|four|five|six|\d+))|altogether|together|in all|for the lot)\b"
)
_AMOUNT: Final = re.compile(r"\d\.\d\d\b")
_NOT_REMOVED: Final = re.compile(
    r"\b(?:haven't|have not|didn't|did not|not|nothing|wasn't able to|unable to|couldn't|"
    r"could not)\b.*\b(?:removed?|taken|took|take)\b",
    re.IGNORECASE,
)
_NOT_ADDED: Final = re.compile(
    r"\b(?:did not|didn't|haven't|have not)\b.{0,12}\badd(?:ed)? anything\b", re.I
)
_MODAL: Final = re.compile(
    r"\b(?:(?:will|'ll|would|can|could|may|might|shall|should|if|whether|once|want|wants|please|"
    r"let me|to be)\b|tell me)"
)


_NOT_THERE: Final = re.compile(
    rf"\b{_CART} (?:doesn't|does not|isn't|didn't) (?:list|hold|contain|show|have|include)\b(?! changed)|"
    rf"(?:\b(?:not|never|no longer)|n't)(?: \w+){{0,2}} {_IN_CART}\b"
)
_NOT_PUT: Final = re.compile(
    rf"\b(?:couldn't|could not|wasn't able to|was not able to|failed to|unable to|didn't manage to|did not manage to|didn't get to) (?:\w+ )?(?:add\b|(?:put|get|place)\b.*\b{_CART}\b)|"
    r"\badding\b.*\b(?:failed|didn't work|did not work|went wrong)\b|\b(?:was|were|been) ?(?:not|n't) added\b|\bwasn't added\b|\bweren't added\b"
)
_ELSE: Final = re.compile(
    r"\b(?:else|other|others|besides|except|apart|only|just|more|another|new|change\w*|any|all of|both|as many|enough|ordered|paid|bought|reserved|charged|order|buy|reserve)\b"
)
_MODAL_BUT_COULD_NOT: Final = re.compile(
    r"\b(?:will|'ll|would|may|might|shall|should|if|want|wants|please|let me|to be)\b"
)
_HAS: Final = re.compile(
    r"\b(?:there(?:'s| is| are)|you(?:'ve| have)(?: got)?|has|have|holds?|contains?|i see)\b"
)
_EMPTIED: Final = re.compile(
    rf"\b(?:i|we)(?:'ve| have)? (?:just |now )*(?:emptied|cleared(?: out)?) (?:your|the) {_CART}\b|"
    rf"\b(?:removed|emptied|cleared|deleted|lost|expired|timed out)\b.*\b(?:by (?:the |our )?(?:system|shop|store|machine)|automatically)\b|"
    rf"\b{_CART}\b.*\b(?:timed out|expired|was reset)\b"
)
"""Says that something was in the cart, and is gone."""

_INTO: Final = re.compile(
    rf"\b(?:dropped|tossed|put|moved|thrown?|threw)\b(?! out)(?: \w+){{0,6}} (?:in|into) (?:your|the) {_CART}\b"
)
_REPLACED: Final = re.compile(
    r"\b(?:i|we)(?:'ve| have)? (?:just |now |also |already )*(?:replaced|swapped|exchanged|traded|substituted|switched)(?: out)? (?:\w+ of )?(?:the|your|one|both|two|it|them|this|that|those|these|everything|that one)\b|^\W*(?:swapped|replaced)\b(?!.*\b(?:card|address|digits|numbers|names)\b)"
)
_A_SORT: Final = re.compile(
    rf"(?<![\w.,$-])(\d{{1,2}}|{'|'.join(SMALL)}) (?!person\b|man\b|season\b|litre\b|of\b)(?:pairs? of )?(?:(?!of\b|the\b|in\b|and\b|more\b|fewer\b|less\b|other\b|extra\b|further\b|additional\b|similar\b|different\b|too\b|new\b)[a-z']+ ){{0,3}}?$"
)

_HOLDS_NOTHING: Final = re.compile(
    rf"\b{_CART}\b(?: \w+){{0,3}}? (?:contains?|holds?|has|lists|shows) (?:no|nothing|zero|0)\b|"
    rf"\b(?:no|zero|0) (?:\w+ ){{1,3}}?(?:are |is )?{_IN_CART}\b|^\W*(?:and )?with (?:it|them|that)\b"
)
_WHAT_IS_WITHIN: Final = re.compile(rf"\b(?:what|whatever|whether)\b.*\b{_CART}\b")
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
    is_of_cart = re.search(rf"\b{_CART}\b|\bin there\b", whole) is not None
    if any(one.turn_id == turn_id for one in cart.removed):
        clauses = tuple(one for one in clauses if not _is_of_what_was_there(one))
    if clauses and _adds_up_otherwise(cart, whole):
        return _told(cart)
    if is_of_cart and any(_counts_otherwise(cart, one, is_of_cart=True) for one in clauses):
        return _told(cart)
    if clauses and _puts_in_what_is_not_there(cart, whole, names):
        return _told(cart)
    if "|" in sentence and _lists_what_is_gone(cart, plain(sentence)):
        return _told(cart)
    if _OF_THE_SHELF.search(whole) and not is_of_cart:
        # A number beside it alone counts what the shop has: "still in stock (56 pairs)".
        clauses = tuple(one for one in clauses if not _PIECES.fullmatch(one.strip(" .!")))
    clauses = (*clauses, *joined(clauses, names, _WITHIN), *listed_behind(clauses, _BEGINS_A_LIST))
    is_denied = any(_contradicts(cart, clause, names, turn_id, has_orders) for clause in clauses)
    return _told(cart) if is_denied else ""


def _puts_in_what_is_not_there(cart: Cart, said: str, names: Sequence[frozenset[str]]) -> bool:
    """Tell whether somebody says that they put something into a cart that holds none of it, with much in between."""
    found = _PUTS.search(said)
    if found is None or ONLY_SPOKEN_OF.search(found.group()) or OF_NOTHING.search(said):
        return False
    told = [one for one in names if any(_is_named(name, found["what"]) for name in one)]
    return bool(told) and not any(names_ & _names(line) for names_ in told for line in cart.lines)


def _contradicts(
    cart: Cart, said: str, names: Sequence[frozenset[str]], turn_id: str, state_has_orders: bool
) -> bool:
    gone = [one for one in cart.removed if one.turn_id == turn_id]
    names = [one for one in names if any(_is_named(name, said) for name in one)]
    said_ = _ONLY_BEHIND.sub(r"could only add \1", said)
    if (only := _ONLY_ADDED.search(said_)) and cart.lines:
        return not _may_be_so_many(only[1], cart)
    if (total := _TOTAL.search(said)) and not _MODAL.search(said) and cart.lines:
        return Decimal(total[1].replace(",", "")) != Decimal(in_units(cart.total.amount))
    if not cart.lines and _CAME_TO.search(said):
        return False
    if not gone and not cart.lines and _EMPTIED.search(said) and not state_has_orders:
        return True
    if (empty := _EMPTY.search(said)) and not _MODAL.search(said[: empty.start()]):
        return bool(cart.lines)
    if none := _NONE_OF.search(said):
        return any(_is_called(line, none.group(1)) for line in cart.lines)
    if _NOT_REMOVED.search(said):
        return bool(gone)
    if _adds_more_than_there_are(cart, said):
        return True
    if sets_otherwise(cart, said) or left_in(cart, said) or exchanged_otherwise(cart, said, gone):
        return True
    if _REDUCED.search(said) and not _MODAL.search(said) and _holds_none_of(cart, said):
        return True
    if _HOLDS_NOTHING.search(said) and not cart.lines:
        return False
    if _counts_otherwise(cart, said) or _is_otherwise(cart, said):
        return True
    if _denies_what_is_there(cart, said):
        return True
    if _NOT_ADDED.search(said) or OF_NOTHING.search(said):
        return False
    if removed := _REMOVED_BEHIND.search(said):
        if names or _may_be_of_what_is_gone(cart, said, gone):
            return not _took(cart, said, names, gone)
        return any(_is_called(line, removed[1]) for line in cart.lines)
    if (taken := _removed(said)) and not _INTO.search(said) and not _OF_BEFORE.match(said):
        return not _MODAL.search(said[: taken.start()]) and not _took(cart, said, names, gone)
    if _WHAT_IS_WITHIN.search(said):
        return False
    if _puts_in_another_sort(cart, said) or _counts_a_sort_otherwise(cart, said):
        return True
    if _REPLACED.search(said) and not gone and not ONLY_SPOKEN_OF.search(said):
        return True
    within = _WITHIN.search(said) or _LISTED.search(said)
    if within and not _MODAL.search(said[: within.end()]) and _holds_none_of(cart, said):
        return True
    if ONLY_SPOKEN_OF.search(said):
        return False
    if _ADDED.search(said) or _WITHIN.search(said):
        many = _HOW_MANY.search(said)
        most = max((line.quantity for line in cart.lines), default=0)
        return not _holds(cart, said, names) or (many is not None and int(many.group(1)) > most)
    return False


def _removed(said: str) -> re.Match[str] | None:
    """Find what is said to have gone out of a cart: no mail, and no money."""
    is_of_cart = re.search(rf"\b{_CART}\b", said) is not None
    return _REMOVED.search(said) if is_of_cart or not _OF_NO_GOODS.search(said) else None


def _is_of_what_was_there(clause: str) -> bool:
    """Tell whether a clause tells what was in the cart, and not what is in it."""
    return _WAS_WITHIN.search(clause) is not None and _STILL_WITHIN.search(clause) is None


def _adds_more_than_there_are(cart: Cart, said: str) -> bool:
    """Tell whether more of one line is said to have been added than the cart holds of it."""
    found = _ADDED_SO_MANY.search(said)
    if found is None or not cart.lines:
        return False
    words = {word.rstrip("s'") for word in found["what"].split()} - {"pair", "of", "the"}
    called = [
        line
        for line in cart.lines
        if words <= {word.rstrip("s") for word in plain(line.name).split()}
    ]
    many = SMALL.get(found["n"]) or int(found["n"])
    return len(called) == 1 and many > called[0].quantity


def _may_be_so_many(numeral: str, cart: Cart) -> bool:
    """Tell whether there are so many of a line of the cart, or of all of it."""
    quantities = [line.quantity for line in cart.lines]
    return (SMALL.get(numeral) or int(numeral)) in (*quantities, sum(quantities))


def _is_named(name: str, said: str) -> bool:
    """Tell whether a clause has a name, or the two words that it begins with."""
    return " ".join(name.split()[:2]) in said


def _lists_what_is_gone(cart: Cart, said: str) -> bool:
    """Tell whether a row of a table counts what was taken out."""
    kept = {line.sku for line in cart.lines}
    gone = [one for one in cart.removed if one.sku not in kept]
    return any(re.search(rf"{re.escape(plain(one.name))}\W*\|\s*\d+\s*\|", said) for one in gone)


def _counts_otherwise(cart: Cart, said: str, *, is_of_cart: bool = False) -> bool:
    """Tell whether another number of pieces is told than the cart holds, or of lines."""
    found = _PIECES.search(said)
    if found is None or _MODAL.search(said) or OF_NOTHING.search(said):
        return False
    if not cart.lines and _WENT_INTO_AN_ORDER.search(said):
        return False
    if _OF_THE_SHELF.search(said) and not re.search(rf"\b(?:{_CART}|in there)\b", said):
        return False
    many = SMALL.get(found[1]) or int(found[1])
    quantities = [line.quantity for line in cart.lines]
    is_alone = said.strip(" .!") == found.group()
    is_of_cart = is_of_cart or is_alone or re.search(rf"\b(?:{_CART}|in there)\b", said) is not None
    if not cart.lines and is_alone:
        return False
    return is_of_cart and many not in (len(quantities), sum(quantities), *quantities)


def _is_otherwise(cart: Cart, said: str) -> bool:
    """Tell whether a clause counts, sets apart or adds what the cart holds, and it does not."""
    if _MODAL.search(said) or OF_NOTHING.search(said):
        return False
    quantities = [line.quantity for line in cart.lines]
    if (them := _OF_THEM.search(said)) and len(quantities) == 1:
        return (SMALL.get(them[1]) or int(them[1])) not in quantities
    if _BOTH.search(said) and quantities and max(len(quantities), *quantities) < 2:
        return True
    if _GIVEN.search(said) and not quantities:
        return True
    if (extreme := _EXTREME.search(said)) and len(quantities) > 1:
        return not _may_be_extreme(cart, said, extreme["how"])
    return False


def _denies_what_is_there(cart: Cart, said: str) -> bool:
    """Tell whether something is said not to be in the cart, or not to have got there, and is in it."""
    if _ELSE.search(said) or _MODAL_BUT_COULD_NOT.search(said):
        return False
    words = re.findall(r"\w+", said)
    is_of_line = any(_is_called(line, word) for line in cart.lines for word in words)
    if _NOT_THERE.search(said):
        is_of_it = re.search(r"\b(?:it|them|that|those|these|they)\b", said) is not None
        return bool(cart.lines) if is_of_it else is_of_line
    return is_of_line and _NOT_PUT.search(said) is not None


def _may_be_extreme(cart: Cart, said: str, how: str) -> bool:
    """Tell whether what is named costs most or least, by the piece or as a line."""
    words = re.findall(r"\w+", said)
    named = [line for line in cart.lines if any(_is_called(line, word) for word in words)]
    if len(named) != 1:
        return True
    most = min if how in ("cheapest", "lowest priced", "least expensive", "smallest") else max
    return named[0] in (
        most(cart.lines, key=lambda line: line.price),
        most(cart.lines, key=lambda line: line.unit_price),
    )


def _adds_up_otherwise(cart: Cart, said: str) -> bool:
    """Tell whether a line that is named is said to cost in all what one piece of it does."""
    found = _IN_ALL.search(said)
    named = [
        line
        for line in cart.lines
        if any(_is_called(line, word) for word in re.findall(r"\w+", said))
    ]
    if (
        not named
        and len(cart.lines) == 1
        and re.search(r"\b(?:pairs?|them|both|bottles?|all)\b", said)
    ):
        named = [*cart.lines]
    if found is None:
        return False
    if (
        len(named) == len(cart.lines) > 1
        and not _MODAL.search(said)
        and len(_AMOUNT.findall(said)) == 1
    ):
        pieces = sum(line.unit_price for line in cart.lines)
        return (
            Decimal(found[1]) == Decimal(in_units(pieces)) != Decimal(in_units(cart.total.amount))
        )
    if len(named) != 1 or named[0].quantity == 1:
        return False
    return Decimal(found[1]) == Decimal(in_units(named[0].unit_price))


def _holds_none_of(cart: Cart, said: str) -> bool:
    """Tell whether something is said to be in the cart that was taken out, or in an empty one."""
    if not cart.lines:
        return True
    kept = {line.sku for line in cart.lines}
    gone = [one for one in cart.removed if one.sku not in kept]
    words = re.findall(r"\w+", said)
    return any(_is_called(one, word) for one in gone for word in words) and not any(
        _is_called(line, word) for line in cart.lines for word in words
    )


def _may_be_of_what_is_gone(cart: Cart, said: str, gone: Sequence[Removed]) -> bool:
    """Tell whether a clause calls what was taken out by as much of its name as what is there."""
    words = {word.rstrip("s") for word in re.findall(r"\w+", said)}

    def called(one: CartLine | Removed) -> int:
        return len(words & {word.rstrip("s") for word in plain(one.name).split()})

    most = max(map(called, gone), default=0)
    return 0 < most >= max(map(called, cart.lines), default=0)


def _took(cart: Cart, said: str, names: Sequence[frozenset[str]], gone: Sequence[Removed]) -> bool:
    """Tell whether what is said to be out is out."""
    if _may_be_of_what_is_gone(cart, said, gone):
        return True
    if names:
        return not all(any(names_ & _names(line) for line in cart.lines) for names_ in names)
    told = {sort for sort, _, _ in sorts_in(said)}
    out = frozenset[str]().union(
        *(sorts_of([plain(one.name), plain(one.sku)]) for one in cart.removed)
    )
    if told and gone and out and not told & out:
        return False
    words = set(re.findall(r"\w+", said))
    left = any(_is_called(line, word) for line in cart.lines for word in words)
    return not left and (bool(gone) or not cart.lines)


def _puts_in_another_sort(cart: Cart, said: str) -> bool:
    """Tell whether goods are said to be in the cart of a sort of which it holds nothing."""
    is_within = re.search(rf"\b{_THERE}\b", said) and (
        _WITHIN.search(said) or _ADDED.search(said) or _HAS.search(said)
    )
    if not (is_within or _ADDED.search(said)) or ONLY_SPOKEN_OF.search(said):
        return False
    if not cart.lines and not re.search(rf"\b{_CART}\b|\bin there\b", said):
        # "In it" is in an order.
        return False
    held = [sorts_of([plain(line.name), plain(line.sku)]) for line in cart.lines]
    told = {sort for sort, start, _ in sorts_in(said) if not sets_apart(said[:start])}
    return bool(told) and all(held) and not told <= frozenset[str]().union(*held)


def _counts_a_sort_otherwise(cart: Cart, said: str) -> bool:
    """Tell whether the cart is said to hold more of a sort than of all its lines."""
    if not re.search(rf"\b{_THERE}\b", said) or ONLY_SPOKEN_OF.search(said):
        return False
    for sort, start, _ in sorts_in(said):
        lines = [
            line for line in cart.lines if sort in sorts_of([plain(line.name), plain(line.sku)])
        ]
        found = _A_SORT.search(said[:start])
        if found is not None and any(found.group().strip() in plain(one.name) for one in lines):
            # A number that is a part of a name: "Two-Burner Camping Stove".
            continue
        if found is not None and lines:
            many = SMALL.get(found[1]) or int(found[1])
            if many not in (
                len(lines),
                sum(line.quantity for line in lines),
                *(line.quantity for line in lines),
            ):
                return True
    return False


def _holds(cart: Cart, said: str, names: Sequence[frozenset[str]]) -> bool:
    """Tell whether what is said to be in the cart is in it."""
    beside = put_beside(said, names)
    if beside and cart.lines:
        return all(any(one & _names(line) for line in cart.lines) for one in beside)
    if names:
        return any(names_ & _names(line) for names_ in names for line in cart.lines)
    return bool(cart.lines)


def _names(line: CartLine) -> frozenset[str]:
    return frozenset({plain(line.sku), plain(line.name)})


def _is_called(line: CartLine | Removed, word: str) -> bool:
    """Tell whether a word is what a thing is: the last of its name, or of its kind."""
    stem = word.rstrip("s")
    if len(stem) <= 2:
        return False
    kinds = {*line.name.lower().split()[-1:], *line.category.lower().split("-")}
    return stem in {kind.rstrip("s") for kind in kinds}


def _told(cart: Cart) -> str:
    if not cart.lines:
        return "The cart is empty."
    _, *rows, total = described(cart)
    return f"In the cart: {'; '.join(row.strip() for row in rows)}; {total}."
