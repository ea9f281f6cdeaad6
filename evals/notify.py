"""Notify of a question of the demo shop, and print what a receiver is sent: `make notify`.

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
"""

THREAD = "00000000-0000-4000-8000-000000000001"
_SECONDS = 120.0


class _Receiver(BaseHTTPRequestHandler):
    """Check what is posted, print it, and tell its type."""

    told: queue.Queue[str] = queue.Queue()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
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
        self.told.put(said["type"])

    def log_message(self, *about: object) -> None:
        """Log nothing else."""


def main() -> int:
    """Ask, notify, answer and notify again; return 0 where both were received."""
    with (
        tempfile.TemporaryDirectory(prefix="daybook-notify-") as folder,
        ThreadingHTTPServer(("127.0.0.1", 0), _Receiver) as server,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        file = Path(folder) / "policy.toml"
        file.write_text(FILE.format(url=f"http://127.0.0.1:{server.server_address[1]}/"))
        own = {"DAYBOOK_POLICY": str(file), "RECEIVER_SECRETS": SECRET}
        environment = {**os.environ, "DAYBOOK_HOME": folder, **own}
        worker = subprocess.Popen([sys.executable, "-m", "daybook", "worker"], env=environment)
        try:
            _said(environment, "add BOOT-013\ncheck out\n")
            first = _Receiver.told.get(timeout=_SECONDS)
            _said(environment, "y\n")
            second = _Receiver.told.get(timeout=_SECONDS)
        finally:
            worker.terminate()
            worker.wait()
            server.shutdown()
    return 0 if (first, second) == ("daybook.question", "daybook.settled") else 1


def _said(environment: dict[str, str], lines: str) -> None:
    """Say some lines in the conversation, as a person does at a terminal."""
    command = [sys.executable, "-m", "daybook", "chat", "--thread", THREAD]
    subprocess.run(command, input=lines, text=True, env=environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
