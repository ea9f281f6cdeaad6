"""JSON-RPC as MCP's streamable HTTP speaks it: what is sent, and which answers prove what. No I/O.

A request is sent once. The specification lets a client whose stream broke send it again under a
new id; that is a second effect, so nothing here does it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeAlias

from mcp import types
from pydantic import TypeAdapter, ValidationError

from daybook.state.effects.exact import Inexact
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.plain import in_a_line
from daybook.tools.mcp.results import result_of, words_of
from daybook.tools.services.reply import Reply

Declines: TypeAlias = bool | Callable[[Mapping[str, Any]], str | None]

Answer: TypeAlias = types.JSONRPCResponse | types.JSONRPCError

_ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)

_MOST_WORDS: Final = 300

_TURNED_AWAY: Final = frozenset(
    {types.PARSE_ERROR, types.INVALID_REQUEST, types.METHOD_NOT_FOUND, types.INVALID_PARAMS}
)
"""Errors of JSON-RPC by which a server turns a request away before any tool is run."""

_SESSION_OVER: Final = 404
"""By it a server says that a session is over; of a request within it nothing was done."""


class Unreadable(ValueError):
    """Say why what came is no answer to a request."""


def message(method: str, params: Mapping[str, Any] | None = None, id_: str = "") -> bytes:
    """Write a request; its parameters keep their order and text. Without an id nobody answers."""
    about: dict[str, Any] = {"jsonrpc": "2.0", **({"id": id_} if id_ else {}), "method": method}
    whole = about if params is None else {**about, "params": params}
    text = json.dumps(whole, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


def answer_in(reply: Reply, id_: str) -> Answer:
    """Find the answer to a request in what came over HTTP: a JSON body or a stream of events.

    Raises:
        Unreadable: there is none; nothing is concluded from it.
    """
    try:
        for found in reply.messages():
            if isinstance(found, dict) and found.get("id") == id_:
                with suppress(ValidationError):
                    return _ANSWER.validate_python(found)
    except Inexact as fault:
        raise Unreadable(str(fault)) from fault
    raise Unreadable("it holds no answer to the request")


def words_in(error: types.JSONRPCError) -> str:
    """Return the words of an error, in one line."""
    return in_a_line(error.error.message, _MOST_WORDS)


def is_session_over(reply: Reply) -> bool:
    """Tell whether a server says in its own form that the session of a request is over."""
    if reply.status != _SESSION_OVER:
        return False
    try:
        said = reply.json()
    except Inexact:
        return False
    return isinstance(said, dict) and isinstance(said.get("error"), dict) and "jsonrpc" in said


def called(reply: Reply, id_: str, declines: Declines) -> Outcome:
    """Say what an answer to an effect proves.

    A result confirms. An error of JSON-RPC that turns the request away says that nothing was done.
    A result with `isError` says that something failed, after it may have been done: it is unknown
    unless the tool declares otherwise. So is all else.
    """
    try:
        answer = answer_in(reply, id_)
    except Unreadable as why:
        if is_session_over(reply):
            return NotSent("its session was over")
        return Unknown(f"the answer (status {reply.status}) does not tell what was done: {why}")
    if isinstance(answer, types.JSONRPCError):
        code, words = answer.error.code, words_in(answer)
        if code in _TURNED_AWAY:
            return Declined(str(code), words or "It was turned away.", at_the_door=True)
        return Unknown(f"the server failed ({code}): {words}")
    if not 200 <= reply.status < 300:
        return Unknown(f"a result with the status {reply.status} does not tell what was done")
    try:
        came = types.CallToolResult.model_validate(answer.result)
    except ValidationError:
        return Unknown("the answer is no result of a tool")
    if came.isError:
        return _failed(came, declines)
    return Confirmed(result_of(came))


def _failed(came: types.CallToolResult, declines: Declines) -> Outcome:
    said = words_of(came) or "it gave no reason"
    code = "declined" if declines is True else None
    if callable(declines):
        # What it raises is raised after the request went out, and so leaves it unknown.
        code = declines({**result_of(came), "text": said})
    if code:
        return Declined(in_a_line(code, 100), said)
    return Unknown(f"the tool failed, and it is not declared that nothing was done then: {said}")
