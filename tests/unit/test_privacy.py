"""What a person types and nobody may keep."""

import pytest

from daybook.state.errors import InputRefused
from daybook.state.people.privacy import lacks_something, redacted
from daybook.state.run_input import checked_answer, checked_input

CARDS = [
    "4111111111111111",
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "4111 - 1111 - 1111 - 1111",
    "4111\u00a01111\u00a01111\u00a01111",
    "4111\u20131111\u20131111\u20131111",
    "4111\u200b1111\u200b1111\u200b1111",
    "41111 11111 11111 1",
    "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
    "\uff14\uff11\uff11\uff11 \uff11\uff11\uff11\uff11 \uff11\uff11\uff11\uff11 \uff11\uff11\uff11\uff11",
    "\u0664\u0661\u0661\u0661 \u0661\u0661\u0661\u0661 \u0661\u0661\u0661\u0661 \u0661\u0661\u0661\u0661",
    "5555 5555 5555 4444",
    "2223 0031 2200 3222",
    "3782 822463 10005",
    "3056 930902 5904",
    "6011 1111 1111 1117",
    "3566 0020 2036 0505",
    "6200 0000 0000 0005",
    "6759 6498 2643 8453",
    "4222222222222",
    "4000 0000 0000 0000 006",
    "\u202a4111\u200e1111\u200e1111\u200e1111\u202c",
    "4111\u200b\u200b\u200b\u200b\u200b111111111111",
    "4111\u00b71111\u00b71111\u00b71111",
    "\ufe0f\u20e3".join("4111111111111111"),
]


def test_a_card_number_leaves_its_last_four_digits():
    for card in CARDS:
        digits = "".join(str(int(sign)) for sign in card if sign.isdecimal())
        said = redacted(f"Pay with {card}, please.")
        assert said.replace("\u202a", "").replace("\u202c", "") == (
            f"Pay with [card ending {digits[-4:]}], please."
        )
        assert lacks_something(said)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("visa4111111111111111", "visa[card ending 1111]"),
        ("4111 1111 1111 1111 12/27 123", "[card ending 1111]"),
        (
            "4111111111111111, exp 12/27, cvc: 123",
            "[card ending 1111], exp 12/27, cvc: [security code]",
        ),
        ("My CVV is 1234.", "My CVV is [security code]."),
        ("cvv code is 123", "cvv code is [security code]"),
        ("CVC (123)", "CVC ([security code])"),
        ("the security number: 123", "the security number: [security code]"),
        ("2 4111111111111111", "2 [card ending 1111]"),
        ("4111111111111111\n2 pairs", "[card ending 1111]\n2 pairs"),
        ("81 3782 8224 6310 005", "[card ending 0005]"),
        ("4111 1111 1111 1111 12.27 123", "[card ending 1111]"),
        ("4111 1111 1111 1111 131.90", "[card ending 1111] 131.90"),
        ("4111.1111 1111.1111", "[card ending 1111]"),
        ("4111.1111.1111.1111 at 12.50", "[card ending 1111] at 12.50"),
        ("4111111111111111 or 5555555555554444", "[card ending 1111] or [card ending 4444]"),
        ("4111111111111111 5555555555554444", "[card ending 1111] [card ending 4444]"),
        ("key sk-proj-abcdefghijklmnopqrst", "key [secret]"),
        ("token daybook_abcdefghijklmnop1234", "token [secret]"),
        ("Authorization: Bearer abcdefghijklmnop1234==", "Authorization: Bearer [secret]"),
        ("postgresql://ada:hunter2@db/shop", "postgresql://[secret]@db/shop"),
    ],
)
def test_what_stands_beside_it_is_told_apart(typed: str, kept: str):
    assert redacted(typed) == kept


@pytest.mark.parametrize(
    "text",
    [
        "I need waterproof hiking boots under 150",
        "order DB-54398636, 131.90 USD charged to card_ada_1",
        "2 x BOOT-013 at 131.90 = 263.80 USD, then SOCK-002 x2: 36.00",
        "call +49 151 12345678 or +1 (415) 555-0132",
        "call 0049 151 1234567890",
        "+378282246310005",
        "the hash is 4111111111111111aaaaaaaa",
        "54398636-4111-1111-1111-111111111111",
        "1763756640000 and 1763756640000000",
        "4111 1111 1111 1112",
        "which of 27.65 / 55.56 / 12.50 / 29.79 / 172.56 / 116.67 is it?",
        "122.38 50.04 39.33 15.98 29.76 62.23",
        "from 2026-11-21T20:10:45 to 2026-11-22T08:00:00",
        "what is in my bearer bag? a bearer of 12 skis",
        "",
    ],
)
def test_what_is_no_card_and_no_secret_stays(text: str):
    assert redacted(text) == text
    assert not lacks_something(text)


@pytest.mark.parametrize(
    "text",
    [
        "cvv" + " " * 300_000 + "x",
        "-eyJaaaaaaaa" * 50_000,
        "1 " * 60_000,
        "4111111111111111 " * 15_000,
    ],
    ids=["blanks", "tokens", "digits", "cards"],
)
def test_text_that_is_made_to_be_slow_is_read_once(text: str):
    """Read over and over, each of these would hold a server up for many minutes."""
    assert len(redacted(text)) > 0


def test_it_is_taken_out_however_deep_it_stands():
    given = {
        "4111111111111111": [{"card": 4111111111111111, "n": 3}, ("x 4111 1111 1111 1111", True)]
    }
    assert redacted(given) == {
        "[card ending 1111]": [
            {"card": "[card ending 1111]", "n": 3},
            ["x [card ending 1111]", True],
        ]
    }
    plain = {"a": [1, 2.5, None, True, float("inf")], "b": {"c": "d"}}
    assert redacted(plain) == plain


def test_the_door_takes_it_out_of_words_events_and_answers_and_refuses_it_as_an_id():
    said = checked_input({"messages": [{"role": "user", "content": f"pay with {CARDS[1]}"}]})
    assert said["messages"][0].content == "pay with [card ending 1111]"
    event = {"id": "click-1", "type": "note", "text": CARDS[1]}
    assert checked_input({"events": [event]})["events"][0]["text"] == "[card ending 1111]"
    answer = {"decisions": [{"type": "reject", "message": CARDS[0]}]}
    assert "4111" not in str(checked_answer(answer))
    with pytest.raises(InputRefused, match="no card number"):
        checked_input({"events": [{**event, "id": CARDS[0]}]})
