"""Names of business operations, normal forms and hashes."""

import hashlib

import pytest

from daybook.state.effects import keys
from daybook.state.shop.cart import cart_id, checkout_id


def test_a_retry_of_the_same_turn_gets_the_same_names():
    assert keys.turn_op("t", "m", 0, 1, "x") == keys.turn_op("t", "m", 0, 1, "x")
    assert keys.plan_id("t", "m", 0, [], 1, "") == keys.plan_id("t", "m", 0, [], 1, "")
    assert cart_id("t", "m", "USD") == cart_id("t", "m", "USD")
    assert checkout_id("usd-x", 1) == checkout_id("usd-x", 1)


def test_names_stay_the_same_from_release_to_release():
    """An idempotency key that changes with a release would charge twice."""
    cart = cart_id("thread", "turn", "USD")
    assert cart == "usd-8eda5edc-c1ba-5783-a70f-333178f3986c"
    assert checkout_id(cart, 1) == "usd-cbcbeb7f-4348-5ec8-8adb-b74f68497f7b"
    assert keys.digest({"b": 1, "a": ["x", None]}) == (
        hashlib.sha256(b'{"a":["x",null],"b":1}').hexdigest()
    )


@pytest.mark.parametrize(
    ("args", "normal"),
    [
        ({"a": None, "b": 1}, {"b": 1}),
        ({"a": "  two   words "}, {"a": "two words"}),
        ({"a": "tab\tand  space"}, {"a": "tab and space"}),
        ({"a": " line 1\n  line 2 \n"}, {"a": "line 1\n  line 2"}),
        ({"a": (1, "  x ")}, {"a": [1, "x"]}),
        ({"a": {"b": " x  y "}}, {"a": {"b": "x y"}}),
        ({"a": 0, "b": False, "c": ""}, {"a": 0, "b": False, "c": ""}),
        ({}, {}),
    ],
)
def test_arguments_are_brought_to_their_normal_form(args, normal):
    assert keys.normalise(args) == normal


def test_a_payload_is_hashed_with_its_salt():
    assert keys.salted({"a": 1}, b"salt") == hashlib.sha256(b'salt{"a":1}').digest()
    assert keys.salted({"a": 1}, b"other") != keys.salted({"a": 1}, b"salt")


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("a\x00b", "ab"),
        ("a\ud800b", "ab"),
        ({"k\x00": ["x\x00", {"y": "\udfff"}]}, {"k": ["x", {"y": ""}]}),
        ({"n": 1, "none": None, "yes": True, "text": "ö 🥾\n"}, None),
    ],
)
def test_what_postgres_cannot_hold_is_dropped_from_all_text_and_nothing_else(value, kept):
    assert keys.storable(value) == (value if kept is None else kept)
