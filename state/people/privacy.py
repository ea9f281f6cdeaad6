"""What is never stored: card numbers, security codes, and other secrets.

Taken out at the door, before anything of it is stored, and of what a model writes. A card is named
by its last four digits; whoever pays does it with a card on file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

NOT_KEPT = (
    "Card numbers, security codes and passwords are not stored: yours was removed from your "
    "message. Pay with a card on file, by its name or its last four digits."
)
"""Said to a user who typed one."""

_SECRET, _CODE = "[secret]", "[security code]"
_MARK = re.compile(r"\[card ending \d{4}\]|\[secret\]|\[security code\]")

# Beginning and length, by issuer: Visa, Mastercard, American Express, Diners, JCB, Discover,
# UnionPay, Maestro, Mir.
_ISSUED = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-59]|[689]\d)\d{11,16}|35\d{14,17}|(?:6011|64[4-9]\d|65\d\d)\d{12,15}"
    r"|(?:62|81)\d{14,17}|(?:50|5[6-9]|6\d)\d{11,17}|220[0-4]\d{12,15}"
)
_FIRST = frozenset("234568")
_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
_SHORTEST, _LONGEST = 13, 19
_LEAST_GROUP = 4
"""Digits of each group but the last, where not each digit stands by itself."""
_PHONE = 15
"""Digits of a telephone number with its country code at most."""

_GAP = r"[\s.\-_\u00b7\u2010-\u2015\u2022\u2212\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]"
# Hashes and UUIDs hold many digits in a row; a UUID may stand behind a number or an underscore.
_UUID = r"(?<![0-9a-z])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-z])"
_RUN = re.compile(
    rf"(?P<id>{_UUID}|\b(?=[0-9]{{0,64}}+[a-f])[0-9a-f]{{20,}}+\b)"
    rf"|\+?\d(?:{_GAP}{{0,5}}+(?!{_UUID})\d){{{_SHORTEST - 1},}}+",
    re.I,
)
_GROUP = re.compile(r"\d+")
_BESIDE = re.compile(
    r"(\[card ending \d{4}\])[\s,;]{1,3}+\d{1,2}\s?[/.\-]\s?(?:\d{4}|\d\d)"
    r"(?:[\s,;]{1,3}+\d{3,4})?(?![\d.])"
)
"""Month, year and perhaps the security code right behind a card."""

_TOKEN = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"daybook_(?![a-z_]{1,60}+(?![\w-]))[\w-]{16,}+"  # our own, and no name of a metric
    r"|sk-[\w-]{16,}+"  # OpenAI, Anthropic and who speaks their API
    r"|[srp]k_(?:live|test)_[A-Za-z0-9]{8,}+|whsec_[A-Za-z0-9]{8,}+"  # Stripe
    r"|(?:gh[pousr]_|github_pat_|glpat-)[\w-]{16,}+"  # GitHub, GitLab
    r"|xox[a-z]-[\w.-]{10,}+"  # Slack
    r"|(?:AKIA|ASIA)[A-Z0-9]{16,}+"  # AWS
    r"|AIza[\w-]{30,}+"  # Google
    r"|(?:hf_|lsv2_(?:pt|sk)_)\w{16,}+"  # Hugging Face, LangSmith
    r"|(?:npm_|pypi-)[\w-]{16,}+"
    r"|(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+)?"  # a JSON web token
    r")"
    r"|-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY-----|\Z)"
    r"|(?<=://)[^\s/:@]*+:(?!\d{1,5}[/?\#])[^\s/@]++(?=@)",  # user and password in a URL
    re.DOTALL,
)
_HEADER = re.compile(
    r"(authorization[\"']?\s{0,3}+[:=]\s{0,3}+[\"']?(?:(?:basic|bearer|token)\s{1,3}+)?+"
    r"|\bbearer\s{1,3}+(?=[\w.~+/-]{16}))(?!\[)[^\s\"',;]{4,}+",
    re.I,
)
_IS = r"[\"']?(?:\s{0,3}+(?:is|ist|:|=))\s{0,3}+[\"']?"
_SIGN = r"[^\s\"',;&<>{}()\[\]\\]"
_NAMED = re.compile(
    rf"((?:pass(?:word|wort|wd|phrase|code)|pwd|\botp|\bpin(?:\s(?:code|number))?"
    rf"|(?:api|access|secret|private|client)[ _-]?(?:key|token|secret)|\bsecret|\btoken){_IS})"
    rf"(?:(?={_SIGN}{{0,60}}?\d)|(?={_SIGN}{{20}})){_SIGN}{{4,200}}(?<![.!?])",
    re.I,
)
"""What follows the name of a secret; a digit in it, or its length, tells that it is no word."""
_CVV = re.compile(
    r"(\b(?:cv[vc]2?|security[ _]?(?:code|number))"
    r"(?:\s{0,3}(?:code|number|is|[:=#(]|[\"'])){0,3}\s{0,3})\d{3,4}(?!\d)",
    re.I,
)


def redacted(value: Any) -> Any:
    """Take card numbers and secrets out of text, however deep in a JSON value it stands.

    A number of 13 to 19 digits that a card may have (its first digits, its length, its check digit)
    becomes `[card ending 1111]`: digits of any script, with blanks or dashes between.

    Returns:
        The same value where there is nothing to take out; text where a card was a number.
    """
    if isinstance(value, str):
        return _without_secrets(_BESIDE.sub(r"\1", _RUN.sub(_without_cards, value)))
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, Mapping):
        return {redacted(name): _under(name, item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(item) for item in value]
    return value


def lacks_something(text: str) -> bool:
    """Tell whether something was taken out of a text."""
    return _MARK.search(text) is not None


def _under(name: Any, item: Any) -> Any:
    """Redact what stands under a name, which may say that it is a secret."""
    if isinstance(name, str) and isinstance(item, str | int) and not isinstance(item, bool):
        said = _without_secrets(f"{name}: {item}")
        for mark in (_SECRET, _CODE):
            if said.endswith(f": {mark}"):
                return mark
    return redacted(item)


def _without_secrets(text: str) -> str:
    text = _HEADER.sub(rf"\1{_SECRET}", _TOKEN.sub(_SECRET, text))
    return _CVV.sub(rf"\1{_CODE}", _NAMED.sub(rf"\1{_SECRET}", text))


def _without_cards(found: re.Match[str]) -> str:
    """Rewrite a run of digits, in which a card may stand beside other numbers."""
    text = found.group()
    if found["id"]:
        return text
    groups = [*_GROUP.finditer(text)]
    digits = [_ascii(group.group()) for group in groups]
    said: list[str] = []
    first, at = 0, 0
    while first < len(groups):
        start = groups[first].start()
        is_phone = text[start - 1 : start] == "+"
        end = _end_of_card(digits, first, _PHONE + 1 if is_phone else _SHORTEST)
        if end is None:
            first += 1
            continue
        said += text[at:start], _marked("".join(digits[first:end]))
        at, first = groups[end - 1].end(), end
    return "".join([*said, text[at:]])


def _end_of_card(groups: Sequence[str], first: int, least: int) -> int | None:
    """Return the end of the longest card that begins with a group; None if none does.

    All its groups but the last hold four digits or more, or each holds one.
    """
    if groups[first][0] not in _FIRST:
        return None
    is_spaced = len(groups[first]) == 1
    number, found = "", None
    for end, group in enumerate(groups[first : first + _LONGEST], first + 1):
        number += group
        if len(number) > _LONGEST or (is_spaced and len(group) != 1):
            break
        if len(number) >= least and _is_card(number):
            found = end
        if not is_spaced and len(group) < _LEAST_GROUP:
            break
    return found


def _is_card(digits: str) -> bool:
    """Tell whether a card may have this number: its issuer, its length and its check digit."""
    if _ISSUED.fullmatch(digits) is None:
        return False
    values = [int(digit) for digit in reversed(digits)]
    return (sum(values[::2]) + sum(_DOUBLED[value] for value in values[1::2])) % 10 == 0


def _ascii(digits: str) -> str:
    """Return digits of whatever script as those from 0 to 9."""
    return digits if digits.isascii() else "".join(str(int(sign)) for sign in digits)


def _marked(digits: str) -> str:
    return f"[card ending {digits[-4:]}]"


def _number(value: float) -> Any:
    if not 10 ** (_SHORTEST - 1) <= value < 10**_LONGEST:
        return value
    digits = f"{value:.0f}"
    return _marked(digits) if _is_card(digits) else value
