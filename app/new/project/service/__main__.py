"""Run a command beside the fake service: `python -m service -- COMMAND`."""

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
    parser.add_argument("--keep", type=Path, help="a file for what was done, else it is forgotten")
    parser.add_argument("command", nargs="+", help="is told SERVICE_URL")
    given = parser.parse_args()
    with serve({"desk": Desk(keep=given.keep)}) as url:
        child = subprocess.Popen(given.command, env={**os.environ, "SERVICE_URL": f"{url}/desk"})
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                """The command has heard it too, and says what becomes of its work."""


if __name__ == "__main__":
    sys.exit(main())
