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
_GAP = r"[\s\-.\u00ad\u200b-\u200d\u2010-\u2015\u2212\u2060\ufeff/_*|]{0,3}"
_DIGITS = re.compile(rf"\d(?:{_GAP}\d){{12,}}")
_GROUP = re.compile(r"\d+")

# A hash or a UUID may hold many digits in a row.
_ID = re.compile(
    r"\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[0-9]*[a-f])[0-9a-f]{20,})\b", re.I
)

_CODE = re.compile(
    r"\b((?:cvc2?|cvv2?|cid|csc|security code|card code)\s*(?:is|:|=|-)?\s*)\d{3,4}(?!\d)", re.I
)

_SECRETS = re.compile(
    r"""
    -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----.*?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z)
    | \beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*                          # a JSON web token
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

_LONGEST = 19
"""Digits of a card number at most."""

_MARK = re.compile(r"\[card ending \d{4}\]|\[secret\]|\[security code\]")

_EXPIRY_AND_CODE = frozenset(
    {(3,), (4,), (4, 3), (1, 2), (1, 4), (2, 2), (2, 4)}
    | {(*date, code) for date in ((1, 2), (1, 4), (2, 2), (2, 4), (4,)) for code in (3, 4)}
)
"""Lengths of the numbers that follow a card in the same breath: month, year, security code."""

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
        text = f"{value:.0f}"
        return _marked(text) if _is_card(text) else value
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
    is_phone = run.string[: run.start()].endswith("+")
    while groups:
        last = _last_of_card(groups, _PHONE if is_phone and at == 0 else 0)
        if last is None:
            groups.pop(0)
            continue
        digits = "".join(group.group() for group in groups[: last + 1])
        said += text[at : groups[0].start()] + _marked(digits)
        at = groups[last].end()
        groups = groups[last + 1 :]
        if tuple(len(group.group()) for group in groups) in _EXPIRY_AND_CODE:
            return said
    return said + text[at:]


def _last_of_card(groups: Sequence[re.Match[str]], longer_than: int) -> int | None:
    """Tell with which group a card ends that begins with the first one; the longest there is."""
    digits, found = "", None
    for position, group in enumerate(groups):
        digits += group.group()
        if len(digits) > _LONGEST:
            break
        if len(digits) > longer_than and _is_card(digits):
            found = position
    return found


def _is_card(digits: str) -> bool:
    """Tell whether a card may have this number: its issuer, its length and its check digit."""
    plain = "".join(str(int(digit)) for digit in digits) if digits.isdecimal() else ""
    return _CARD.fullmatch(plain) is not None and _luhn(plain) % 10 == 0


def _luhn(digits: str) -> int:
    doubled = (divmod(int(digit) * 2, 10) for digit in digits[-2::-2])
    return sum(int(digit) for digit in digits[::-2]) + sum(tens + ones for tens, ones in doubled)


def _marked(digits: str) -> str:
    return f"[card ending {''.join(str(int(digit)) for digit in digits[-4:])}]"
