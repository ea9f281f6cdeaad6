"""Run a command with the fake service: `python -m service -- COMMAND`."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

from daybook.testing import serve

from service.desk import Desk


def main() -> int:
    """Serve until the command ends."""
    parser = argparse.ArgumentParser(prog="python -m service", description=__doc__)
    parser.add_argument("--keep", type=Path, help="the file that stores what the service did")
    parser.add_argument("command", nargs="+", help="the command; it gets SERVICE_URL")
    given = parser.parse_args()
    with serve({"desk": Desk(keep=given.keep)}) as url:
        child = subprocess.Popen(given.command, env={**os.environ, "SERVICE_URL": f"{url}/desk"})
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                """The command receives the signal too, and says what is unfinished."""


if __name__ == "__main__":
    sys.exit(main())
