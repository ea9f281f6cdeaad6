"""The command line as processes, on the database and at the shop of a test."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.conftest import Shop
from tests.integration.warm_commands import PATIENCE, ROOT, warm_commands

__all__ = ["PATIENCE", "Terminal", "terminal"]


class Terminal:
    """Run `daybook` with the test's database and shop."""

    def __init__(self, postgres_url: str, shop: Shop) -> None:
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("OPENAI")},
            "DATABASE_URL": postgres_url,
            "SHOP_URL": shop.url,
            "SMTP_URL": shop.smtp_url,
        }
        self._started: list[subprocess.Popen[str]] = []

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start a command with pipes."""
        process = subprocess.Popen(
            [sys.executable, "-m", "daybook.app", *words],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._started.append(process)
        return process

    def type(self, process: subprocess.Popen[str], text: str, until: str = "") -> None:
        """Type into a process, and read until a line of it holds something."""
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(text)
        process.stdin.flush()
        while until and until not in (line := process.stdout.readline()):
            assert line

    def run(self, *words: str, lines: list[str] | None = None) -> tuple[str, str, int]:
        """Run a command to its end, in a process that is forked: output, errors, exit code."""
        said = "".join(f"{line}\n" for line in lines or [])
        return warm_commands().run(words, self.environment, said)

    def end(self) -> None:
        for process in self._started:
            if process.poll() is None:
                process.kill()
                process.communicate()


@pytest.fixture
def terminal(postgres_url: str, shop: Shop, stand_in: str) -> Iterator[Terminal]:
    terminal = Terminal(postgres_url, shop)
    try:
        yield terminal
    finally:
        terminal.end()
