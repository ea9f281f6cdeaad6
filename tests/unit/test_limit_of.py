"""Limits as they are written at the command line."""

import pytest

from daybook.app.cli.operations import limit_of
from daybook.state.errors import DaybookError
from daybook.state.people.rules import Limit


def test_a_limit_is_calls_per_seconds():
    assert limit_of("10/60") == Limit(10, 60)
    assert limit_of(" 1/1 ") == Limit(1, 1)


@pytest.mark.parametrize(
    "text", ["", "10", "0/60", "10/0", "-1/60", "1.5/60", "1/60/2", "1/9999999"]
)
def test_what_is_no_limit_is_refused_with_how_one_is_written(text: str):
    with pytest.raises(DaybookError, match=r"10/60 is 10 calls in 60 s"):
        limit_of(text)
