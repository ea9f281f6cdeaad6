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
        ("redis://:hunter2@cache", "redis://[secret]@cache"),
        ("+4111 1111 1111 1111", "+[card ending 1111]"),
        ("my password is hunter2, boots please", "my password is [secret], boots please"),
        ("pin is 4921", "pin is [secret]"),
        ("my token is 3f9a8b7c6d5e", "my token is [secret]"),
        ("secret=s3cr3tvalue", "secret=[secret]"),
        ('{"api_key":"zzz12345"}', '{"api_key":"[secret]"}'),
        ("mein Passwort ist Sommer24", "mein Passwort ist [secret]"),
        ("my pin is 4711", "my pin is [secret]"),
        ("the PIN code: 471147", "the PIN code: [secret]"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIbPxRfiCYEXAMPLEKEY", "AWS_SECRET_ACCESS_KEY=[secret]"),
        ("api key is 0123456789abcdef", "api key is [secret]"),
        ("Authorization: Basic YWRhOmh1bnRlcjI=", "Authorization: Basic [secret]"),
        ("authorization: bearer  abcdefghijklmnop", "authorization: bearer  [secret]"),
        ("PGPASSWORD=hunter2", "PGPASSWORD=[secret]"),
        ('{"cvc":"123"}', '{"cvc":"[security code]"}'),
        ("my OTP is 123456", "my OTP is [secret]"),
    ],
)
def test_what_stands_beside_it_is_told_apart(typed: str, kept: str):
    assert redacted(typed) == kept


@pytest.mark.parametrize(
    "token",
    [
        # In two pieces: no scanner of this repository is to take them for true ones.
        *("sk_live_" + "51H8abcdEFGHijkl", "rk_test_" + "51H8abcdEFGHijkl"),
        *("AIza" + "SyA1234567890abcdefghijklmnopqrstuv", "AKIA" + "IOSFODNN7EXAMPLE"),
        *("glpat-" + "abcdefghij0123456789", "ghp_" + "abcdefghij0123456789ABCDEF"),
        *("hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH", "xoxb-" + "123456789012-abcdefghij"),
        *("whsec_" + "abcdefghij0123456789", "lsv2_pt_" + "0123456789abcdef_0123"),
        "npm_" + "abcdefghij0123456789ABCDEFGHIJ012345",
        "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiJhZGEifQ.abc-def_ghi",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----",
    ],
)
def test_a_token_is_taken_out_by_the_form_that_its_maker_gives_it(token: str):
    assert redacted(f"use {token}, please") == "use [secret], please"


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
        "m1-62773004-8688-4018-80a1-c8f11c01f916",
        "user_68134952-7129-4213-bc2d-b6e17e2f73d9",
        "1763756640000 and 1763756640000000",
        "4111 1111 1111 1112",
        "which of 27.65 / 55.56 / 12.50 / 29.79 / 172.56 / 116.67 is it?",
        "122.38 50.04 39.33 15.98 29.76 62.23",
        "from 2026-11-21T20:10:45 to 2026-11-22T08:00:00",
        "what is in my bearer bag? a bearer of 12 skis",
        "sizes 41, 42, 43, 44, 45, 46, 47, 48 and 4; 5; 4; 5; 5; 3; 4; 4; 5; 5; 4; 4; 5; 4; 5; 5",
        "at 20:10:45, 20:11:45, 20:12:45 and 1,299.00 + 4,999.00 = 6,298.00",
        "a basic waterproof jacket with basic accessories",
        "the password's strength counts, the key is waterproof, my token is lost",
        "the pin is 40 mm long, BOOT-001 is the key to it",
        "my password is not needed, is it? The password is wrong. Password: required",
        "card numbers, security codes and passwords are not kept here",
        "a pin: 12 of them; the pin is 4 cm long; the tent pin code of conduct",
        "sk-8 and SK-2023, npm_config_registry, hf_hub, daybook_spans_lost_total, key-value",
        "the passphrase is not kept; a recovery phrase is needed",
        "the API key is missing, the access token was refused",
        "a pin 1234 mm long, tent pin 10 pack, an 8-pin 12345 plug, pins 1000 and 2000, spin 1234.",
        "pin code 10115 Berlin, postal pin 110001, a hiking pin 2024 edition, SKU PIN-1234",
        "tracking 1Z999AA10123456784, JD014600003828392837, 772901823746 and 420 10118 9205 5901",
        "EAN 4006381333931, ISBN 978-3-16-148410-0, GTIN 04012345123456, thread 01J9Z3NDEKTSV4RRFFQ6",
        "100% cotton, 20%30%40%, 1234%2C5678 and https://x/?q=boots%20under%20150&sku=BOOT-013",
        "https://x/?from=2026-11-21T20%3A10%3A45&to=2026-11-22T08%3A00%3A00.123456Z",
        "\u2460\u2461\u2462\u2463\u2464\u2465\u2466\u2467\u2468\u2469, 10\u00b2, H\u2082O, \u00bd, step \u2460 and \u2461",
        "one two three four five six seven eight nine, two of four boots and one of the socks",
        "http://localhost:8080/a@b, https://ada@x.net/, git@github.com:ada/x.git, ada@x.net:25",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "the bearer token is missing, a bearer of responsibilities, that is my password",
        "the cvv is on the back, which is the pin, 12 is our number, 1234 is the order",
        "C:\\new\\table 100&nbsp;km <b>bold</b> \\u0041",
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
        "-eyJaaaaaaaa" * 20_000,
        "4 " * 30_000,
        "1.5 -" * 30_000,
        "4111111111111111 " * 15_000,
        "password is " * 15_000,
        "://a:b" * 30_000,
        "-----BEGIN PRIVATE KEY-----" * 7_000,
        "12345678-1234-" * 14_000,
    ],
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
    with pytest.raises(InputRefused, match="card number"):
        checked_input({"events": [{**event, "id": CARDS[0]}]})


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"password": "hunter2"}, {"password": "[secret]"}),
        ({"a": [{"client_secret": "abcd1234efgh"}]}, {"a": [{"client_secret": "[secret]"}]}),
        ({"apiKey": "0123456789abcdef"}, {"apiKey": "[secret]"}),
        (
            {"cvc": 123, "security_code": "1234"},
            dict.fromkeys(("cvc", "security_code"), "[security code]"),
        ),
        ({"pin": "4711", "otp": 123456}, {"pin": "[secret]", "otp": "[secret]"}),
        ({"password": "required", "pin": None}, {"password": "required", "pin": None}),
        ({"password": {"type": "string"}}, {"password": {"type": "string"}}),
        (
            {"code": "1234", "key": "BOOT-013", "token": 7},
            {"code": "1234", "key": "BOOT-013", "token": 7},
        ),
        ({"text": "my password is hunter2"}, {"text": "my password is [secret]"}),
        (
            {"passenger": "Ada Lovelace 1815", "keyword": "boots"},
            {"passenger": "Ada Lovelace 1815", "keyword": "boots"},
        ),
    ],
)
def test_a_value_is_a_secret_by_the_name_that_it_stands_under(given: object, kept: object):
    assert redacted(given) == kept
    assert redacted(kept) == kept
