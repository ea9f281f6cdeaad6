"""A wish into which a word slipped that may alter it: the cart becomes as was wanted, or is asked.

Numbers, negations, conditions, goods and other verbs are put anywhere into sentences that are
understood. Nothing else may come of that than the very change, a smaller part of it, or none.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.demo.model.grammar.language.chat.frames.reading import CHANGES
from daybook.demo.model.grammar.language.chat.names import MODELS
from daybook.demo.model.grammar.language.intents.cart import Add, SetQuantity
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Named, Sku
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.shop.seeded.assortment.names import PLACES

WISHES = st.sampled_from(
    [
        "whack BOOT-004 in the basket",
        "i reckon i will have BOOT-004",
        "bin BOOT-004 for me",
        "pop 2 pairs of BOOT-004 in there",
        "BOOT-004 goes in my cart",
        "bump BOOT-004 up to 4",
        "two BOOT-004 and three SOCK-002 for the lads",
        "get shot of the lot, kick BOOT-004 out",
        "chuck out everything except BOOT-004",
        "swap BOOT-004 for SOCK-002",
    ]
)
TURNS = st.sampled_from(
    [
        "not",
        "never",
        "unless",
        "if",
        "maybe",
        "but",
        "except",
        "without",
        "or",
        "seven",
        "5",
        "tent",
        "swift-river",
        "SOCK-009",
        "later",
        "no",
        "instead",
        "remove",
        "keep",
    ]
)


def changes(text: str) -> list[Intent]:
    return [one for one in understand(text) if isinstance(one, CHANGES)]


@given(WISHES, TURNS, st.integers(0, 12))
def test_a_word_that_may_alter_a_wish_never_makes_another_change(wish: str, turn: str, at: int):
    words = wish.split()
    words.insert(at, turn)
    wanted = changes(wish)
    for made in changes(" ".join(words)):
        assert made in wanted or _says(made, turn), " ".join(words)


def _says(made: Intent, turn: str) -> bool:
    """Tell whether a change is another one only by what the word itself says of it."""
    match made:
        case Add(Named(words)):
            return turn.split("-")[0] in words
        case Add(Sku(sku), quantity) | SetQuantity(Sku(sku), quantity):
            return sku == turn or quantity in (5, 7)
        case _:
            return turn in ("remove", "keep") or turn.isupper()


@pytest.mark.parametrize("places", [PLACES])
def test_the_names_are_those_of_the_shop(places: tuple[str, ...]):
    assert tuple(sorted(place.lower() for place in places)) == MODELS
