"""Seeds that ever failed, and the line by which another one is kept."""

from __future__ import annotations

import subprocess
from pathlib import Path

_KEPT = Path(__file__).with_name("failed.txt")


def failed() -> list[str]:
    """Return the seeds that ever failed."""
    lines = _KEPT.read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines if line and not line.startswith("#")]


def line_of(seed: str, why: str) -> str:
    """Write the line that keeps a seed which fails now."""
    asked = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=_KEPT.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{seed} {asked.stdout.strip() or '-'} {why.splitlines()[0]}"
