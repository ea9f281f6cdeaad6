"""The tokens of a text: an upper estimate, made without a tokeniser.

The text is split as o200k_base splits it before it looks anything up; what a piece then takes is
told by its looks. A budget that this estimate keeps is kept by the true count: of a prompt in
English or German it says 1.0 to 1.25 of the truth (tests/unit/test_tokens.py). It is no bound for
every text: of random letters a token holds far less than this assumes, and an eighth less of
Polish, Turkish or Finnish.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

_PIECE = re.compile(
    r"""
    (?P<spaced> [ ] [A-ZÀ-Þ]?[a-zß-ɏ\u1e00-\u1eff]+ )
    | (?P<word> (?:[^\w\r\n]|_)? [A-ZÀ-Þ]?[a-zß-ɏ\u1e00-\u1eff]+ )
    | (?P<capitals> (?:[^\w\r\n]|_)? [A-ZÀ-Þ]+ (?![a-zß-ɏ\u1e00-\u1eff]) )
    | (?P<digits> [0-9]{1,3} )
    | (?P<marks> [ ]? [!-/:-@\[-`{-~]+ [\r\n]* )
    | (?P<other> [ ]? [^\x00-ɏ\u1e00-\u1eff]+ )
    | (?P<space> \s*[\r\n]+ | \s+(?!\S) | \s )
    | (?P<rest> . )
    """,
    re.VERBOSE | re.DOTALL,
)

_SPACED = (0, 0, 1, 1, 1.02, 1.05, 1.16, 1.45, 1.65, 1.9, 2.1, 2.5, 2.7, 3.0)
_WORD = (0, 1, 1.15, 1.25, 1.3, 1.5, 1.75, 1.9, 2.05, 2.25, 2.6, 2.75, 3.2)
_CAPITALS = (0, 1, 1.05, 1.3, 1.5, 2.0, 2.2)
_MARKS = (0, 1, 1, 1.1, 1.3, 1.5, 1.9)
_BEYOND = {"spaced": 0.25, "word": 0.27, "capitals": 0.37, "marks": 0.5}
"""Tokens per character of a piece that is longer than its table."""

_TABLES = {"spaced": _SPACED, "word": _WORD, "capitals": _CAPITALS, "marks": _MARKS}

_SCRIPTS = ((0x0400, 0.5), (0x0590, 0.33), (0x2000, 0.5), (0x2E80, 1.2), (0xE000, 0.8))
"""Tokens per character: Greek, Cyrillic, Arabic to Thai, symbols, Chinese to Korean."""

_EMOJI = 2.2

_SCHEMA = frozenset(
    {
        *("type", "description", "function", "string", "name", "parameters", "additional"),
        *("Properties", "properties", "object", "required", "integer", "number", "boolean"),
        *("default", "minimum", "maximum", "pattern", "anyOf", "array", "items", "enum", "const"),
        *("additionalProperties", "title", "false", "true", "null"),
    }
)
"""What stands in every JSON schema is one token each."""


_LONGEST_KEPT = 8_192
"""Characters of a text whose estimate is kept: longer ones are few, and would take the room."""


def estimated(text: str) -> int:
    """Estimate from above how many tokens of o200k_base a text takes."""
    return _kept_estimate(text) if len(text) <= _LONGEST_KEPT else _estimate(text)


def _estimate(text: str) -> int:
    tokens = 0.0
    for piece in _PIECE.finditer(text):
        kind, length = piece.lastgroup or "", piece.end() - piece.start()
        table = _TABLES.get(kind)
        if kind == "word" and piece[0] in _SCHEMA:
            tokens += 1
        elif table is not None:
            tokens += table[length] if length < len(table) else length * _BEYOND[kind]
        elif kind == "other":
            tokens += 0.5 + sum(map(_script, piece[0]))
        else:
            tokens += 1
    return math.ceil(tokens)


_kept_estimate = lru_cache(maxsize=2_048)(_estimate)


@lru_cache(maxsize=4096)
def _script(character: str) -> float:
    code = ord(character)
    return next((tokens for end, tokens in _SCRIPTS if code < end), _EMOJI)


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` estimated tokens: whole lines, else the beginning of one.

    The line that says so comes on top.
    """
    if estimated(text) <= most:
        return text
    lines, taken, used = text.split("\n"), [], 0
    for line in lines:
        used += estimated(line) + 1
        if used > most:
            break
        taken.append(line)
    if not taken:
        taken = [_begun(lines[0], most)]
    left = len(lines) - len(taken)
    told = f"[cut: {left} more lines]" if left else "[cut]"
    return "\n".join([*taken, told])


def cut_inside(text: str, most: int) -> str:
    """Return a text of at most `most` estimated tokens: its first and its last lines, in turn.

    A line that is too long by itself is left out, and those behind it are not. The line that says
    so comes on top.
    """
    if estimated(text) <= most:
        return text
    lines = text.split("\n")
    kept, used, near, far = set[int](), 0, 0, len(lines) - 1
    while near <= far:
        for at in dict.fromkeys((near, far)):
            tokens = estimated(lines[at]) + 1
            if used + tokens <= most:
                kept.add(at)
                used += tokens
        near, far = near + 1, far - 1
    gone = [at for at in range(len(lines)) if at not in kept]
    told = {gone[0]: f"[cut: {len(gone)} more lines]"}
    return "\n".join(
        told.get(at, line) for at, line in enumerate(lines) if at in kept | told.keys()
    )


def _begun(line: str, most: int) -> str:
    """Return the longest half, quarter, ... of a line that fits."""
    while line and estimated(line) > most:
        line = line[: len(line) // 2]
    return line
