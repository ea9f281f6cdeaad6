"""Text as whoever reads it would read it: without what encodes its signs, or hides between them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import takewhile
from operator import eq

_BLANK = "\u2800"
_NUMERALS = "\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d"
"""Chinese digits, from zero."""

_UNSEEN = re.compile(
    "[\u00ad\u0300-\u036f\u061c\u115f\u1160\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u20d0-\u20f0\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e01ef]"
)
"""Nobody sees them, or sees them on the sign before."""

_ENCODED = re.compile(
    r"(?:%[0-9A-Fa-f]{2})++|&\#(?:[xX][0-9A-Fa-f]{1,6}+|[0-9]{1,7}+);?"
    r"|&(?:nbsp|ensp|emsp|thinsp|shy|zwj|zwnj|hyphen|ndash|mdash|colon|equals|commat|quot|amp);"
    r"|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\[nrt]"
)
_NAMED = {
    **dict.fromkeys(("nbsp", "ensp", "emsp", "thinsp"), " "),
    **dict.fromkeys(("shy", "zwj", "zwnj"), ""),
    **dict.fromkeys(("hyphen", "ndash", "mdash"), "-"),
    **{"colon": ":", "equals": "=", "commat": "@", "quot": '"', "amp": "&"},
}

_TAG = re.compile(r"</?[A-Za-z]{1,10}+ ?/?>")

_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_DIGIT = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(_DIGITS)})(?![A-Za-z])", re.I | re.A)

_LAYERS = 2
"""What is encoded may have been encoded once more on its way."""


class _Plain(dict[int, int]):
    """A sign to the one of ASCII whose guise it is."""

    def __missing__(self, code: int) -> int:
        self[code] = plain = _plain(chr(code))
        return plain


class Unfolded:
    """A text written plainly: nothing is encoded in it, in another guise, unseen or spelt out.

    Meant to be looked at, and not for people: what it says is the same, how it looks is not.

    Example:
        >>> Unfolded("4242%204242 \u2463\u2461 four &#52;").plain
        '4242 4242 42 4 4'
    """

    def __init__(self, text: str) -> None:
        self._text, self.plain = text, text
        self._from: Sequence[int] = range(len(text) + 1)
        """Where each sign stands in the text, and where that ends."""
        for _ in range(_LAYERS):
            self._write(_ENCODED, _decoded)
        if not self.plain.isascii():
            self._write(_UNSEEN, _nothing)
            self.plain = self.plain.translate(_GUISES)
        self._write(_TAG, _blank)
        self._write(_DIGIT, _spelt)

    def changed(self, plain: str) -> str:
        """Return the text with what was changed in its plain form, and nothing else.

        Args:
            plain: the plain form, with some of it written otherwise.
        """
        was = self.plain
        first = _shared(was, plain)
        # What one match came to is taken or left whole.
        while first and self._from[first] == self._from[first - 1]:
            first -= 1
        left = _shared(was[first:][::-1], plain[first:][::-1])
        last = len(was) - left
        while 0 < last < len(was) and self._from[last] == self._from[last - 1]:
            last += 1
        written = plain[first : len(plain) - (len(was) - last)]
        return self._text[: self._from[first]] + written + self._text[self._from[last] :]

    def _write(self, pattern: re.Pattern[str], plainly: Callable[[re.Match[str]], str]) -> None:
        pieces: list[str] = []
        places: list[int] = []
        end = 0
        for found in pattern.finditer(self.plain):
            said = plainly(found)
            pieces += self.plain[end : found.start()], said
            places += self._from[end : found.start()]
            places += [self._from[found.start()]] * len(said)
            end = found.end()
        if end:
            self.plain = "".join([*pieces, self.plain[end:]])
            self._from = [*places, *self._from[end:]]


def _shared(one: str, other: str) -> int:
    """Return how many signs two texts begin with alike."""
    return sum(takewhile(bool, map(eq, one, other)))


def _nothing(found: re.Match[str]) -> str:
    return ""


def _blank(found: re.Match[str]) -> str:
    return " "


def _decoded(found: re.Match[str]) -> str:
    said = found.group()
    if said[0] == "%":
        return bytes.fromhex(said.replace("%", "")).decode(errors="replace")
    if said[0] == "\\":
        return {"n": "\n", "r": "\r", "t": "\t"}.get(said[1]) or _sign(int(said[2:], 16))
    if said[1] != "#":
        return _NAMED[said[1:-1]]
    number = said[2:].rstrip(";")
    return _sign(int(number[1:], 16) if number[0] in "xX" else int(number))


def _sign(code: int) -> str:
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"


def _spelt(found: re.Match[str]) -> str:
    return str(_DIGITS.index(found.group().lower()))


def _plain(sign: str) -> int:
    if sign == _BLANK:
        return ord(" ")
    if sign in _NUMERALS:
        return ord("0") + _NUMERALS.index(sign)
    digit = unicodedata.digit(sign, None)
    folded = str(digit) if digit is not None else unicodedata.normalize("NFKC", sign)
    return ord(folded) if len(folded) == 1 and folded.isascii() else ord(sign)


_GUISES = _Plain()
