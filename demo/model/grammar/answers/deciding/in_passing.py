"""Read a count that is said in passing: "two more kids signed up, so fourteen in total". Pure.

Nothing is changed by it: whether there shall be so many of what was spoken of last is asked.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from daybook.demo.model.grammar.answers.briefly import BESIDE_A_COUNT, CORRECTS, MORE
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.told import wants_nothing
from daybook.demo.model.grammar.language.intents.cart import Doubtful, SetQuantity
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Every, Sku
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.seen.scene import Scene

_ENDS: Final = frozenset({".", ",", "!", ";", ":", "\n", "so", "then", "make", "because"})
_PEOPLE: Final = frozenset("he she they says say said let final finally exactly".split())  # noqa: SIM905
_FOR: Final = ("for", "of")
_LONGEST: Final = 30
_INTO_CART: Final = re.compile(
    r"(?:^|[.,;!] |\b(?:so|please|then|and|\w+ss) )(?:in|into|to)(?: (?:my|the))? cart"
    r"(?: (\d|one|two|three))?(?: (?:please|then|now|thanks))*(?:$| ?[.,;!])"
)


def counted_in_passing(
    tokens: Sequence[Token], scene: Scene, *, done: bool
) -> tuple[Intent, ...] | None:
    """Return the question whether there shall be so many; None where a text tells no one count.

    With `done`, this turn has made it so many already.
    """
    texts = [token.text for token in tokens]
    if "?" in texts or len(tokens) > _LONGEST or wants_nothing(tokens):
        return None
    if len(scene.cart) > 1 and (each := _of_each(tokens)) is not None:
        return (SetQuantity(Every(), each),)
    into = _INTO_CART.search(" ".join(texts))
    if scene.focus is not None and into is not None and not ACTS & {*texts} - {"put"}:
        count = next((token.value for token in tokens if token.text == into[1]), 1)
        return (Doubtful("add", (Sku(scene.focus),), count),)
    counts = [found for part in _parts(tokens) if (found := _count(part)) is not None]
    if scene.focus is None or scene.together or len(counts) != 1:
        return None
    ((count, is_more),) = counts
    line = scene.in_cart(scene.focus)
    if line is None or is_more:
        return (Doubtful("add", (Sku(scene.focus),), count),)
    return (
        (Doubtful("set", (Sku(scene.focus),), count),) if done or count != line.quantity else None
    )


def _of_each(tokens: Sequence[Token]) -> int | None:
    """Return how many there shall be of each line of the cart: "make it 2 of each"."""
    known = BESIDE_A_COUNT | {"of", "take"}
    counts = [token.value for token in tokens if token.kind in (Kind.NUMBER, Kind.TIMES)]
    is_plain = all(token.kind is Kind.NUMBER or token.text in known for token in tokens)
    says = {"each", "make"} <= {token.text for token in tokens}
    return counts[0] if is_plain and says and len(counts) == 1 and counts[0] > 0 else None


def _parts(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in tokens:
        if token.text in _ENDS:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _count(part: Sequence[Token]) -> tuple[int, bool] | None:
    """Return the count of a part that holds nothing else, and whether so many more are meant."""
    texts = [token.text for token in part]
    whom = next((at for at, text in enumerate(texts) if at and text in _FOR), len(part))
    part = part if len(part) - whom > _MOST_OF_WHOM else part[:whom]
    counts = [token.value for token in part if token.kind in (Kind.NUMBER, Kind.TIMES)]
    if {"not", "no"} & set(texts):
        return None
    known = BESIDE_A_COUNT | MORE | CORRECTS | _PEOPLE
    rest = [token for token in part if token.kind not in (Kind.NUMBER, Kind.TIMES)]
    if len(counts) != 1 or not 0 < counts[0] < _SIZES or any(one.text not in known for one in rest):
        return None
    return counts[0], bool(MORE & {one.text for one in rest})


_MOST_OF_WHOM: Final = 4
_SIZES: Final = 35
"""A number from here on may be a size, or a price."""
