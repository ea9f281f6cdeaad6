"""Start `langgraph dev` on a copy of a project, and end it."""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from daybook.state.clock import SYSTEM


@dataclass
class DevServer:
    """A running server: where it is, the folder that it runs in, and who it tried to call."""

    url: str
    folder: Path = Path()
    calls_out: list[str] = field(default_factory=list)


def free_port() -> int:
    """Return a port that nobody uses at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


@contextlib.asynccontextmanager
async def counting_proxy(calls: list[str]) -> AsyncIterator[str]:
    """Yield the URL of a proxy that forwards nothing and notes every request."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        calls.append((await reader.readline()).decode(errors="replace"))
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as proxy:
        yield f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}"


@contextlib.asynccontextmanager
async def dev_server(
    project: Path, variables: Mapping[str, str], jobs: str = "4"
) -> AsyncIterator[DevServer]:
    """Yield a server on a project folder of its own.

    Args:
        project: its folder, or its langgraph.json where all packages are installed.
        variables: of its environment.
        jobs: runs that it takes up at a time.
    """
    server = DevServer(f"http://127.0.0.1:{(port := free_port())}")
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        proxy = await stack.enter_async_context(counting_proxy(server.calls_out))
        copied = server.folder = _copied(project, folder / "project")
        log = stack.enter_context((folder / "log").open("w+b"))
        process = await asyncio.create_subprocess_exec(
            Path(sys.executable).with_name("langgraph"),
            *("dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port)),
            *("--n-jobs-per-worker", jobs),
            cwd=copied,
            env=os.environ | environment(proxy) | dict(variables),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            await until_it_serves(server, process, folder / "log")
            yield server
        finally:
            await end(process)


def _copied(project: Path, to: Path) -> Path:
    """Copy a project: the server keeps files of its own beside langgraph.json."""
    if project.is_dir():
        return shutil.copytree(project, to)
    to.mkdir()
    shutil.copy(project, to)
    return to


def environment(proxy: str) -> dict[str, str]:
    """Return what every server is told: strictness, and to call nobody."""
    return {
        "LANGGRAPH_STRICT_MSGPACK": "true",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_NO_VERSION_CHECK": "true",
        "LANGSMITH_TRACING": "false",
        "PYTHONDONTWRITEBYTECODE": "1",
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
        **{f"{name}_proxy": proxy for name in ("http", "https", "all")},
        **{f"{name}_PROXY": proxy for name in ("HTTP", "HTTPS", "ALL")},
    }


def tail(log: Path) -> str:
    """Return the end of a log file."""
    return log.read_text()[-3000:]


async def until_it_serves(
    server: DevServer, process: asyncio.subprocess.Process, log: Path
) -> None:
    """Wait until the server says that it is well; raise with its log if it ends before."""
    async with httpx.AsyncClient(trust_env=False) as http, SYSTEM.timeout(60):
        while True:
            if process.returncode is not None:
                raise RuntimeError(f"langgraph dev ended:\n{tail(log)}")
            with contextlib.suppress(httpx.TransportError):
                if (await http.get(f"{server.url}/ok")).is_success:
                    return
            await SYSTEM.sleep(0.1)


async def end(process: asyncio.subprocess.Process) -> None:
    """End the server and everything that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        async with SYSTEM.timeout(20):
            await process.wait()
    except TimeoutError:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
