"""JSON-RPC as MCP's streamable HTTP speaks it: what is sent, and which answers prove what. No I/O.

A request is sent once. The specification lets a client whose stream broke send it again under a
new id; that is a second effect, so nothing here does it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from mcp import types
from pydantic import ValidationError

from daybook.state.effects.exact import Inexact
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.plain import in_a_line
from daybook.tools.mcp.results import result_of, words_of
from daybook.tools.services.child_process.program import is_stream
from daybook.tools.services.reply import Reply

Declines = bool | Callable[[Mapping[str, Any]], str | None]

_MOST_WORDS: Final = 300

_AT_THE_DOOR: Final = {
    types.PARSE_ERROR: "it could not be read",
    types.INVALID_REQUEST: "it is no request there",
    types.METHOD_NOT_FOUND: "there is no such tool",
    types.INVALID_PARAMS: "its arguments do not fit, or there is no such tool",
}
"""Errors of JSON-RPC by which a server turns a request away before any tool is run."""

_SESSION_OVER: Final = 404
"""By it a server says that a session is over; of a request within it nothing was done."""


class Unreadable(ValueError):
    """Say why what came is no answer to a request."""


@dataclass(frozen=True)
class Answer:
    """An answer to a request: a result or an error, one of the two."""

    result: dict[str, Any] | None = None
    code: int = 0
    message: str = ""


def request(id_: str, method: str, params: Mapping[str, Any]) -> bytes:
    """Write a request; its parameters keep their order and text."""
    return _written({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})


def notification(method: str) -> bytes:
    """Write a notification, to which nobody answers."""
    return _written({"jsonrpc": "2.0", "method": method})


def answer_in(reply: Reply, id_: str) -> Answer:
    """Find the answer to a request in what came over HTTP: a JSON body or a stream of events.

    Raises:
        Unreadable: there is none; nothing is concluded from it.
    """
    for message in _messages(reply):
        if isinstance(message, dict) and message.get("id") == id_:
            if isinstance(result := message.get("result"), dict):
                return Answer(result=result)
            if isinstance(error := message.get("error"), dict):
                return _error(error)
    raise Unreadable("it holds no answer to the request")


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
    if answer.result is None:
        if (refused := _AT_THE_DOOR.get(answer.code)) is not None:
            return Declined(str(answer.code), answer.message or f"{refused}.", at_the_door=True)
        return Unknown(f"the server failed ({answer.code}): {answer.message}")
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


def _error(error: Mapping[str, Any]) -> Answer:
    code = error.get("code")
    known = code if isinstance(code, int) and not isinstance(code, bool) else 0
    return Answer(code=known, message=in_a_line(error.get("message"), _MOST_WORDS))


def _messages(reply: Reply) -> Iterator[Any]:
    if reply.fault:
        raise Unreadable(reply.fault)
    try:
        if not is_stream(reply.headers.get("content-type", "")):
            yield reply.json()
            return
    except Inexact as fault:
        raise Unreadable(str(fault)) from fault
    for data in _events(reply.body):
        try:
            yield replace(reply, headers={}, body=data).json()
        except Inexact:
            # The last one may be cut off, and what is beside the answer is not asked about.
            continue


def _events(body: bytes) -> Iterator[bytes]:
    """Yield the data of a stream's events; of one that was cut off, nothing."""
    lines = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    data: list[bytes] = []
    for line in lines:
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line:
            if data:
                yield b"\n".join(data)
            data = []


def _written(message: Mapping[str, Any]) -> bytes:
    text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()
