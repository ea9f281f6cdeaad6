"""Models behind OpenAI's API, so that every call of them is seen and counted."""

from __future__ import annotations

import json
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from daybook.state.effects.keys import digest

Message = dict[str, Any]
_ASKED = "/v1/chat/completions"

Model = Callable[[Mapping[str, Any]], Message]


def calls_of(calls: Sequence[tuple[str, Mapping[str, Any]]]) -> Message:
    """Write a message that calls tools; ids are new each time, as they are with every provider."""
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": f"call_{uuid.uuid4().hex}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(args)},
            }
            for name, args in calls
        ],
    }


def text_of(message: Mapping[str, Any]) -> str:
    """Return the text of a message, which may come in parts."""
    content = message.get("content") or ""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return str(content)


class Unanswerable(Exception):
    """Raised by a model that has no answer to a request: who asks is told so, and not to retry."""


class Counted:
    """One model that is served.

    Attributes:
        url: the base URL of its provider.
        asked: the digest of each prompt that it was asked, in order.
    """

    def __init__(self, url: str, model: Model) -> None:
        self.url = url
        self.asked: list[str] = []
        self._model = model

    @property
    def calls(self) -> int:
        """Count how often it was asked."""
        return len(self.asked)

    @property
    def repeated(self) -> int:
        """Count how often it was asked what it had been asked before."""
        return len(self.asked) - len(set(self.asked))

    def reply(self, request: Mapping[str, Any]) -> Message:
        """Answer one request."""
        self.asked.append(digest(request["messages"]))
        return self._model(request)


@contextmanager
def serving(models: Mapping[str, Model]) -> Iterator[dict[str, Counted]]:
    """Serve models, each under its name, on a free port of the loopback address."""
    server = _Server(("127.0.0.1", 0), _Handler)
    url = f"http://127.0.0.1:{server.server_port}"
    served = {name: Counted(f"{url}/{name}/v1", model) for name, model in models.items()}
    server.models = {f"/{name}{_ASKED}": one for name, one in served.items()}
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    models: Mapping[str, Counted]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing where who asked was killed meanwhile."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body are written one after the other; the second would wait for the first's receipt.
    disable_nagle_algorithm = True
    server: _Server

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        asked = self.rfile.read(length)
        if len(asked) < length:
            raise ConnectionError("who asked was killed before it had said what")
        request = json.loads(asked)
        model = self.server.models.get(self.path)
        if model is None:
            self.send_error(404)
            return
        try:
            message = model.reply(request)
        except Unanswerable as why:
            told = json.dumps({"error": {"message": str(why)}})
            self._send(400, "application/json", told.encode())
            return
        if request.get("stream"):
            self._send(200, "text/event-stream", _streamed(message))
        else:
            self._send(200, "application/json", _whole(message))

    def _send(self, status: int, kind: str, answer: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: whoever serves tells what happens."""


def _whole(message: Message) -> bytes:
    choice = {"index": 0, "message": message, "finish_reason": _reason(message)}
    return json.dumps({**_ABOUT, "object": "chat.completion", "choices": [choice]}).encode()


def _streamed(message: Message) -> bytes:
    calls: Sequence[Message] = message.get("tool_calls", ())
    delta = {**message, "tool_calls": [{"index": i, **call} for i, call in enumerate(calls)]}
    events = [
        {"index": 0, "delta": delta, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": _reason(message)},
    ]
    chunks = [{**_ABOUT, "object": "chat.completion.chunk", "choices": [e]} for e in events]
    return "".join(
        [*(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks), "data: [DONE]\n\n"]
    ).encode()


def _reason(message: Message) -> str:
    return "tool_calls" if message.get("tool_calls") else "stop"


_ABOUT: Message = {"id": "chatcmpl-served", "created": 0, "model": "served"}
