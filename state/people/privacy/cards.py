"""Card numbers in text: found in any script and grouping, and named by their last four digits.

Every sign is looked at a bounded number of times, whatever the text: the check digit of all windows
of a run of digits comes from two running sums.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

SHORTEST, LONGEST = 13, 19
"""Digits of a card number."""

_FIRST = frozenset("234568")
"""Digits that a card number may begin with."""

# Beginning and length, by issuer: Visa, Mastercard, American Express, Diners, JCB, Discover,
# UnionPay, Maestro, Mir. No more than four digits tell the issuer.
_CARD = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-59]|[689]\d)\d{11,16}|35\d{14,17}|(?:6011|64[4-9]\d|65\d\d)\d{12,15}"
    r"|(?:62|81)\d{14,17}|(?:50|5[6-9]|6\d)\d{11,17}|220[0-4]\d{12,15}"
)

_UNSEEN = (
    r"[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e01ef]*+"
)
_NARROW = re.compile(rf"{_UNSEEN}(?:[\s\-.\u00b7\u2010-\u2015\u2022\u2212/_*|~]{_UNSEEN}){{0,3}}+")
"""What people write between the groups of one number."""

_RUN = re.compile(rf"\d(?:(?:{_UNSEEN}(?:[^\w]|[_xX])){{0,8}}+{_UNSEEN}\d){{{SHORTEST - 1},}}+")
"""Digits with signs between that are no letters."""

_GROUP = re.compile(r"\d+")
_PRICE = re.compile(r"(?<![\d.])(\d{1,6})\.(\d\d)(?![\d.])")

_LEAST_GROUP = 4
"""Digits of each group but the last where anything may stand between them: a list of sizes is no
card."""

_EXPIRY_AND_CODE = frozenset(
    {(3,), (4,), (4, 3), (1, 2), (1, 4), (2, 2), (2, 4)}
    | {(*date, code) for date in ((1, 2), (1, 4), (2, 2), (2, 4), (4,)) for code in (3, 4)}
)
"""Lengths of the numbers that follow a card in the same breath: month, year, security code."""

_MOST_BESIDE = max(map(len, _EXPIRY_AND_CODE))

_PHONE = 15
"""Digits of a telephone number with its country code at most."""

_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)


def without_cards(text: str) -> str:
    """Write every card number in a text as `[card ending 1111]`.

    The month, year and security code that stand right behind one go with it.
    """
    return _RUN.sub(_rewritten, text)


def is_card(digits: str) -> bool:
    """Tell whether a card may have this number: its issuer, its length and its check digit."""
    return len(digits) in _lengths(digits[:4]) and _Sums(digits).check(0, len(digits))


def marked(digits: str) -> str:
    """Name a card by its last four digits."""
    return f"[card ending {digits[-4:]}]"


class _Sums:
    """The check sums of every window of some digits."""

    def __init__(self, digits: str) -> None:
        values = [int(digit) for digit in digits]
        doubled = [_DOUBLED[value] for value in values]
        self._by_parity = []
        for parity in (0, 1):
            mixed = values.copy()
            mixed[1 - parity :: 2] = doubled[1 - parity :: 2]
            self._by_parity.append(list(accumulate(mixed, initial=0)))

    def check(self, first: int, end: int) -> bool:
        """Tell whether the digits from one place to another end in their check digit."""
        sums = self._by_parity[(end - 1) & 1]
        return (sums[end] - sums[first]) % 10 == 0


class _Run:
    """The groups of digits of one run, and what stands between them."""

    def __init__(self, text: str, follows_plus: bool) -> None:
        self.text = text
        self.spans = [group.span() for group in _GROUP.finditer(text)]
        groups = [text[start:end] for start, end in self.spans]
        self.digits = _plain("".join(groups))
        self.at = list(accumulate(map(len, groups), initial=0))
        """Where each group begins among the digits, and where the last one ends."""
        self._ending = {end: number for number, end in enumerate(self.at[1:])}
        self._sums = _Sums(self.digits)
        prices = {at for one in _PRICE.finditer(text) for at in (one.start(1), one.start(2))}
        self._prices = list(accumulate((at in prices for at, _ in self.spans), initial=0))
        self._wide = [0, *accumulate(map(self._is_wide, range(1, len(self.spans))))]
        self._follows_plus = follows_plus

    def last_of_card(self, first: int) -> int | None:
        """Return the group that ends a card which begins with one; the longest card there is."""
        begins = self.at[first]
        if self.digits[begins] not in _FIRST:
            return None
        for length in _lengths(self.digits[begins : begins + 4]):
            last = self._ending.get(begins + length)
            if (
                last is not None
                and self._sums.check(begins, begins + length)
                and self._prices[first] == self._prices[last + 1]
                and (length > _PHONE or not self._is_phone(first))
                and self._is_one_number(first, last)
            ):
                return last
        return None

    def beside(self, last: int) -> int:
        """Return the last group of what belongs to a card that ends with one; itself if none."""
        end = last
        while end + 1 < len(self.spans) and self._wide[end + 1] == self._wide[end]:
            end += 1
            if end - last > _MOST_BESIDE:
                return last
        lengths = tuple(self._length(group) for group in range(last + 1, end + 1))
        return end if lengths in _EXPIRY_AND_CODE else last

    def _is_one_number(self, first: int, last: int) -> bool:
        if self._wide[first] == self._wide[last]:
            return True
        return all(self._length(group) >= _LEAST_GROUP for group in range(first, last))

    def _is_phone(self, group: int) -> bool:
        start = self.spans[group][0]
        return self.text[start - 1] == "+" if start else self._follows_plus

    def _is_wide(self, group: int) -> bool:
        between = self.text[self.spans[group - 1][1] : self.spans[group][0]]
        return between != " " and _NARROW.fullmatch(between) is None

    def _length(self, group: int) -> int:
        return self.at[group + 1] - self.at[group]


def _rewritten(found: re.Match[str]) -> str:
    """Rewrite a run of digits, in which a card may stand beside other numbers."""
    run = _Run(found.group(), found.string[max(found.start() - 1, 0) : found.start()] == "+")
    said: list[str] = []
    first, at = 0, 0
    while first < len(run.spans):
        last = run.last_of_card(first)
        if last is None:
            first += 1
            continue
        said += (
            run.text[at : run.spans[first][0]],
            marked(run.digits[run.at[last + 1] - 4 : run.at[last + 1]]),
        )
        last = run.beside(last)
        at, first = run.spans[last][1], last + 1
    return "".join([*said, run.text[at:]])


@lru_cache(maxsize=10_000)
def _lengths(first_four: str) -> Sequence[int]:
    """Return how long a card may be that begins so, the longest first."""
    return tuple(
        length
        for length in range(LONGEST, SHORTEST - 1, -1)
        if _CARD.fullmatch(first_four.ljust(length, "0"))
    )


def _plain(digits: str) -> str:
    """Write digits of any script as those from 0 to 9."""
    return digits if digits.isascii() else "".join(str(int(digit)) for digit in digits)
