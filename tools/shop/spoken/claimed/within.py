"""What is said to be in a cart, to have been put there, or not to be there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from daybook.state.shop.cart import Cart
from daybook.tools.said.grammar.saying import OF_NOTHING, ONLY_SPOKEN_OF
from daybook.tools.said.grammar.things import sorts_in, sorts_of
from daybook.tools.said.text import plain
from daybook.tools.shop.spoken.claimed.changes import put_beside, sets_apart
from daybook.tools.shop.spoken.claimed.lines import is_called, is_named, names_of
from daybook.tools.shop.spoken.claimed.wording import ADDED, CART, IN_CART, THERE, WITHIN

_PUTS: Final = re.compile(
    rf"\b(?:i|we)(?:'ve| have)? (?:[\w' ,]{{1,60}} and )?(?:just |also |now |already )*(?:put|added|placed|popped|dropped|tossed|slipped|threw) (?P<what>[^.;?!:]{{3,90}}(?:\.\d\d[^.;?!:]{{0,40}})?) {IN_CART}\b"
)

NOT_THERE: Final = re.compile(
    rf"\b{CART} (?:doesn't|does not|isn't|didn't) (?:list|hold|contain|show|have|include)\b(?! changed)|"
    rf"(?:\b(?:not|never|no longer)|n't)(?: \w+){{0,2}} {IN_CART}\b"
)
"""Says that something is not in a cart."""

_NOT_PUT: Final = re.compile(
    rf"\b(?:couldn't|could not|wasn't able to|was not able to|failed to|unable to|didn't manage to|did not manage to|didn't get to) (?:\w+ )?(?:add\b|(?:put|get|place)\b.*\b{CART}\b)|"
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


def puts_in_what_is_not_there(cart: Cart, said: str, names: Sequence[frozenset[str]]) -> bool:
    """Tell whether somebody says that they put something into a cart that holds none of it, with much in between."""
    found = _PUTS.search(said)
    if found is None or ONLY_SPOKEN_OF.search(found.group()) or OF_NOTHING.search(said):
        return False
    told = [one for one in names if any(is_named(name, found["what"]) for name in one)]
    return bool(told) and not any(names_ & names_of(line) for names_ in told for line in cart.lines)


def denies_what_is_there(cart: Cart, said: str) -> bool:
    """Tell whether something is said not to be in the cart, or not to have got there, and is in it."""
    if _ELSE.search(said) or _MODAL_BUT_COULD_NOT.search(said):
        return False
    words = re.findall(r"\w+", said)
    is_of_line = any(is_called(line, word) for line in cart.lines for word in words)
    if NOT_THERE.search(said):
        is_of_it = re.search(r"\b(?:it|them|that|those|these|they)\b", said) is not None
        return bool(cart.lines) if is_of_it else is_of_line
    return is_of_line and _NOT_PUT.search(said) is not None


def holds_none_of(cart: Cart, said: str) -> bool:
    """Tell whether something is said to be in the cart that was taken out, or in an empty one."""
    if not cart.lines:
        return True
    kept = {line.sku for line in cart.lines}
    gone = [one for one in cart.removed if one.sku not in kept]
    words = re.findall(r"\w+", said)
    return any(is_called(one, word) for one in gone for word in words) and not any(
        is_called(line, word) for line in cart.lines for word in words
    )


def holds(cart: Cart, said: str, names: Sequence[frozenset[str]]) -> bool:
    """Tell whether what is said to be in the cart is in it."""
    beside = put_beside(said, names)
    if beside and cart.lines:
        return all(any(one & names_of(line) for line in cart.lines) for one in beside)
    if names:
        return any(names_ & names_of(line) for names_ in names for line in cart.lines)
    return bool(cart.lines)


def puts_in_another_sort(cart: Cart, said: str) -> bool:
    """Tell whether goods are said to be in the cart of a sort of which it holds nothing."""
    is_within = re.search(rf"\b{THERE}\b", said) and (
        WITHIN.search(said) or ADDED.search(said) or _HAS.search(said)
    )
    if not (is_within or ADDED.search(said)) or ONLY_SPOKEN_OF.search(said):
        return False
    if not cart.lines and not re.search(rf"\b{CART}\b|\bin there\b", said):
        # "In it" is in an order.
        return False
    held = [sorts_of([plain(line.name), plain(line.sku)]) for line in cart.lines]
    told = {sort for sort, start, _ in sorts_in(said) if not sets_apart(said[:start])}
    return bool(told) and all(held) and not told <= frozenset[str]().union(*held)
