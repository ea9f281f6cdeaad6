"""What waits for a person, in what the server tells of threads.

Its registry writes down what waited when a run of its own ended, and hears of nothing else: not
that a question has expired, nor that another process answered, withdrew or put one. The ledger
knows all of that.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook.app.server.database import looked_up, postgres
from daybook.checkpoints.ledger.questions import Questions
from daybook.state.errors import DatabaseUnavailable
from daybook.state.people.questions.question import name_of

_WAITS, _IDLE = "interrupted", "idle"

Names = Callable[[Collection[str]], Awaitable[Mapping[str, Collection[str]]]]
Asked = Callable[[str], Awaitable[Mapping[str, Any]]]


async def _names(threads: Collection[str]) -> Mapping[str, Collection[str]]:
    return await looked_up(Questions(postgres().pool).names(threads))


async def _asked(thread_id: str) -> Mapping[str, Any]:
    asked = await looked_up(postgres().saver.questions(thread_id))
    return {
        task: [{"id": one.id, "value": one.value} for one in questions]
        for task, questions in asked.items()
    }


class AsAsked:
    """Show what waits, and that alone, where threads are read or searched for."""

    def __init__(self, app: ASGIApp, names: Names = _names, asked: Asked = _asked) -> None:
        """Wrap an application.

        Args:
            names: given threads, returns by thread the names of the questions that wait.
            asked: given a thread, returns its questions by task, as the registry keeps them.
        """
        self._app, self._names, self._asked = app, names, asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        match (scope["method"], [part for part in scope["path"].split("/") if part]):
            case ("GET", ["threads", _]):
                await self._app(scope, receive, _Rewriting(send, self._thread))
            case ("POST", ["threads", "search"]):
                body = bytearray()

                async def heard() -> Message:
                    message = await receive()
                    body.extend(message.get("body", b""))
                    return message

                async def found(told: Any) -> Any:
                    return await self._found(told, bytes(body))

                await self._app(scope, heard, _Rewriting(send, found))
            case _:
                await self._app(scope, receive, send)

    async def _thread(self, told: Any) -> Any:
        return (await self._shown([told]))[0]

    async def _found(self, told: Any, asked: bytes) -> Any:
        """Return what was found; none that is of another status than was asked for."""
        if not isinstance(told, list):
            return told
        threads = await self._shown(told)
        try:
            wanted = json.loads(asked or b"{}").get("status")
        except (ValueError, AttributeError):
            return threads
        pairs = zip(told, threads, strict=True)
        return [now for was, now in pairs if now is was or wanted in (None, now["status"])]

    async def _shown(self, told: list[Any]) -> list[Any]:
        """Return threads with what waits in them by now; what is at work is left as it is."""
        ids = [one["thread_id"] for one in told if _is_at_rest(one)]
        names = await self._names(ids) if ids else {}
        return [
            await self._as_asked(one, names.get(one["thread_id"], ())) if _is_at_rest(one) else one
            for one in told
        ]

    async def _as_asked(self, thread: Mapping[str, Any], names: Collection[str]) -> Any:
        if not names and thread["status"] == _IDLE:
            return thread
        known = thread.get("interrupts")
        if known is None:
            # Only its status was asked for.
            known = await self._asked(thread["thread_id"])
        shown = {
            task: [one for one in asked if (name := _named(one)) is None or name in names]
            for task, asked in known.items()
        }
        live: Mapping[str, Any] = {task: asked for task, asked in shown.items() if asked}
        if names and not live:
            live = await self._asked(thread["thread_id"])
        now = {"interrupts": live, "status": _WAITS if live else _IDLE}
        now = {name: value for name, value in now.items() if name in thread}
        return thread if now.items() <= thread.items() else {**thread, **now}


def _is_at_rest(thread: Any) -> bool:
    """Tell whether it is a thread in which no run of the server's is under way."""
    return (
        isinstance(thread, Mapping)
        and isinstance(thread.get("thread_id"), str)
        and thread.get("status") in (_WAITS, _IDLE)
    )


def _named(interrupt: Any) -> str | None:
    return name_of(interrupt.get("value")) if isinstance(interrupt, Mapping) else None


class _Rewriting:
    """Hold a JSON answer back until it is whole, and send what is made of it."""

    def __init__(self, send: Send, rewrite: Callable[[Any], Awaitable[Any]]) -> None:
        self._send, self._rewrite = send, rewrite
        self._start: Message | None = None
        self._body = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_json(message):
            self._start = message
        elif self._start is None or message["type"] != "http.response.body":
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._all(self._start)

    async def _all(self, start: Message) -> None:
        told = json.loads(self._body)
        try:
            rewritten = await self._rewrite(told)
        except DatabaseUnavailable as error:
            answer = JSONResponse({"detail": str(error)}, 503)
            await self._send({**start, "status": 503, "headers": answer.raw_headers})
            return await self._send({"type": "http.response.body", "body": bytes(answer.body)})
        body = bytes(self._body) if rewritten == told else json.dumps(rewritten).encode()
        MutableHeaders(scope=start)["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


def _is_json(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    is_plain = "content-encoding" not in headers
    is_json = headers.get("content-type", "").startswith("application/json")
    return start["status"] == 200 and is_plain and is_json
