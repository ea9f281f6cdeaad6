"""Nobody holds a server up with text: what it costs to redact grows as the text does.

Counted in steps, of the patterns and of our own lines; a clock would tell of the machine.
"""

import re
import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.state.people.privacy import cards, redaction, secret_forms
from daybook.state.people.privacy.redaction import redacted
from tests.matching import Search

STEPS, LINES = 100, 40
"""Of one pattern, and of our code, for each sign of a text."""

MODULES = (cards, redaction, secret_forms)
PATTERNS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": one
    for module in MODULES
    for name, one in vars(module).items()
    if isinstance(one, re.Pattern)
}

PIECES = [
    *("4", "1", "12", " ", ", ", "    ", "\u200b", "\n", ".", "-", "+", "_", "x", "a", "f", "/"),
    *("131.90", "4111111111111111", "4111 ", "eyJaaaaaaaa.", "://a:b", "@", "sk-", "sk_live_"),
    *("-----BEGIN A ", "-----BEGIN PRIVATE KEY-----", "-----END ", "PRIVATE KEY", "AIza", "SG."),
    *(
        "password ",
        "is ",
        "for ",
        "my pin ",
        "code ",
        "cvv ",
        "of ",
        "=",
        '"',
        "basic ",
        "api key ",
    ),
    *(
        "authorization: ",
        "bearer ",
        "passphrase is ",
        "[secret]",
        "[card ending 1111]",
        "é",
        "\u0664",
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).flatmap(
    lambda pieces: st.tuples(
        st.integers(1, 300 // len("".join(pieces)) + 1), st.sampled_from(PIECES)
    ).map(lambda drawn: "".join(pieces) * drawn[0] + drawn[1])
)


@pytest.mark.parametrize("name", sorted(PATTERNS))
@given(text=TEXTS)
def test_no_pattern_takes_more_steps_than_a_few_for_each_sign(name: str, text: str):
    search = Search(PATTERNS[name], text)
    assert search.spans() == [one.span() for one in PATTERNS[name].finditer(text)]
    assert search.steps <= STEPS * (len(text) + 10)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [(r"\s+x", " " * 600), (r"(?:\d ?){2,}x", "1 " * 400)],
)
def test_a_pattern_that_is_slow_is_found_out(pattern: str, text: str):
    search = Search(re.compile(pattern), text)
    search.spans()
    assert search.steps > STEPS * (len(text) + 10)


@given(TEXTS, st.integers(1, 20))
def test_our_own_lines_are_few_for_each_sign(text: str, times: int):
    assert lines_of(lambda: redacted(text * times)) <= LINES * (len(text) * times + 10)


def lines_of(act: Any) -> int:
    """Count the lines of the modules under test that something runs."""
    files, count = {module.__file__ for module in MODULES}, 0

    def line(frame: FrameType, event: str, about: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, event: str, about: Any) -> Any:
        return line if frame.f_code.co_filename in files else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        act()
    finally:
        sys.settrace(before)
    return count
