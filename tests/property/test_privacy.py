"""No card number gets through, and nothing else is touched."""

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from daybook.state.people.privacy import redacted

SEPARATORS = ["", " ", "-", " - ", "\u00a0", "\u2013", "\u200b"]
ZEROS = ["0", "\u0660", "\u0966", "\uff10"]
LENGTHS = {
    **{"4": 16, "51": 16, "55": 16, "2221": 16, "34": 15, "37": 15},
    **{"36": 14, "6011": 16, "65": 19, "35": 16, "62": 17, "50": 13},
}


@st.composite
def cards(draw: st.DrawFn) -> str:
    """Draw a number that a card may have."""
    first = draw(st.sampled_from(sorted(LENGTHS)))
    rest = LENGTHS[first] - len(first) - 1
    digits = first + draw(st.text("0123456789", min_size=rest, max_size=rest))
    doubled = "".join(d if i % 2 else str(2 * int(d)) for i, d in enumerate(reversed(digits)))
    return digits + str(-sum(map(int, doubled)) % 10)


@given(cards(), st.data())
def test_a_card_is_recognised_in_any_script_and_grouping(card: str, data: st.DataObject):
    zero = ord(data.draw(st.sampled_from(ZEROS)))
    between = data.draw(st.sampled_from(SEPARATORS))
    width = data.draw(st.sampled_from([1, 4, 5, len(card)]))
    gaps = [between if place % width == width - 1 else "" for place in range(len(card))]
    typed = "".join(chr(zero + int(d)) + gap for d, gap in zip(card, gaps, strict=True))
    around = st.text(
        st.characters(exclude_categories=["Nd", "Cs"], exclude_characters="+"), max_size=8
    )
    before, after = data.draw(around), data.draw(around)
    assume(not re.search(r"[0-9a-f-]$", before, re.I) and not re.search(r"^[0-9a-f-]", after, re.I))
    said = redacted(f"{before}{typed.rstrip(''.join(SEPARATORS))}{after}")
    assert f"[card ending {card[-4:]}]" in said
    assert not any(sign.isdecimal() for sign in said.replace(f"[card ending {card[-4:]}]", ""))


@given(
    st.lists(
        st.one_of(
            st.from_regex(r"DB-[0-9]{8}", fullmatch=True),
            st.from_regex(r"[A-Z]{4}-[0-9]{3}", fullmatch=True),
            st.from_regex(r"[0-9]{1,7}\.[0-9]{2} USD", fullmatch=True),
            st.from_regex(r"\+[1-9][0-9]{0,2} [0-9]{3} [0-9]{3}-[0-9]{4}", fullmatch=True),
            st.from_regex(r"(H|CH|R)-[0-9]{4,6}", fullmatch=True),
            st.builds("{}{}".format, st.sampled_from(("", "m1-", "user_")), st.uuids()),
            st.from_regex(r"[0-9a-f]{24}", fullmatch=True),
            st.datetimes().map(lambda at: at.isoformat(timespec="seconds")),
        ),
        max_size=6,
    )
)
def test_orders_skus_amounts_phones_and_ids_stay(words: list[str]):
    text = ", ".join(words)
    assert redacted(text) == text


@given(st.text())
def test_to_take_out_again_changes_nothing(text: str):
    assert redacted(redacted(text)) == redacted(text)
