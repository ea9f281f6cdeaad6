"""Both over HTTP, on one port: a hire desk, and below /v1 a stand-in for a model's provider.

The desk holds bikes, takes them back and charges cards. Releases and charges honour idempotency
keys; holds do not, but can be looked up. The stand-in speaks OpenAI's chat completions and knows
two phrases; it is asked where no OPENAI_API_KEY is set.
"""

from __future__ import annotations

import json
import re
import threading
import uuid
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlsplit

BIKES = {"blue": 1_500, "red": 2_500, "cargo": 6_000, "gold": 30_000}
"""Each bike and its price for a day, in cents."""

CARD = 20_000
"""What a card is good for, in cents."""

Answer: TypeAlias = tuple[int, dict[str, Any]]


class Desk:
    """What was really done, and keep it in a file if there is one.

    Attributes:
        effects: what was done, in order: its path, its number, and under which reference.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._lock = threading.Lock()
        kept = json.loads(file.read_text()) if file and file.exists() else {}
        self.effects: list[dict[str, Any]] = kept.get("effects", [])
        self._answers: dict[str, Answer] = kept.get("answers", {})

    def look(self, path: str, asked: dict[str, str]) -> Answer:
        """List the bikes that are free on a day, or what was done under a reference."""
        with self._lock:
            if path == "/effects":
                return 200, {"effects": self.effects}
            if path == "/bikes":
                free = [bike for bike in BIKES if not self._is_taken(bike, asked.get("day"))]
                prices = [{"bike": b, "amount": BIKES[b], "currency": "EUR"} for b in free]
                return 200, {"bikes": prices}
            done = [one for one in self.effects if one["path"] == path]
            return 200, {"matches": [o for o in done if o["reference"] == asked.get("reference")]}

    def act(self, path: str, body: dict[str, Any], key: str) -> Answer:
        """Do one effect; under a key that it honours, once."""
        with self._lock:
            if path != "/holds" and key in self._answers:
                return self._answers[key]
            answer = self._answers[key] = self._do(path, body)
            if self._file:
                kept = {"effects": self.effects, "answers": self._answers}
                self._file.parent.mkdir(parents=True, exist_ok=True)
                self._file.write_text(json.dumps(kept))
            return answer

    def _do(self, path: str, body: dict[str, Any]) -> Answer:
        if path == "/holds":
            if self._is_taken(body["bike"], body["day"]):
                return _no("taken", "That bike has just been taken.")
        elif path in ("/releases", "/charges"):
            held = next((h for h in self.effects if h["id"] == body["hold"]), None)
            if held is None or held["state"] != "held":
                return _no("no_hold", "That bike is not held any more.")
            if path == "/charges" and body["amount"] > CARD:
                return _no("card_declined", "The card was declined.")
            held["state"] = {"/releases": "free", "/charges": "hired"}[path]
        else:
            return 404, {"error": "no_such_page", "message": "There is no such page."}
        # Never given twice, whatever was forgotten: the agent knows an effect by it.
        number = f"{path[1].upper()}-{uuid.uuid4().hex[:12]}"
        done = {**body, "id": number, "path": path, "state": "held"}
        self.effects.append(done)
        return 200, done

    def _is_taken(self, bike: str, day: str | None) -> bool:
        holds = (one for one in self.effects if one["path"] == "/holds" and one["state"] != "free")
        return any((one["bike"], one["day"]) == (bike, day) for one in holds)


def _no(error: str, message: str) -> Answer:
    return 409, {"error": error, "message": message}


def open_server(desk: Desk, port: int) -> ThreadingHTTPServer:
    """Listen on a port of this machine; 0 picks a free one."""

    class Counter(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            self._say(desk.look(asked.path, dict(parse_qsl(asked.query))))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if self.path == "/v1/chat/completions":
                self._send(200, "text/event-stream", stream(body))
            else:
                self._say(desk.act(self.path, body, self.headers["idempotency-key"]))

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing on the console."""

        def _say(self, answer: Answer) -> None:
            self._send(answer[0], "application/json", json.dumps(answer[1]).encode())

        def _send(self, status: int, kind: str, content: bytes) -> None:
            try:
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                """Whoever asked has hung up, or was killed."""

    return ThreadingHTTPServer(("127.0.0.1", port), Counter)


# -- the stand-in ------------------------------------------------------------

_HIRE = re.compile(r"hire (?:the )?(?P<bike>\w+)(?: bike)? on (?P<day>\d{4}-\d\d-\d\d)", re.I)
_FIND = re.compile(r"bikes.* on (?P<day>\d{4}-\d\d-\d\d)", re.I)

_HELP = 'I am a stand-in for a model. Say "bikes on 2031-05-06" or "hire red on 2031-05-06".'


def stream(asked: dict[str, Any]) -> bytes:
    """Answer a request for a chat completion as a stream of events."""
    about = {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "stand-in"}
    events = [{**about, "choices": [{"index": 0, **choice}]} for choice in _choices(asked)]
    return "".join(f"data: {event}\n\n" for event in [*map(json.dumps, events), "[DONE]"]).encode()


def _choices(asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    messages = asked["messages"]
    last = max(place for place, one in enumerate(messages) if one["role"] == "user")
    results = [_text(one) for one in messages[last:] if one["role"] == "tool"]
    call = None if results else _call(_text(messages[last]))
    if call is None:
        said = {"role": "assistant", "content": results[-1] if results else _HELP}
        yield {"delta": said, "finish_reason": None}
        yield {"delta": {}, "finish_reason": "stop"}
    else:
        calls = [{"index": 0, "id": f"call-{last}", "type": "function", "function": call}]
        yield {"delta": {"role": "assistant", "tool_calls": calls}, "finish_reason": None}
        yield {"delta": {}, "finish_reason": "tool_calls"}


def _call(said: str) -> dict[str, str] | None:
    if hire := _HIRE.search(said):
        bike, day = hire["bike"].lower(), hire["day"]
        return {"name": "hire_bike", "arguments": json.dumps({"bike": bike, "day": day})}
    if find := _FIND.search(said):
        return {"name": "find_bikes", "arguments": json.dumps({"day": find["day"]})}
    return None


def _text(message: dict[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)
