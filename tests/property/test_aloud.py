"""An answer that is said while it comes is the beginning of the one that is stored."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from daybook.nodes.planning.proposed import words_kept
from daybook.nodes.prompt.aloud import Aloud
from daybook.tools.said.check import Hearing, untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Known, known
from daybook.tools.shop.named.removed import sieve_of
from daybook.tools.sieve import Sieve
from tests.unit.taken_out import state_after

KNOWN = known(
    ["BOOT-001 | Trail boot | 98.90 USD | 14 in stock", "SOCK-002 | Wool sock | 12.00 USD"],
    ["boots below 150 USD"],
    kinds=KINDS,
)

PARTS = [
    "Here is what I found.",
    "The trail boot costs 98.90 USD.",
    "The trail boot costs 55.00 USD.",
    "Together 110.90 USD:",
    "- Trail boot 98.90 USD",
    "- Wool sock 12.00 USD",
    "| a | b |",
    "## Boots",
    "1. BOOT-001",
    "I placed your order.",
    "Your order DB-12345678 is on its way!",
    "Ridge Boot is great. It is warm.",
    "e.g. this one",
    "Nr. 5 is what it says",
    "My card is 4111",
    "1111 1111 1111",
    "4111. 1111. 1111. 1111",
    "4111\n1111\n1111\n1111",
    "security code:\n123",
    "The key is sk-abcdefghijklmnop1234.",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE. Abc\n-----END RSA PRIVATE KEY-----",
    "Really?! Yes… no",
    "**Bold.** Then",
    "x" * 90,
    "word " * 100,
    "a\x00b \ud800.",
    "Wow![a](http://e) ![b](http://e)!",
    "s\u00adk-abcdefg\u200bhijklmnop1234",
    "the password\nhunter2. Cookie: a=12345678; b=1.",
]
TEXTS = st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=12)), max_size=8).flatmap(
    lambda parts: st.lists(
        st.sampled_from([" ", "\n", "\n\n", "", "  "]), min_size=len(parts), max_size=len(parts)
    ).map(lambda gaps: "".join(p + g for p, g in zip(parts, gaps, strict=True)))
)
NO_SIEVE: Callable[[], Sieve | None] = lambda: None  # noqa: E731
SIEVES = [NO_SIEVE, lambda: sieve_of(state_after(), "what else?")]


def stored(text: str, sieve: Sieve | None) -> str:
    kept = words_kept(text)
    return kept if sieve is None else sieve.feed(kept) + sieve.end()


@pytest.mark.parametrize("made", SIEVES)
@given(text=TEXTS, sizes=st.lists(st.integers(1, 30), min_size=1, max_size=9))
@example(text="Together 110.90 USD:Nr. 5 is what it says. So. Are. They. Now.", sizes=[1])
@example(text="x" * 90 + " 1. BOOT-001 1. BOOT-001 So. Are. They. Now.", sizes=[9])
@example(text="Security code is\n123. Yes. No", sizes=[7])
def test_what_is_said_is_the_beginning_of_what_is_stored(
    made: Callable[[], Sieve | None], text: str, sizes: list[int]
):
    aloud = Aloud(made(), Hearing(KNOWN, lambda *_: "").holds)
    said, at, size = "", 0, 0
    while at < len(text):
        step = sizes[size % len(sizes)]
        said += aloud.feed(text[at : at + step])
        at, size = at + step, size + 1
    whole = stored(text, made())
    assert whole.startswith(said)
    assert said == aloud.said
    assert not [one for one in untrue_in(whole, KNOWN) if one.end <= len(said)]
    at_once = Aloud(made(), Hearing(KNOWN, lambda *_: "").holds)
    at_once.feed(text)
    assert at_once.said == said, "it is the same however the text is dealt out"


def test_a_sum_is_said_when_its_rows_are_there_and_nothing_behind_what_is_not_so():
    aloud = Aloud(None, Hearing(KNOWN, lambda *_: "").holds)
    assert aloud.feed("I found two. Together 110.90 USD. ") == "I found two."
    assert aloud.feed("The boot is 98.90 USD. The sock is 12.00 USD. ") != ""
    assert aloud.feed("Your order DB-12345678 is on its way. That is ") == " The sock is 12.00 USD."
    assert aloud.feed("all. Anything else? I am here.") == ""


def test_an_amount_that_is_known_holds_whatever_is_said_behind_it():
    hearing = Hearing(Known(loose=frozenset({Decimal(7)})), lambda *_: "")
    assert hearing.holds("It is 7.00 USD.") == hearing.holds("It is 7.00 USD. Or 8.00 USD.") == 15
