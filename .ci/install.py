"""Install a lock file with pip and show progress: `python .ci/install.py requirements.lock`."""

import re
import subprocess
import sys
from pathlib import Path

_PIP = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar=off")


def main(lock: str) -> int:
    """Install what the lock names; what pip says is printed where it fails.

    Returns:
        The exit code of pip.
    """
    count = len(re.findall(r"^[\w.\[\]-]+==", Path(lock).read_text(), re.MULTILINE))
    said, collected = [], 0
    _show(f"Setting up, once: {count} packages...")
    command = [*_PIP, "--require-hashes", "-r", lock]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            said.append(line)
            count -= line.startswith("Ignoring ")  # of another platform
            if line.startswith(("Collecting ", "Requirement already satisfied: ")):
                collected = min(collected + 1, count)
                _show(
                    f"Setting up, once: {collected} of {count} packages downloaded...", again=True
                )
            elif line.startswith("Installing collected packages"):
                _show(f"Setting up, once: installing {count} packages...", again=True)
    if pip.returncode:
        print("", *said, sep="\n")
    else:
        _show(f"Set up: {count} packages installed.\n", again=True)
    return pip.returncode


def _show(text: str, *, again: bool = False) -> None:
    """Write a line in the place of the last one; without a terminal, the first and the last."""
    if sys.stdout.isatty():
        print(f"\r\x1b[K{text}", end="", flush=True)
    elif not again or text.endswith("\n"):
        print(text.rstrip("\n"), flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except KeyboardInterrupt:
        sys.exit("\nInterrupted. The same command continues the set-up.")
