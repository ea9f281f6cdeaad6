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

_MOST_NAME: Final = 100
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
    return _result_of(came, _Bounds())


def all_of(came: types.CallToolResult) -> dict[str, Any] | None:
    """Write what a tool gave as `result_of` does; None where that would leave something out.

    What a look-up does not show is taken for not done.
    """
    bounds = _Bounds()
    result = _result_of(came, bounds)
    return None if bounds.has_cut else result


def words_of(came: types.CallToolResult) -> str:
    """Return the words of a result, in one line."""
    texts = [one.text for one in came.content if isinstance(one, types.TextContent)]
    return in_a_line(" ".join(texts), 300)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


class _Bounds:
    """How much more is taken, and whether anything was left out."""

    def __init__(self) -> None:
        self.left, self.has_cut = _MOST_VALUES, False

    def line(self, text: str, most: int) -> str:
        line = in_a_line(text, most)
        self.has_cut = self.has_cut or (len(text) > most and line.endswith(_CUT))
        return line

    def rows(self, rows: list[Any]) -> list[Any]:
        self.has_cut = self.has_cut or len(rows) > MOST_ROWS
        return rows[:MOST_ROWS]

    def nothing(self) -> str:
        self.has_cut = True
        return _CUT


def _result_of(came: types.CallToolResult, bounds: _Bounds) -> dict[str, Any]:
    if came.structuredContent is not None:
        return _object(came.structuredContent, bounds)
    texts = [one.text for one in came.content if isinstance(one, types.TextContent)]
    others = sorted({one.type for one in came.content if not isinstance(one, types.TextContent)})
    if len(texts) == 1 and not others and isinstance(found := _json(texts[0]), dict):
        return _object(found, bounds)
    said: dict[str, Any] = {"text": bounds.line(" ".join(texts), MOST_TEXT)}
    return {**said, "not_taken": others} if others else said


def _object(given: Mapping[str, Any], bounds: _Bounds) -> dict[str, Any]:
    taken: dict[str, Any] = _taken(given, _LEVELS, bounds)
    return taken


def _taken(given: Any, levels: int, bounds: _Bounds) -> Any:
    """Take a value: its texts bounded, long lists and deep trees cut, and said so."""
    bounds.left -= 1
    if isinstance(given, str):
        return bounds.line(given, MOST_TEXT)
    if not isinstance(given, Mapping | list):
        return given
    if levels == 0 or bounds.left <= 0:
        return bounds.nothing()
    if isinstance(given, Mapping):
        taken = {
            bounds.line(name, _MOST_NAME): _taken(value, levels - 1, bounds)
            for name, value in bounds.rows(list(given.items()))
        }
        return {**taken, _CUT: _CUT} if len(given) > MOST_ROWS else taken
    rows = [_taken(one, levels - 1, bounds) for one in bounds.rows(given)]
    return [*rows, _CUT] if len(given) > MOST_ROWS else rows
