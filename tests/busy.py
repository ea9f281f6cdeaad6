"""Run a command beside processes that never rest: what passes then hangs on no second.

python -m tests.busy make test
"""

import subprocess
import sys

PROCESSES = 8

_NEVER_RESTS = "while True: pass"


def main() -> int:
    """Run the command that is given; return its status. The others end with it."""
    others = [subprocess.Popen([sys.executable, "-c", _NEVER_RESTS]) for _ in range(PROCESSES)]
    try:
        return subprocess.run(sys.argv[1:], check=False).returncode
    finally:
        for other in others:
            other.kill()
            other.wait()


if __name__ == "__main__":
    sys.exit(main())
