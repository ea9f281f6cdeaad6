"""JSON is read only where nothing is lost by reading and keeping it."""

from typing import Any

import pytest

from daybook.state.effects.exact import Inexact, inexact, read_exactly

DEEP = 100_000


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not JSON"),
        (b"<html>", "not JSON"),
        (b'{"a": 1', "not JSON"),
        (b'{"a": 1} {"a": 1}', "not JSON"),
        (b'{"a": NaN}', "is none"),
        (b'{"a": -Infinity}', "is none"),
        (b'{"a": 1e999}', "is none"),
        (b'{"a": 1, "a": 2}', "names a field twice"),
        (b'{"b": [{"a": 1, "a": 1}]}', "names a field twice"),
        (b'{"a": "\\u0000"}', "NUL"),
        (b'{"\\u0000": 1}', "NUL"),
        (b'{"a": "\\ud800"}', "half a character"),
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
    "value", [9223372036854775807, -9223372036854775808, 0.1, -0.0, "鞋", True, None, [{"a": []}]]
)
def test_what_can_be_kept_is_kept(value: Any):
    assert inexact({"a": value}) is None


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 2**63, "\x00", "\udfff", {"\x00": 1}]
)
def test_what_cannot_be_kept_is_found_wherever_it_stands(value: Any):
    assert inexact({"a": [{"b": (value,)}]}) is not None
