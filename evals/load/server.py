"""The server under load: its processes, what they cost, and one of them killed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from daybook.state.clock import SYSTEM
from evals.load.world import free_port

_ROOT = Path(__file__).parents[2]
_PATHS = os.pathsep.join((str(_ROOT / "src"), str(_ROOT)))
"""What makes Python import this checkout, and not what is installed."""

_UP_S = 300.0
_GONE_S = 45.0
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Server:
    """A server of several processes.

    Attributes:
        starting: answers while no process was up yet, by status.
    """

    url: str
    pid: int
    log: Path
    starting: dict[int, int] = field(default_factory=dict)

    def processes(self) -> list[int]:
        """Return those that answer requests, in no order."""
        return [pid for pid in _children(self.pid) if "spawn_main" in _command(pid)]

    def worker(self) -> int:
        """Return the worker beside them; 0 where there is none at this moment."""
        return next((pid for pid in _children(self.pid) if " worker" in _command(pid)), 0)

    def own_memory(self) -> int:
        """Return the resident memory of a server of one process."""
        return _resident(self.pid)

    def everything(self) -> list[int]:
        """Return all processes of it: those that answer, the worker, and who keeps them."""
        found, waiting = [], [self.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            waiting += _children(pid)
        return found

    def cpu_seconds(self) -> float:
        """Return what it has used so far; of processes that ended, what they had used is lost."""
        return sum(map(_cpu_seconds_of, self.everything()))

    def memory_bytes(self) -> dict[int, int]:
        """Return the resident memory of each process that answers."""
        return {pid: size for pid in self.processes() if (size := _resident(pid))}

    def kill(self, *pids: int) -> None:
        """Kill some of its processes."""
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@asynccontextmanager
async def open_server(
    python: str,
    environment: Mapping[str, str],
    folder: Path,
    processes: int,
    *,
    has_worker: bool = True,
) -> AsyncIterator[Server]:
    """Run `daybook serve --production`.

    Args:
        python: of the environment that has the extra `production`.
    """
    port = free_port()
    log = folder / f"server-{port}.log"
    process = await _started(
        *(python, environment, folder, log),
        *("serve", "--production", "--port", str(port), "--processes", str(processes)),
        "--worker" if has_worker else "--no-worker",
    )
    server = Server(f"http://127.0.0.1:{port}", process.pid, log)
    try:
        await _until_up(server, process, processes)
        yield server
    finally:
        await _end(process, server)


@asynccontextmanager
async def open_worker(
    python: str, environment: Mapping[str, str], folder: Path
) -> AsyncIterator[None]:
    """Run `daybook worker` by itself, as it stands beside a server that was given none."""
    log = folder / "worker.log"
    process = await _started(python, environment, folder, log, "worker")
    try:
        yield
    finally:
        await _end(process, Server("", process.pid, log))


async def _started(
    python: str,
    environment: Mapping[str, str],
    folder: Path,
    log: Path,
    *command: str,
) -> asyncio.subprocess.Process:
    with log.open("wb") as told:
        return await asyncio.create_subprocess_exec(
            *(python, "-m", "daybook.app", *command),
            cwd=folder,
            env={**environment, "PYTHONPATH": _PATHS, "PYTHONUNBUFFERED": "1"},
            stdout=told,
            stderr=told,
            start_new_session=True,
        )


async def _until_up(server: Server, process: asyncio.subprocess.Process, processes: int) -> None:
    """Wait until each process answers: whoever asks reaches one at random, so many are asked."""
    in_a_row = 0
    async with SYSTEM.timeout(_UP_S):
        while in_a_row < 8 * processes or len(server.processes()) < (processes > 1) * processes:
            if process.returncode is not None:
                raise RuntimeError(f"the server did not start:\n{server.log.read_text()[-4000:]}")
            in_a_row = in_a_row + 1 if await _is_up(server) else 0
            if not in_a_row:
                await SYSTEM.sleep(0.2)


async def _is_up(server: Server) -> bool:
    try:
        async with httpx.AsyncClient(trust_env=False, timeout=10) as http:
            status = (await http.get(f"{server.url}/ready")).status_code
    except httpx.TransportError:
        status = 0
    server.starting[status] = server.starting.get(status, 0) + 1
    return status == 200


def complaints(server: Server) -> list[str]:
    """Return the lines of a server's log that name an error, each kind once."""
    found = re.findall(r"^\S*(?:Error|Exception|Timeout)\b.{0,160}", server.log.read_text(), re.M)
    return sorted(set(found))


async def _end(process: asyncio.subprocess.Process, server: Server) -> None:
    left = server.everything()
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with SYSTEM.timeout(_GONE_S):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _cpu_seconds_of(pid: int) -> float:
    """Return what a process has used; 0 where it is no more."""
    with suppress(OSError):
        parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / _TICKS
    return 0.0


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def _resident(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    return 0
