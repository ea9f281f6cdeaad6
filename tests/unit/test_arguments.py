"""Arguments: kept and read without loss, and taken from earlier results."""

from typing import Any

import pytest

from daybook.state.effects.bind import Binding, fill, take, take_all, take_into
from daybook.state.effects.exact import Inexact, inexact, read_exactly, unkept, unsendable

DEEP = 100_000


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not JSON"),
        (b"<html>", "not JSON"),
        (b'{"a": 1', "not JSON"),
        (b'{"a": 1} {"a": 1}', "not JSON"),
        (b'{"a": NaN}', "invalid number"),
        (b'{"a": -Infinity}', "invalid number"),
        (b'{"a": 1e999}', "invalid number"),
        (b'{"a": 1, "a": 2}', "contains a field twice"),
        (b'{"b": [{"a": 1, "a": 1}]}', "contains a field twice"),
        (b'{"a": "\\u0000"}', "NUL"),
        (b'{"\\u0000": 1}', "NUL"),
        (b'{"a": "\\ud800"}', "lone surrogate"),
        (b'{"a": 18446744073709551616}', "too large"),
        (b'{"a": -9223372036854775809}', "too large"),
        (b'{"a": 1e300}', "too large"),
        (b'{"a": ' + b"9" * 400 + b"}", "too large"),
        (b'{"a": ' + b"9" * 9000 + b"}", "too large"),
        (b"[" * 40 + b"]" * 40, "too deeply"),
        (b"[" * DEEP + b"]" * DEEP, "too deeply"),
        (b'{"a":' * DEEP + b"1" + b"}" * DEEP, "too deeply"),
        (b'{"a": "\xff"}', "not in UTF-8"),
        ('{"a": "ä"}'.encode("latin-1"), "not in UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "not in UTF-8"),
    ],
)
def test_what_would_be_changed_by_being_kept_is_not_read(content: bytes, why: str):
    with pytest.raises(Inexact, match=why):
        read_exactly(content)


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 2**63, "\x00", "\udfff", {"\x00": 1}]
)
def test_what_cannot_be_kept_is_found_wherever_it_stands(value: Any):
    assert inexact({"a": [{"b": (value,)}]}) is not None


@pytest.mark.parametrize(
    ("value", "unsent", "lost"),
    [
        ({"a": [1, 2**63 - 1, -0.0, True, None, "ö\x00🥾"]}, "", ""),
        ({"a": [1e300]}, "", "too large"),
        ({"a": "\ud800"}, "lone surrogate", ""),
        ({"\udfff": 1}, "lone surrogate", ""),
        ([float("nan")], "NaN", ""),
        ({"a": {"b": float("-inf")}}, "NaN", ""),
        ([2**63], "too large", "too large"),
        ({"a": {1, 2}}, "set is not a JSON type", ""),
    ],
)
def test_what_cannot_be_sent_as_it_is_and_what_no_checkpoint_holds_is_known(
    value: Any, unsent: str, lost: str
):
    for found, why in ((unsendable(value), unsent), (unkept(value), lost)):
        assert why in (found or "")
        assert (found is None) is not bool(why)
    nested: Any = 1
    for _ in range(2000):
        nested = [nested]
    assert unsendable(nested) == unkept(nested) == "it is nested too deeply"


RESULTS = {"a": {"id": 1, "name": "x"}, "b": {"id": 2}}


def test_a_template_has_one_place_for_each_value_and_other_braces_stay_as_they_are():
    assert fill("{x} {} {0}", ["v"]) == "{x} v {0}"
    for values in ([], ["a", "b"]):
        with pytest.raises(ValueError, match=r"zip\(\)"):
            fill("{}", values)


@pytest.mark.parametrize(
    "binding", [take("c", "id"), take_all(["a", "c"], "id"), take("b", "name")]
)
def test_a_value_that_is_not_there_yet_raises(binding: Binding):
    with pytest.raises(KeyError):
        binding.value(RESULTS)


@pytest.mark.parametrize(
    ("binding", "shown"),
    [
        (take("charge", "charge_id"), "<charge_id of charge>"),
        (take_all(["r1", "r2"], "hold_id"), "<hold_id of r1>, <hold_id of r2>"),
        (take_into("Your order {}", "order", "order_id"), "Your order <order_id of order>"),
    ],
)
def test_a_binding_is_shown_as_where_its_value_comes_from_and_read_back_as_it_was(binding, shown):
    assert str(binding) == shown
    assert Binding.model_validate(binding.model_dump(mode="json")) == binding
