"""An answer that comes bit by bit: in all the same, never taken back, and never what was removed."""

from hypothesis import given
from hypothesis import strategies as st

from daybook.tools.shop.named.removed import Sieve, sieve_of
from tests.unit.removed_phrasings import INNOCENT, RECOMMENDED
from tests.unit.taken_out import state_after, without_removed

SEPARATORS = [" ", "\n", "\n\n", "\n- ", "\n1. ", "\n2. ", "\n   - ", "  \n", "\n### ", "\n| ", ""]
SCRAPS = [
    "BOOT",
    "-001",
    "Pebble",
    "Strand",
    ".",
    ":",
    "e.g.",
    "It is dry.",
    "4.7",
    "\u2011",
    "**",
    "1.",
]

texts = st.lists(
    st.tuples(st.sampled_from([*RECOMMENDED, *INNOCENT, *SCRAPS]), st.sampled_from(SEPARATORS)),
    max_size=8,
).map(lambda parts: "".join(f"{text}{gap}" for text, gap in parts))

loose = st.text(st.sampled_from("BOT-01 \n.:1-#|*Pebl Strand!?\u2026)\t"), max_size=80)


def _sieve(turn: str) -> Sieve:
    sieve = sieve_of(state_after(turn=turn), "what else?")
    assert sieve is not None
    return sieve


@given(
    st.one_of(texts, loose),
    st.lists(st.integers(1, 12), max_size=60),
    st.sampled_from(["before", "now"]),
)
def test_however_it_is_dealt_out_it_is_the_filter_of_the_whole(
    text: str, cuts: list[int], turn: str
):
    whole = without_removed(state_after(turn=turn), "what else?", text)
    sieve, left, given_out = _sieve(turn), text, ""
    for size in cuts:
        given_out += sieve.feed(left[:size])
        assert whole.startswith(given_out)
        left = left[size:]
    given_out += sieve.feed(left)
    assert given_out + sieve.end() == whole


@given(st.lists(st.sampled_from(INNOCENT), min_size=1, max_size=1), st.integers(1, 9))
def test_sign_by_sign_nothing_innocent_is_lost(said: list[str], size: int):
    text = said[0]
    sieve = _sieve("before")
    parts = [sieve.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join(parts) + sieve.end() == text


@given(st.sampled_from(RECOMMENDED), st.sampled_from(["BOOT-002 is dry.", "Your cart is empty."]))
def test_what_stands_before_it_is_shown_and_it_is_not(recommended: str, said: str):
    told = without_removed(state_after(), "what else?", f"{said}\n\n{recommended}")
    assert told == said
