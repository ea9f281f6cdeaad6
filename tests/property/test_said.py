"""Answers held against what is known, whatever somebody wrote: none stops the machine."""

from hypothesis import given
from hypothesis import strategies as st

from daybook.tools.said.check import corrected, untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import known
from daybook.tools.said.text import sentences_in

ROWS = "r1 search ok: 1 hits\n1. BOOT-001 | Pebble Strand Boot | 98.90 USD | 14 in stock"
WORDS = st.sampled_from(
    [
        *(
            "order",
            "was",
            "been",
            "not",
            "placed",
            "your",
            "98.90",
            "USD",
            "BOOT-001",
            "DB-1234567",
        ),
        *(
            "s\u0130x",
            "twenty",
            "augu\u017ft",
            "you have \u017fix orders",
            "\u0661\u0662.\u0665\u0660",
            "²",
            "½",
            "\x00",
        ),
        *("nothing", "charged", "if", "- ", "\n", ".", "?", "14 in stock", "x2", "Pebble Strand"),
    ]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=60).map(" ".join))


@given(TEXTS, TEXTS)
def test_any_answer_is_judged_and_only_its_own_sentences_are_taken_out(answer: str, read: str):
    know = known([ROWS, read], [read], kinds=KINDS)
    found = untrue_in(answer, know)
    said = corrected(answer, found)
    assert all(one.so in said for one in found)
    places = [(one.start, one.end) for one in found]
    assert places == sorted(places)
    assert all(answer[start:end].strip() for start, end in places)
    if not found:
        assert said.split() == answer.split()


@given(st.text(alphabet="ab -1.", min_size=500, max_size=3_000))
def test_no_sentence_is_longer_than_a_sentence(text: str):
    parts = [*sentences_in(text)]
    assert all(len(one.text) <= 400 for one in parts)
    assert "".join("".join(one.text.split()) for one in parts) == "".join(text.split())
