"""Run the fake service: `python -m service`, or for as long as a command runs that uses it."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from service.desk import Desk, open_server


def main() -> int:
    """Serve until the command ends, or without one until this process is ended."""
    parser = argparse.ArgumentParser(prog="python -m service", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    parser.add_argument("--keep", type=Path, help="a file for what was done, else it is forgotten")
    parser.add_argument("command", nargs="*", help="is told SERVICE_URL, and the stand-in model")
    given = parser.parse_args()
    with open_server(Desk(given.keep), given.port) as server:
        url = f"http://127.0.0.1:{server.server_address[1]}"
        if not given.command:
            print(url, flush=True)
            server.serve_forever()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return _run(given.command, url)


def _run(command: list[str], url: str) -> int:
    child = subprocess.Popen(command, env={**os.environ, **told(url)})
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            """The command has heard it too, and says what becomes of its work."""


def told(url: str) -> dict[str, str]:
    """Return what an agent is told by the environment; the stand-in where no provider is set."""
    if os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL"):
        return {"SERVICE_URL": url}
    return {"SERVICE_URL": url, "OPENAI_BASE_URL": f"{url}/v1", "NO_PROXY": "127.0.0.1"}


if __name__ == "__main__":
    sys.exit(main())
