"""Find identifiers in a text that were never shown to the model."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from daybook.tools.receipts.text import WORDS, compiled, lower

_TOKEN: Final = re.compile(r"#?[^\W_]+(?:[-_]+[^\W_]+|(?:(?<=\d{3})/\d\d|/\d{3,})(?![\w/.]))*")
_PART: Final = re.compile(r"[^\W_]+")
_SPACED: Final = re.compile(r"\b([A-Z]{2,3}) (\d{3,4})\b(?! ?[€$£]|[.,]\d)")
"""Such as a flight, "NV 482"."""
_TRAVEL: Final = re.compile(r"\b(?:flight|flug|vol|vuelo|train|zug|tren)[ :]*$")
_IBAN: Final = re.compile(r"\b([A-Z]{2}\d{2})(?: ?\d{4}){3,7}(?: ?\d{1,3})?\b")
_UNIT: Final = compiled("unit", re.I)
_URL: Final = re.compile(r"(?:https?://|www\.)([^\s/)\]>]{1,200})[^\s)\]>]{0,300}", re.I)
_NOT_OURS: Final = compiled("not_ours", re.I)
_LABELLED: Final = compiled("labelled")
_EXAMPLE: Final = compiled("example")
_MEASURE: Final = compiled("measure")
_STRONG: Final = compiled("strong")
_MOST: Final = 80
"""A longer token is no identifier that a person would use."""
_MOST_PARTS: Final = 6
_MOST_ALIKE: Final = 100
"""Known identifiers of one shape that others are compared with."""


class KnownIdentifiers:
    """What stands in the known texts, to compare identifiers with."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Index the parts of normalised texts, and joins of neighbouring parts."""
        self.text: Final = "\n".join(lower(text) for text in texts)
        parts = _PART.findall(self.text)
        self._joined = "".join(parts)
        self._known = {
            whole
            for at in range(len(parts))
            for size in range(1, _MOST_PARTS + 1)
            if len(whole := "".join(parts[at : at + size])) <= _MOST
        }
        self._shapes: defaultdict[str, set[str]] = defaultdict(set)
        self.prefixes = WORDS["prefixes"].union(re.findall(r"\b([a-z]{1,12})[-_]\w*\d", self.text))
        for token in _TOKEN.findall(self.text):
            alike = self._shapes[_shape(token[:_MOST])]
            if any(map(str.isdigit, token)) and len(alike) < _MOST_ALIKE:
                alike.add(token.lstrip("#"))

    def has(self, token: str, *, is_cut: bool = False) -> bool:
        """Tell whether a token, or the beginning or end of one that is cut, is known."""
        parts = _PART.findall(lower(token))
        squeezed = "".join(parts)
        is_long = is_cut or len(squeezed) >= 12 or len(parts) > _MOST_PARTS
        return squeezed in self._known or (is_long and squeezed in self._joined)

    def has_altered(self, token: str) -> bool:
        """Tell whether a token is a known one in which two characters at most were changed."""
        low = token.lower().lstrip("#")
        digits = sum(map(str.isdigit, low))
        least = 6 if low.isdigit() else 2 if len(low) > 5 else 3
        if digits < least or len(low) < 5 or _MEASURE.fullmatch(low):
            return False
        return any(
            1 <= sum(map(str.__ne__, low, other)) <= 2 or sorted(low) == sorted(other)
            for other in self._shapes.get(_shape(low), ())
        )


def _shape(token: str) -> str:
    return re.sub(r"[a-z]", "a", re.sub(r"\d", "9", token.lstrip("#")))


def unknown_identifiers(text: str, known: KnownIdentifiers) -> Iterator[tuple[int, int]]:
    """Yield the spans of identifiers in a normalised text that are not known."""

    def blank(found: re.Match[str]) -> str:
        return " " * len(found[0])

    def path(found: re.Match[str]) -> str:
        """Blank an address at a known host; of others the path is judged."""
        is_known = lower(found[1]) in known.text
        return blank(found) if is_known else re.sub(r"[/.]", " ", found[0])

    text = _NOT_OURS.sub(blank, text)
    text = _URL.sub(path, text)
    for found in (*_IBAN.finditer(text), *_SPACED.finditer(text)):
        prefix, before = found[1].lower(), lower(text[max(0, found.start() - 12) : found.start()])
        is_usual = found.re is _IBAN or _TRAVEL.search(before)
        is_usual = is_usual or re.search(rf"\b{prefix} ?\d{{3,4}}\b", known.text)
        is_standard = prefix in WORDS["standards"]
        if is_usual and not is_standard and not known.has(found[0]):
            yield found.span()
    lowered = lower(text)
    for found in _TOKEN.finditer(text):
        token = _without_word(found[0])
        is_code = token.isupper() and token.isalpha() and len(token) == 6
        if len(token) > _MOST or not (is_code or any(map(str.isdigit, token))):
            continue
        start, end = found.start(), found.start() + len(token)
        before, after = lowered[max(0, start - 60) : start], text[end : end + 9]
        if _UNIT.match(after) or before.endswith(("$", "€", "£", "+", ".", "/", "~")):
            continue
        is_labelled = bool(_LABELLED.search(before))
        is_cut = after.startswith(("…", "...")) or before.endswith(("…", "..."))
        is_ours = _is_identifier(token, is_labelled, known.prefixes) or known.has_altered(token)
        if is_ours and not known.has(token, is_cut=is_cut) and not _EXAMPLE.search(before):
            yield start, end


def _without_word(token: str) -> str:
    """Return "ORD-17" for the German "ORD-17-Bestellung"."""
    head, sign, tail = token.rpartition("-")
    is_word = tail.isalpha() and not tail.isupper() and len(tail) > 2
    return head if sign and is_word and any(map(str.isdigit, head)) else token


def _is_identifier(token: str, is_labelled: bool, prefixes: frozenset[str]) -> bool:
    """Tell whether a token is an identifier by its shape, or by the label before it."""
    bare = token.lstrip("#")
    digits = sum(map(str.isdigit, bare))
    if bare.isdigit():
        is_year = digits == 4 and bare[:2] in ("19", "20")
        return digits >= 3 if bare != token else is_labelled and digits >= 4 and not is_year
    low = bare.lower()
    parts = re.split(r"[-_/]+", low)
    if parts[0] in WORDS["standards"] or _MEASURE.fullmatch(low):
        return False
    if _STRONG.fullmatch(bare):
        is_usual = re.split(r"[^a-z]", low)[0] in prefixes
        return digits >= 5 or (digits >= 2 and (is_labelled or is_usual))
    if all(map(str.isdigit, parts)):
        return is_labelled and digits >= 6
    if bare != token:
        return digits >= 3
    return is_labelled and len(bare) >= 5 and (bare.isupper() or (len(parts) > 1 and digits >= 3))
