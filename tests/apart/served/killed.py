"""A `langgraph dev` that is killed and started again over the same folder and on the same port."""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from daybook.state.clock import SYSTEM
from tests.dev_server import DevServer, end, environment, free_port, until_it_serves


class Mortal:
    """Run the server, kill it, and run it again."""

    def __init__(self, project: Path, folder: Path, variables: Mapping[str, str]) -> None:
        shutil.copy(project, folder)
        self._folder = folder
        self._port = free_port()
        self._variables = variables
        self._process: asyncio.subprocess.Process | None = None
        self.url = f"http://127.0.0.1:{self._port}"

    @property
    def registry(self) -> Path:
        """Return where the server keeps which threads and runs there are."""
        return self._folder / ".langgraph_api"

    async def start(self) -> None:
        """Start it and wait until it serves."""
        with (self._folder / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"),
                *("--host", "127.0.0.1", "--port", str(self._port), "--n-jobs-per-worker", "4"),
                cwd=self._folder,
                env=os.environ | environment("http://127.0.0.1:1") | dict(self._variables),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        await until_it_serves(DevServer(self.url), self._process, self._folder / "log")

    async def kill(self) -> None:
        """End it as a machine that runs out of memory does."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()

    async def flushed(self, text: str) -> None:
        """Wait until its registry on disk holds a text; it is written every ten seconds."""
        async with SYSTEM.timeout(60):
            # Written by a thread of another process, which tells nobody.
            while not await asyncio.to_thread(self._holds, text.encode()):
                await SYSTEM.sleep(0.1)

    def _holds(self, text: bytes) -> bool:
        return any(text in file.read_bytes() for file in self.registry.glob("*.pckl"))

    def lose_registry(self) -> None:
        """Forget what was flushed, as if it was killed before that."""
        shutil.rmtree(self.registry)

    async def close(self) -> None:
        """End it, if it still runs."""
        if self._process is not None and self._process.returncode is None:
            await end(self._process)


@contextlib.asynccontextmanager
async def mortal(
    project: Path, folder: Path, variables: Mapping[str, str]
) -> AsyncIterator[Mortal]:
    """Yield a server that runs."""
    server = Mortal(project, folder, variables)
    try:
        await server.start()
        yield server
    finally:
        await server.close()
