"""Both over HTTP, on one port: the desk, and below /v1 the stand-in for a model's provider."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from service.desk import Answer, Desk
from service.model import stream


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
