"""Nobody holds a server up with text: what it costs to redact grows as the text does.

Counted in steps, of the patterns and of our own lines; a clock would tell of the machine.
"""

import re
import sys
from collections.abc import Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.state.people.privacy import cards, redaction, secret_forms, unfolded
from daybook.state.people.privacy.redaction import redacted
from tests.matching import Search

STEPS, LINES = 100, 40
"""Of one pattern, and of our code, for each sign of a text."""

MODULES = (cards, redaction, secret_forms, unfolded)
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


def beginnings(pattern: str) -> list[str]:
    """Return a few texts that a pattern fits: of each of its branches the first."""
    return [_first(branch) for branch in _branches(parser.parse(pattern))]


def _branches(tree: Any) -> list[Any]:
    if len(tree) == 1 and tree[0][0] is op.BRANCH:
        return [*tree[0][1][1]]
    return [tree]


def _first(tree: Any) -> str:
    text = ""
    for kind, about in tree:
        if kind is op.LITERAL:
            text += chr(about)
        elif kind is op.IN:
            what, of = about[0]
            text += chr(of if what is op.LITERAL else of[0]) if what is not op.CATEGORY else "a"
        elif kind is op.BRANCH:
            text += _first(about[1][0])
        elif kind is op.SUBPATTERN:
            text += _first(about[3])
        elif kind in (op.MAX_REPEAT, op.POSSESSIVE_REPEAT):
            text += _first(about[2]) * about[0]
    return text


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


def look_aheads(tree: Any, is_within: bool = False) -> Iterator[Any]:
    """Yield how often each part that stands in a look-ahead may be repeated."""
    for kind, about in tree:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield from [about[1]] if is_within else []
            yield from look_aheads(about[2], is_within)
        elif kind is op.BRANCH:
            for branch in about[1]:
                yield from look_aheads(branch, is_within)
        elif kind is op.SUBPATTERN:
            yield from look_aheads(about[3], is_within)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from look_aheads(about[1], True)


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_no_pattern_looks_ahead_without_end(name: str):
    """What is only looked at is looked at again from the next place on.

    `daybook_daybook_...` took 133 ms for 40 kB, and four times as long for twice as much.
    """
    tree = parser.parse(PATTERNS[name].pattern, PATTERNS[name].flags)
    assert [most for most in look_aheads(tree) if most is op.MAXREPEAT] == []


@pytest.mark.parametrize(
    "begins", sorted({sign for form in secret_forms._FORMS for sign in beginnings(form.begins)})
)
def test_the_beginnings_of_tokens_cost_twice_as_much_where_there_are_twice_as_many(begins: str):
    few, many = (Search(PATTERNS["secret_forms._TOKEN"], begins * times) for times in (25, 50))
    few.spans(), many.spans()
    assert many.steps <= 2.2 * few.steps


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
