"""What the results of an MCP server prove, and which data is taken from them. No I/O."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from mcp import types

from daybook.state.effects.outcome import Confirmed, Declined, Outcome, Unknown
from daybook.state.plain import in_a_line

Declines: TypeAlias = bool | Callable[[Mapping[str, Any]], str | None]

_MOST_WORDS: Final = 300

_TURNED_AWAY: Final = frozenset(
    {types.PARSE_ERROR, types.INVALID_REQUEST, types.METHOD_NOT_FOUND, types.INVALID_PARAMS}
)
"""Errors of JSON-RPC by which a server turns a request away before any tool is run."""


def judged(came: types.CallToolResult | types.ErrorData, declines: Declines) -> Outcome:
    """Say what an answer to an effect proves.

    A result confirms. An error of JSON-RPC that turns the request away says that nothing was done.
    A result with `isError` says that something failed, after it may have been done: it is unknown
    unless the tool declares otherwise. So is all else.
    """
    if isinstance(came, types.ErrorData):
        said = in_a_line(came.message, _MOST_WORDS)
        if came.code in _TURNED_AWAY:
            return Declined(str(came.code), said or "It was rejected.", at_the_door=True)
        return Unknown(f"the server failed ({came.code}): {said}")
    if not came.isError:
        return Confirmed(result_of(came))
    said = words_of(came) or "it gave no reason"
    code = "declined" if declines is True else None
    if callable(declines):
        # What it raises is raised after the request went out, and so leaves it unknown.
        code = declines({**result_of(came), "text": said})
    if code:
        return Declined(in_a_line(code, 100), said)
    return Unknown(f"the tool failed, and it is not declared that nothing was done then: {said}")


# -- what a server says is data: bounded, in lines, without tags or signs that are not seen --------

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
    """Write what a tool gave as `result_of` does; None if that would leave something out.

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
