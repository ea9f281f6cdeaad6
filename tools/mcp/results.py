"""What an MCP server says is data: bounded, in lines, without tags or signs that are not seen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from mcp import types

from daybook.state.plain import in_a_line

MOST_TEXT: Final = 2_000
"""Characters that are taken of one text of a result."""

MOST_ROWS: Final = 100
"""Entries that are taken of one list or object."""

_LEVELS: Final = 12
_MOST_VALUES: Final = 5_000
_CUT: Final = "..."


def result_of(came: types.CallToolResult) -> dict[str, Any]:
    """Write what a tool gave as data.

    The structured result where there is one; of a single text that is a JSON object, that object;
    else the texts, as `text`. Pictures, sound and files are named, and not taken.

    Example:
        >>> text = types.TextContent(type="text", text='{"order": "O-7"}')
        >>> result_of(types.CallToolResult(content=[text]))
        {'order': 'O-7'}
    """
    result: dict[str, Any] = _Taking().taken(_said(came))
    return result


def all_of(came: types.CallToolResult) -> dict[str, Any] | None:
    """Write what a tool gave as `result_of` does; None where that would leave something out.

    What a look-up does not show is taken for not done.
    """
    taking = _Taking()
    result: dict[str, Any] = taking.taken(_said(came))
    return None if taking.has_cut else result


def words_of(came: types.CallToolResult) -> str:
    """Return the words of a result, in one line."""
    return in_a_line(" ".join(_texts(came)), 300)


def _texts(came: types.CallToolResult) -> list[str]:
    return [one.text for one in came.content if isinstance(one, types.TextContent)]


def _said(came: types.CallToolResult) -> dict[str, Any]:
    if came.structuredContent is not None:
        return came.structuredContent
    texts = _texts(came)
    others = sorted({one.type for one in came.content} - {"text"})
    if len(texts) == 1 and not others:
        try:
            found = json.loads(texts[0])
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            return found
    said = {"text": " ".join(texts)}
    return {**said, "not_taken": others} if others else said


class _Taking:
    """Take a value: its texts bounded, long lists and deep trees cut, and said so."""

    def __init__(self) -> None:
        self.left, self.has_cut = _MOST_VALUES, False

    def taken(self, given: Any, levels: int = _LEVELS) -> Any:
        self.left -= 1
        if isinstance(given, str):
            self.has_cut = self.has_cut or len(given) > MOST_TEXT
            return in_a_line(given, MOST_TEXT)
        if not isinstance(given, Mapping | list):
            return given
        if levels == 0 or self.left <= 0:
            self.has_cut = True
            return _CUT
        is_long = len(given) > MOST_ROWS
        self.has_cut = self.has_cut or is_long
        if isinstance(given, list):
            rows = [self.taken(one, levels - 1) for one in given[:MOST_ROWS]]
            return [*rows, _CUT] if is_long else rows
        taken = {
            self.taken(name): self.taken(value, levels - 1)
            for name, value in list(given.items())[:MOST_ROWS]
        }
        return {**taken, _CUT: _CUT} if is_long else taken
