"""Streamable HTTP below the SDK: each request goes out once, within its deadline, and is answered.

The SDK follows a redirect with a second POST, ends the session of every caller over one failed
request, and waits for ever for a stream that broke off. It meets none of these here: whatever
comes instead of an answer, it is given an error of JSON-RPC, and the call holds what is known.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp.types import JSONRPCRequest

from daybook.state.effects.deadline import Deadline
from daybook.state.effects.outcome import NotSent, Unknown
from daybook.state.plain import in_a_line
from daybook.tools.services.http import MOST_BYTES, NOT_SENT, untrusted
from daybook.tools.services.reply import is_stream

FAILED: Final = -32_099
"""The code by which the SDK is told that a request has no answer."""


@dataclass(kw_only=True)
class Call(ClientMessageMetadata):
    """One request on its way.

    Attributes:
        fault: what is known of it where no answer came.
        hint: what is wrong with the server, and what to do, as part of a sentence.
        status: of HTTP, of an answer that was none.
        is_over: the server says that its session is.
    """

    deadline: Deadline
    fault: NotSent | Unknown | None = None
    hint: str = ""
    status: int | None = None
    is_over: bool = False


class Outbox:
    """What the SDK writes to, which notes whose each request is.

    Attributes:
        calls: by the ids of their requests.
    """

    def __init__(self, stream: Any, calls: dict[Any, Call]) -> None:
        self._stream, self._calls = stream, calls

    async def send(self, message: SessionMessage) -> None:
        """Note whose request it is, and pass it on."""
        request = message.message.root
        if isinstance(request, JSONRPCRequest) and isinstance(message.metadata, Call):
            self._calls[request.id] = message.metadata
        await self._stream.send(message)

    async def aclose(self) -> None:
        """End it."""
        await self._stream.aclose()

    async def __aenter__(self) -> Outbox:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()


class AnsweringTransport(httpx.AsyncHTTPTransport):
    """Send each request of JSON-RPC once; answer it where the server does not.

    Args:
        first: the request that signs on, which the SDK makes by itself.
        calls: all others, by their ids.
    """

    def __init__(self, url: str, first: Call, calls: dict[Any, Call]) -> None:
        super().__init__(verify=httpx.URL(url).scheme == "https", retries=0)
        self._first, self._calls = first, calls

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; no error of HTTP leaves it."""
        if request.method == "GET" and "last-event-id" not in request.headers:
            # A stream for what nobody asked for. One that goes on with a broken answer is opened.
            return httpx.Response(405)
        if request.method != "POST":
            return await super().handle_async_request(request)
        said = json.loads(request.content)
        if "method" not in said or "id" not in said:
            with suppress(httpx.HTTPError):
                await (await super().handle_async_request(request)).aclose()
            return httpx.Response(202)
        call, id_ = self._calls.pop(said["id"], self._first), said["id"]
        seconds = call.deadline.seconds
        request.extensions = {
            **request.extensions,
            "timeout": httpx.Timeout(seconds or 0.001).as_dict(),
        }
        try:
            # Else it could still be sent when its caller has long given up.
            async with call.deadline.clock.timeout(seconds):
                answer = await super().handle_async_request(request)
                if answer.status_code == 200 and is_stream(answer.headers.get("content-type", "")):
                    stream = _Stream(answer, call, id_)
                    return httpx.Response(200, headers=answer.headers, stream=stream)
                body = await _body(answer)
        except NOT_SENT as error:
            why = untrusted(error, request.url.host)
            call.fault = NotSent(f"no connection ({why or type(error).__name__})")
            call.hint = why or f"cannot be reached ({type(error).__name__}): see that it runs"
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            call.fault = Unknown(f"no answer ({type(error).__name__})")
            call.hint = f"gives no answer ({type(error).__name__}): try again"
        else:
            if (found := _answer_in(answer.status_code, body, id_)) is not None:
                return httpx.Response(200, json=found)
            _judge(call, answer, body)
        return httpx.Response(200, json=_no_answer(id_))


class _Stream(httpx.AsyncByteStream):
    """Pass a stream of events on; where it ends without ids to go on by, end the wait for it."""

    def __init__(self, answer: httpx.Response, call: Call, id_: Any) -> None:
        self._answer, self._call, self._id = answer, call, id_

    async def __aiter__(self) -> AsyncIterator[bytes]:
        length, has_ids = 0, False
        try:
            async for piece in self._answer.aiter_raw():
                length += len(piece)
                if length > MOST_BYTES:
                    break
                has_ids = has_ids or b"\nid:" in b"\n" + piece
                yield piece
        except httpx.HTTPError as error:
            self._call.hint = f"broke off its answer ({type(error).__name__}): try again"
        if not has_ids or length > MOST_BYTES:
            self._call.fault = Unknown("the answer broke off, or is longer than is read")
            event = json.dumps(_no_answer(self._id))
            # Behind an empty line, which ends whatever event was cut off.
            yield f"\n\nevent: message\ndata: {event}\n\n".encode()

    async def aclose(self) -> None:
        await self._answer.aclose()


async def _body(answer: httpx.Response) -> bytes:
    """Read a body, and no more of it than may be taken."""
    content = bytearray()
    try:
        async for piece in answer.aiter_raw():
            content += piece
            if len(content) > MOST_BYTES:
                return b""
    finally:
        await answer.aclose()
    return bytes(content)


def _json_in(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _answer_in(status: int, body: bytes, id_: Any) -> dict[str, Any] | None:
    """Return the answer to a request: an error with any status, a result with that of success."""
    said = _json_in(body)
    if not isinstance(said, dict) or said.get("jsonrpc") != "2.0" or said.get("id") != id_:
        return None
    return said if "error" in said or (200 <= status < 300 and "result" in said) else None


def _judge(call: Call, answer: httpx.Response, body: bytes) -> None:
    """Note what an answer that is none proves, and what to do about it."""
    said, status = _json_in(body), answer.status_code
    why = "it is not JSON" if said is None else "it holds no answer to the request"
    call.status, call.hint = status, _none_of_mcp(status, answer.headers, why)
    # The server's own word for it: a request within a session that is over did nothing.
    call.is_over = (
        status == 404 and isinstance(said, dict) and "jsonrpc" in said and "error" in said
    )
    call.fault = (
        NotSent("its session was over")
        if call.is_over
        else Unknown(f"the answer (status {status}) does not tell what was done: {why}")
    )


def _none_of_mcp(status: int, headers: Mapping[str, str], why: str) -> str:
    if status in (401, 403):
        return (
            f"wants a sign-in ({status}): give it a token, as "
            'headers={"Authorization": "Bearer ..."} or --token-from VARIABLE'
        )
    if 300 <= status < 400:
        to = urlsplit(headers.get("location", ""))
        place = in_a_line(f"{to.netloc.rpartition('@')[2]}{to.path}", 200)
        return f"leads elsewhere ({status}, {place}), which is not followed: use the URL there"
    if status >= 500:
        return f"failed ({status}): try again"
    return f"is none ({status}, {why}): see its URL, which often ends in /mcp"


def _no_answer(id_: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": FAILED, "message": "no answer"}}
