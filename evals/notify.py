"""Notify of a question of the demo shop, and print what receivers are sent: `make notify`.

A Postgres, a shop and a worker of its own, below a folder that is removed at the end.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

from evals.servers import free_port

SECRET = "whsec_YSBzZWNyZXQgb2YgdGhpcyBkZW1vIGFsb25l"

FILE = """
[notifications]
console = "https://daybook.example.com"

[[notify]]
name = "receiver"
channel = "webhook"
to = "{url}"
secret = "RECEIVER_SECRETS"
inside = true

[[notify]]
name = "slack"
channel = "slack"
secret = "SLACK_URL"
inside = true

[[notify]]
name = "mail"
channel = "email"
to = "clerks@example.com"
secret = "MAIL_URL"
"""

THREAD = "00000000-0000-4000-8000-000000000001"
_SECONDS = 120.0

_TOLD: queue.Queue[str] = queue.Queue()


class _Post:
    """Take mails and print them."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        print(f"\nA mail to {envelope.rcpt_tos[0]}:\n{envelope.content.decode()}", flush=True)
        _TOLD.put("mail")
        return "250 taken"


class _Receiver(BaseHTTPRequestHandler):
    """Check what is posted, print it, and tell its type."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/slack":
            print(f"\nSlack is sent:\n{json.dumps(json.loads(body), indent=2)}", flush=True)
            self.send_response(200)
            self.end_headers()
            return _TOLD.put("slack")
        signed = (
            f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        )
        key = base64.b64decode(SECRET.removeprefix("whsec_"))
        right = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
        is_good = f"v1,{right}" in self.headers["webhook-signature"].split()
        said = json.loads(body)
        print(f"\nReceived {self.headers['webhook-id']}, signature {'good' if is_good else 'BAD'}:")
        print(json.dumps(said, indent=2), flush=True)
        self.send_response(204 if is_good else 401)
        self.end_headers()
        return _TOLD.put(said["type"])

    def log_message(self, *about: object) -> None:
        """Log nothing else."""


def main() -> int:
    """Ask, notify by each channel, answer and notify again; return 0 where all was received."""
    post = Controller(_Post(), hostname="127.0.0.1", port=free_port())
    with (
        tempfile.TemporaryDirectory(prefix="daybook-notify-") as folder,
        ThreadingHTTPServer(("127.0.0.1", 0), _Receiver) as server,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        post.start()
        file = Path(folder) / "policy.toml"
        url = f"http://127.0.0.1:{server.server_address[1]}"
        file.write_text(FILE.format(url=f"{url}/"))
        own = {"DAYBOOK_POLICY": str(file), "RECEIVER_SECRETS": SECRET}
        own |= {"SLACK_URL": f"{url}/slack", "MAIL_URL": f"smtp://127.0.0.1:{post.port}"}
        environment = {**os.environ, "DAYBOOK_HOME": folder, **own}
        worker = subprocess.Popen([sys.executable, "-m", "daybook", "worker"], env=environment)
        try:
            _said(environment, "add BOOT-013\ncheck out\n")
            asked = {_TOLD.get(timeout=_SECONDS) for _ in range(3)}
            _said(environment, "y\n")
            ended = _TOLD.get(timeout=_SECONDS)
        finally:
            worker.terminate()
            worker.wait()
            server.shutdown()
            post.stop()
    told = asked == {"daybook.question", "slack", "mail"} and ended == "daybook.settled"
    return 0 if told else 1


def _said(environment: dict[str, str], lines: str) -> None:
    """Say some lines in the conversation, as a person does at a terminal."""
    command = [sys.executable, "-m", "daybook", "chat", "--thread", THREAD]
    subprocess.run(command, input=lines, text=True, env=environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
