"""Questions that nobody can answer any more, in what the server tells of threads.

Its registry writes down what waited when a run ended, and hears of nothing that happens since. The
state of a thread, which it asks the graph for, knows that a question has expired by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook.graph.serve import at_work
from daybook.state.people.questions.question import is_expired

_WAITS = "interrupted"


def _now() -> datetime:
    return at_work()().clock.now()


class Expired:
    """Show no expired question as waiting, where threads are read or searched for."""

    def __init__(self, app: ASGIApp, now: Callable[[], datetime] = _now) -> None:
        self._app, self._now = app, now

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        match (scope["method"], [part for part in scope["path"].split("/") if part]):
            case ("GET", ["threads", _]):
                await self._app(scope, receive, _Rewriting(send, self._of_thread))
            case ("POST", ["threads", "search"]):
                body = bytearray()

                async def heard() -> Message:
                    message = await receive()
                    body.extend(message.get("body", b""))
                    return message

                def of_search(told: Any) -> Any:
                    return self._of_search(told, bytes(body))

                await self._app(scope, heard, _Rewriting(send, of_search))
            case _:
                await self._app(scope, receive, send)

    def _of_search(self, told: Any, asked: bytes) -> Any:
        """Return what was found; of those that wait, where they alone were asked for."""
        threads = [self._of_thread(one) for one in told] if isinstance(told, list) else told
        try:
            wanted = json.loads(asked or b"{}").get("status")
        except (ValueError, AttributeError):
            return threads
        if wanted != _WAITS or not isinstance(told, list):
            return threads
        pairs = zip(told, threads, strict=True)
        return [now for was, now in pairs if now is was or now["status"] == _WAITS]

    def _of_thread(self, told: Any) -> Any:
        """Return a thread, in which nothing waits that has expired."""
        if not isinstance(told, Mapping) or not isinstance(told.get("interrupts"), Mapping):
            return told
        now = self._now()
        live = {
            task: [one for one in asked if not is_expired(_value(one), now)]
            for task, asked in told["interrupts"].items()
        }
        if live == told["interrupts"]:
            return told
        live = {task: asked for task, asked in live.items() if asked}
        is_over = not live and told.get("status") == _WAITS
        return {**told, "interrupts": live, **({"status": "idle"} if is_over else {})}


def _value(interrupt: Any) -> Any:
    return interrupt.get("value") if isinstance(interrupt, Mapping) else None


class _Rewriting:
    """Hold a JSON answer back until it is whole, and send what is made of it."""

    def __init__(self, send: Send, rewrite: Callable[[Any], Any]) -> None:
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
        rewritten = self._rewrite(told)
        body = bytes(self._body) if rewritten == told else json.dumps(rewritten).encode()
        MutableHeaders(scope=start)["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


def _is_json(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    is_plain = "content-encoding" not in headers
    is_json = headers.get("content-type", "").startswith("application/json")
    return start["status"] == 200 and is_plain and is_json
