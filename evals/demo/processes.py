"""Run the sides' commands as processes, and see how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from daybook.state.clock import SYSTEM

_AMBIENT = ("OPENAI", "DAYBOOK", "LANGSMITH", "LANGCHAIN", "DATABASE_URL", "SHOP_URL", "SMTP_URL")


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Attributes:
        code: its exit code; the negative number of the signal that killed it.
        at: UTC.
        output: all that it wrote, line by line.
    """

    pid: int
    code: int
    at: datetime
    output: list[str]

    @property
    def was_killed(self) -> bool:
        """Tell whether SIGKILL ended it."""
        return self.code == -signal.SIGKILL


def run(
    command: Sequence[str],
    environment: Mapping[str, str],
    said: Sequence[str],
    hear: Callable[[str], None],
) -> Ended:
    """Run a Python module to its end.

    Args:
        command: the module and its arguments.
        said: lines of its standard input, which ends after them.
        hear: told each line as it is written, standard error included.
    """
    output = []
    with subprocess.Popen(
        [sys.executable, "-m", *command],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("".join(f"{line}\n" for line in said))
            process.stdin.close()
            for line in process.stdout:
                output.append(line.rstrip())
                hear(line.rstrip())
        except BaseException:
            process.kill()
            raise
    return Ended(process.pid, process.returncode, SYSTEM.now(), output)


def clean_environment(**more: str) -> dict[str, str]:
    """Copy the environment without what is set for Daybook: the demo runs on its own things."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_AMBIENT) and not name.lower().endswith("_proxy")
    }
    return {**kept, "PYTHONUNBUFFERED": "1", **more}
