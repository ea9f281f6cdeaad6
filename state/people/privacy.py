"""What nobody needs to keep: card numbers, their security codes, and secrets that open something.

Taken out at the door, before anything of it is stored, and of what a model writes. A card is named
by its last four digits; whoever pays does it with a card on file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

NOT_KEPT = (
    "Card numbers, security codes and passwords are not kept here: yours was taken out of what you "
    "wrote before it was stored. Pay with a card on file, by its name or its last four digits."
)
"""Said to a person who typed one."""

_SECRET = "[secret]"
_SECURITY_CODE = "[security code]"

# Between digits: blanks, dashes, dots and the like, at most three; and what is not seen at all.
_UNSEEN = (
    r"[\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3"
    r"\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]*"
)
_GAP = rf"{_UNSEEN}(?:[\s\-.\u00b7\u2010-\u2015\u2022\u2212/_*|~]{_UNSEEN}){{0,3}}"
_DIGITS = re.compile(rf"\d(?:{_GAP}\d){{12,}}")
_GROUP = re.compile(r"\d+")
_PRICE = re.compile(r"(?<![\d.])(\d{1,6})\.(\d\d)(?![\d.])")

# A hash or a UUID may hold many digits in a row.
_ID = re.compile(
    r"\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[0-9]*[a-f])[0-9a-f]{20,})\b", re.I
)

# Bounded, and no part can take what the next one could: text that nearly fits is read once.
_CODE = re.compile(
    r"\b((?:cvc2?|cvv2?|cid|csc|(?:card )?security (?:code|number)"
    r"|card (?:code|verification (?:code|number|value)))"
    r"(?:\s{0,3}(?:code|number|is|of|[:=#(-])){0,3}\s{0,3})\d{3,4}(?!\d)",
    re.I,
)

_SECRETS = re.compile(
    r"""
    -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----.*?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z)
    | (?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*                   # a JSON web token
    | (?<![A-Za-z0-9])sk-[\w-]{16,}                              # keys of model providers
    | (?<![A-Za-z0-9])daybook_[\w-]{16,}                         # our own
    | (?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|xox[abprs]-)[\w-]{16,}
    | \b(?:AKIA|ASIA)[0-9A-Z]{16}\b
    | (?i:(?<=\bbearer\ ))[\w.~+/-]{16,}=*
    | (?<=://)[^\s/:@]+:[^\s/@]+(?=@)                            # user and password in a URL
    """,
    re.VERBOSE | re.DOTALL,
)

# Beginning and length, by issuer: Visa, Mastercard, American Express, Diners, JCB, Discover,
# UnionPay, Maestro, Mir.
_CARD = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-59]|[689]\d)\d{11,16}|35\d{14,17}|(?:6011|64[4-9]\d|65\d\d)\d{12,15}"
    r"|(?:62|81)\d{14,17}|(?:50|5[6-9]|6\d)\d{11,17}|220[0-4]\d{12,15}"
)

_SHORTEST, _LONGEST = 13, 19
"""Digits of a card number."""

_LEAST = 10 ** (_SHORTEST - 1)

_FIRST = frozenset("234568")
"""Digits that a card number may begin with."""

_MARK = re.compile(r"\[card ending \d{4}\]|\[secret\]|\[security code\]")

_EXPIRY_AND_CODE = frozenset(
    {(3,), (4,), (4, 3), (1, 2), (1, 4), (2, 2), (2, 4)}
    | {(*date, code) for date in ((1, 2), (1, 4), (2, 2), (2, 4), (4,)) for code in (3, 4)}
)
"""Lengths of the numbers that follow a card in the same breath: month, year, security code."""

_MOST_BESIDE = max(map(len, _EXPIRY_AND_CODE))

_PHONE = 15
"""Digits of a telephone number with its country code at most."""


def redacted(value: Any) -> Any:
    """Take card numbers and secrets out of text, however deep in a JSON value it stands.

    A number of 13 to 19 digits that a card may have (its first digits, its length, its check digit)
    becomes `[card ending 1111]`: digits of any script, with blanks or dashes between.

    Returns:
        The same value where there is nothing to take out; text where a card was a number.
    """
    if isinstance(value, str):
        return _redacted(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _marked(f"{value:.0f}") if value >= _LEAST and _is_card(f"{value:.0f}") else value
    if isinstance(value, Mapping):
        return {redacted(key): redacted(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(item) for item in value]
    return value


def lacks_something(text: str) -> bool:
    """Tell whether something was taken out of a text."""
    return _MARK.search(text) is not None


def _redacted(text: str) -> str:
    text = _CODE.sub(rf"\1{_SECURITY_CODE}", _SECRETS.sub(_SECRET, text))
    parts = _ID.split(text)
    ids = _ID.findall(text)
    shown = [_DIGITS.sub(_without_cards, part) for part in parts]
    return "".join(part + id_ for part, id_ in zip(shown, [*ids, ""], strict=True))


def _without_cards(run: re.Match[str]) -> str:
    """Rewrite a run of digits, in which a card may stand beside other numbers."""
    text, said, at = run.group(), "", 0
    groups = list(_GROUP.finditer(text))
    prices = {at for price in _PRICE.finditer(text) for at in (price.start(1), price.start(2))}
    digits = [_plain(one.group()) if one.start() not in prices else "" for one in groups]
    is_phone = run.string[: run.start()].endswith("+")
    first = 0
    while first < len(groups):
        last = _last_of_card(digits, first, _PHONE if is_phone and at == 0 else 0)
        if last is None:
            first += 1
            continue
        said += text[at : groups[first].start()] + _marked("".join(digits[first : last + 1]))
        at, first = groups[last].end(), last + 1
        beside = groups[first : first + _MOST_BESIDE + 1]
        if tuple(len(one.group()) for one in beside) in _EXPIRY_AND_CODE:
            return said
    return said + text[at:]


def _last_of_card(groups: Sequence[str], first: int, longer_than: int) -> int | None:
    """Tell with which group a card ends that begins with the first one; the longest there is.

    Args:
        groups: digits; empty where they are of a price.
    """
    if groups[first][:1] not in _FIRST:
        return None
    digits, found = "", None
    for position in range(first, min(first + _LONGEST, len(groups))):
        digits += groups[position]
        if not groups[position] or len(digits) > _LONGEST:
            break
        if len(digits) > longer_than and _is_card(digits):
            found = position
    return found


def _is_card(digits: str) -> bool:
    """Tell whether a card may have this number: its issuer, its length and its check digit."""
    return (
        len(digits) >= _SHORTEST and _CARD.fullmatch(digits) is not None and _luhn(digits) % 10 == 0
    )


def _plain(digits: str) -> str:
    """Write digits of any script as those from 0 to 9."""
    return digits if digits.isascii() else "".join(str(int(digit)) for digit in digits)


def _luhn(digits: str) -> int:
    doubled = (divmod(int(digit) * 2, 10) for digit in digits[-2::-2])
    return sum(int(digit) for digit in digits[::-2]) + sum(tens + ones for tens, ones in doubled)


def _marked(digits: str) -> str:
    return f"[card ending {digits[-4:]}]"
