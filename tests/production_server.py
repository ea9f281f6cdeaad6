"""Start `daybook serve --production`, in the environment that DAYBOOK_PRODUCTION names."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx

from daybook.state.clock import SYSTEM
from evals.load.server import open_redis
from tests.dev_server import DevServer, counting_proxy, end, environment, free_port

PYTHON = os.environ.get("DAYBOOK_PRODUCTION", "")
"""The Python of an environment that has the extra `production`; nothing leaves its tests out."""

ROOT = Path(__file__).parents[1]


@asynccontextmanager
async def production_server(
    variables: Mapping[str, str], processes: int = 2, port: int | None = None
) -> AsyncIterator[DevServer]:
    """Yield a server of several processes, with a worker beside them."""
    port = port or free_port()
    server = DevServer(f"http://127.0.0.1:{port}")
    with tempfile.TemporaryDirectory() as name:
        folder = server.folder = Path(name)
        async with open_redis(folder) as redis_url, counting_proxy(server.calls_out) as proxy:
            with (folder / "log").open("wb") as log:
                process = await asyncio.create_subprocess_exec(
                    *(PYTHON, "-m", "daybook.app", "serve", "--production", "--port", str(port)),
                    *("--processes", str(processes)),
                    cwd=folder,
                    env=os.environ
                    | environment(proxy)
                    | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "DAYBOOK_HOME": str(folder)}
                    | {"REDIS_URL": redis_url}
                    | dict(variables),
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            try:
                await _until_it_serves(server, process)
                yield server
            finally:
                await end(process)


async def _until_it_serves(server: DevServer, process: asyncio.subprocess.Process) -> None:
    ready = 0
    async with httpx.AsyncClient(trust_env=False) as http, SYSTEM.timeout(240):
        while ready < 10:
            if process.returncode is not None:
                raise RuntimeError(f"it ended:\n{(server.folder / 'log').read_text()[-4000:]}")
            with suppress(httpx.TransportError):
                is_ready = (await http.get(f"{server.url}/ready")).is_success
                ready = ready + 1 if is_ready else 0
            if not ready:
                await SYSTEM.sleep(0.2)
