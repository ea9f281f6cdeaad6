"""The check of receipts on any text: it never fails, and its work grows with the text alone."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.state.receipts import ReceiptLine, ReceiptStatus
from daybook.tools.receipts.check import Known, check

SHAPES = (
    "order was been not placed your charged I've I'll Ihre Bestellung habe ich aufgegeben he pedido "
    "cancelado j'ai débité votre carte $131.90 131,90 € USD CH-1001 ORD-99 #4411 BOOT-013 | - ** ` : "
    ". ? \n ( ) ✅ s\u0130x \ufb01 \u0345 1Z999AA10123456784 https://a.example/X-99 a@b.example"
)
WORDS = st.sampled_from(SHAPES.split(" "))
TEXTS = st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=60).map(" ".join))
EFFECTS = st.lists(
    st.builds(
        ReceiptLine,
        kind=st.sampled_from(["charge", "place_order", "refund", "send_email", "unknown"]),
        id=st.sampled_from(["", "CH-1001"]),
        amount=st.sampled_from([None, 0, 13_190]),
        currency=st.sampled_from(["", "USD", "JPY"]),
        status=st.sampled_from(ReceiptStatus),
    ),
    max_size=4,
).map(tuple)
RECEIPT = ReceiptLine(
    kind="charge", id="CH-1001", amount=13_190, currency="USD", status=ReceiptStatus.DONE
)


@given(TEXTS, st.lists(TEXTS, max_size=3).map(tuple), EFFECTS)
def test_any_text_can_be_checked(text, shown, effects):
    for one in check(text, Known(shown, effects)):
        assert 0 <= one.start < one.end <= len(text)
        assert one.quote == text[one.start : one.end]
        assert one.correction


@given(st.lists(TEXTS, min_size=1, max_size=3), st.data())
def test_words_that_were_shown_hold_no_unknown_identifier(shown, data):
    words = " ".join(shown).split() or ["a"]
    text = " ".join(data.draw(st.lists(st.sampled_from(words), max_size=40)))
    found = check(text, Known(tuple(shown)))
    assert [one.quote for one in found if one.kind == "identifier"] == []


def _calls(text: str) -> int:
    """Count the Python calls that checking a text takes."""
    counted = 0

    def count(frame: object, event: str, arg: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    known = Known(("ORD-1001 charged 131.90 USD",), (RECEIPT,))
    sys.setprofile(count)
    try:
        check(text, known)
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize(
    "part",
    [
        "I charged $5.00 and ",
        "no order was placed ",
        "ORD-1 ",
        "A-",
        '"a',
        "(",
        "|a",
        "a@a.",
        "order number is the ",
        "I charged\n",
        "j'",
        "1,",
        "a",
    ],
)
def test_twice_the_text_takes_about_twice_the_calls(part):
    once, twice = _calls(part * 1_000), _calls(part * 2_000)
    assert twice <= 2.2 * once + 2_000
