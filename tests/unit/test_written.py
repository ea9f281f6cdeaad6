"""Arguments as they were decided, beside the form in which the database finds them."""

import json
from typing import Any

import pytest

from daybook.state.effects.written import kept, restored, unsendable

LEAN: list[dict[str, Any]] = [
    {},
    {"a": 1, "b": [1.5, True, None, "ö  x"], "cc": {"a": 1, "bb": 2}},
    {"n": 0.1, "small": 1e-7},
]
LOSSY: list[dict[str, Any]] = [
    {"b": 1, "a": 2},
    {"bb": 1, "a": 2},
    {"a": {"long": 1, "b": 2}},
    {"a": [{"z": 1, "b": 2}]},
    {"a": 1e16},
    {"a": -0.0},
    {"a": 1e300},
    {"a": "x\x00y"},
    {"k\x00": 1},
]


def test_the_text_stands_beside_arguments_that_the_database_would_give_back_otherwise():
    for args in LEAN:
        assert kept(args) == {"args": args}
    for args in LOSSY:
        payload = kept(args)
        assert payload["args"] == args
        assert payload["written"].isascii()
        assert "\x00" not in payload["written"]
    for args in (*LEAN, *LOSSY):
        assert json.dumps(restored(kept(args))) == json.dumps(args), "it is restored as written"


def test_what_holds_no_text_is_read_by_its_arguments():
    assert restored({"args": {"a": 1}}) == {"a": 1}
    assert restored({}) == {}


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"a": [1, 2**63 - 1, 1e300, -0.0, True, None, "ö\x00🥾"]}, None),
        ({"a": "\ud800"}, "half a character"),
        ({"\udfff": 1}, "half a character"),
        ([float("nan")], "NaN"),
        ({"a": {"b": float("-inf")}}, "NaN"),
        ([2**63], "too large"),
        ({"a": {1, 2}}, "set is no type of JSON"),
    ],
)
def test_what_cannot_be_sent_as_it_is_is_known(value: Any, why: str | None):
    found = unsendable(value)
    assert found is None if why is None else why in (found or "")
    nested: Any = 1
    for _ in range(2000):
        nested = [nested]
    assert unsendable(nested) == "they are nested too deeply"
