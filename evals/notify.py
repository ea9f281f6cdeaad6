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
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

from daybook.testing import Answer, Request
from daybook.testing.http import serve
from evals.servers import free_port

SECRET = "whsec_YSBzZWNyZXQgb2YgdGhpcyBkZW1vIGFsb25l"

THREAD = "00000000-0000-4000-8000-000000000001"
_SECONDS = 120.0

_TOLD: queue.Queue[str] = queue.Queue()


class _Post:
    """Take mails and print them."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        print(f"\nA mail to {envelope.rcpt_tos[0]}:\n{envelope.content.decode()}", flush=True)
        _TOLD.put("mail")
        return "250 taken"


class _Receiver:
    """Check what is posted, print it, and tell its type (a `Service` of `daybook.testing`)."""

    def handle(self, request: Request) -> Answer:
        said = json.dumps(request.json(), indent=2)
        if request.path == "/slack":
            print(f"\nSlack is sent:\n{said}", flush=True)
            _TOLD.put("slack")
            return Answer(200)
        told = request.headers
        signed = f"{told['webhook-id']}.{told['webhook-timestamp']}.".encode() + request.body
        key = base64.b64decode(SECRET.removeprefix("whsec_"))
        right = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
        is_good = f"v1,{right}" in told["webhook-signature"].split()
        print(f"\nReceived {told['webhook-id']}, signature {'good' if is_good else 'BAD'}:\n{said}")
        _TOLD.put(request.json()["type"])
        return Answer(204 if is_good else 401)


def main() -> int:
    """Ask, notify by each channel, answer and notify again; return 0 where all was received."""
    post = Controller(_Post(), hostname="127.0.0.1", port=free_port())
    with (
        tempfile.TemporaryDirectory(prefix="daybook-notify-") as folder,
        serve({"receiver": _Receiver()}) as served,
    ):
        post.start()
        file, url = Path(folder) / "policy.toml", f"{served}/receiver"
        file.write_text(
            Path(__file__).with_suffix(".toml").read_text("utf-8").format(url=f"{url}/")
        )
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
            post.stop()
    told = asked == {"daybook.question", "slack", "mail"} and ended == "daybook.settled"
    return 0 if told else 1


def _said(environment: dict[str, str], lines: str) -> None:
    """Say some lines in the conversation, as a person does at a terminal."""
    command = [sys.executable, "-m", "daybook", "chat", "--thread", THREAD]
    subprocess.run(command, input=lines, text=True, env=environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
