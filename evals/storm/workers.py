"""The workers: `daybook worker` processes that die, are suspended and are started again."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from daybook.state.clock import SYSTEM

_ROOT = Path(__file__).parents[2]
_SIGNS = ("Traceback", "Error:", "GIVEN UP")
_SESSIONS = re.compile(r"sessions (daybook-\S+)")


class Worker:
    """Follow one worker.

    Attributes:
        jobs: how many threads it has looked at.
        errors: a line that no worker should write, and what it wrote after that.
        sessions: by which name the database knows it; "" until it works.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._begun = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())
        self.pid = process.pid
        self.jobs = 0
        self.errors: list[str] = []
        self.sessions = ""
        self.is_suspended = False

    @property
    def lives(self) -> bool:
        """Tell whether it has not ended."""
        return self._process.returncode is None

    async def kill(self) -> datetime:
        """Kill it, and return when (UTC)."""
        at = SYSTEM.now()
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._listening
        await self._process.wait()
        return at

    def suspend(self) -> datetime:
        """Suspend it, and return when (UTC)."""
        at = SYSTEM.now()
        os.kill(self.pid, signal.SIGSTOP)
        self.is_suspended = True
        return at

    def wake(self) -> None:
        """Let it go on after it was suspended."""
        os.kill(self.pid, signal.SIGCONT)
        self.is_suspended = False

    async def stop(self) -> int:
        """Let it end what it does and stop; return its exit code."""
        # One that only starts has no handler yet, and would just die.
        await self._begun.wait()
        with suppress(ProcessLookupError):
            self._process.terminate()
        await self._listening
        return await self._process.wait()

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        while read := await self._process.stdout.readline():
            line = read.decode(errors="replace").rstrip()
            if found := _SESSIONS.search(line):
                self.sessions = found[1]
                self._begun.set()
            self.jobs += " thread " in line
            if self.errors or any(sign in line for sign in _SIGNS):
                self.errors.append(line)
        self._begun.set()


class Workers:
    """Start workers on one database and one shop."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self._environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("OPENAI", "DAYBOOK", "LANGSMITH", "LANGCHAIN"))
        } | dict(settings)
        self.all: list[Worker] = []

    @property
    def alive(self) -> list[Worker]:
        """Return those that have not ended."""
        return [worker for worker in self.all if worker.lives]

    @property
    def up(self) -> list[Worker]:
        """Return those that work: started, neither dead nor suspended."""
        return [one for one in self.alive if one.sessions and not one.is_suspended]

    async def start(self) -> Worker:
        """Start one more."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "daybook.app", "worker"),
            cwd=_ROOT,
            env=self._environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        worker = Worker(process)
        self.all.append(worker)
        return worker

    async def close(self) -> None:
        """Kill what still lives."""
        for worker in self.alive:
            await worker.kill()
