"""A server as `make serve` starts it, and a page made with a package that we did not write."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import async_playwright

from daybook.state.clock import SYSTEM
from tests.apart.servers import places
from tests.conftest import Shop
from tests.dev_server import free_port

HERE = Path(__file__).parent
ROOT = HERE.parents[2]

PATIENCE = 60.0

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""


@pytest.fixture(scope="package")
def page_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Install the client's packages, bundle the page, and serve it from an origin of its own."""
    npm = shutil.which("npm")
    assert npm is not None, "npm is not on this machine"
    assert shutil.which("node"), "node is not on this machine"
    installed = HERE / "node_modules" / ".package-lock.json"
    lock = HERE / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        tried = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
        assert tried.returncode == 0, f"npm cannot install: {tried.stderr.strip()[-300:]}"
    folder = tmp_path_factory.mktemp("page")
    shutil.copy(HERE / "page.html", folder)
    esbuild = HERE / "node_modules" / ".bin" / "esbuild"
    subprocess.run(
        [
            *(esbuild, "chat.jsx", "--bundle", "--jsx=automatic", "--log-level=warning"),
            f"--outfile={folder / 'chat.js'}",
        ],
        cwd=HERE,
        check=True,
    )
    with _serving(folder) as url:
        yield f"{url}/page.html"


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing on the console."""


@pytest.fixture
async def settings(postgres_url: str, shop: Shop) -> dict[str, str]:
    """Return the environment of a server on the test's database and shop."""
    return {**os.environ, **places(postgres_url, shop), "LANGSMITH_TRACING": "false"}


@pytest.fixture
async def server_url_of_api(settings: dict[str, str], tmp_path: Path) -> AsyncIterator[str]:
    """Serve as `make serve` does, on a free port."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    with (tmp_path / "log").open("w+") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "daybook.app", "serve", "--port", str(port)),
            cwd=ROOT,
            env=settings,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            async with httpx.AsyncClient(trust_env=False) as http, SYSTEM.timeout(PATIENCE):
                while not await _serves(http, url):
                    assert process.returncode is None, (tmp_path / "log").read_text()
                    await SYSTEM.sleep(0.1)
            yield url
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            async with SYSTEM.timeout(PATIENCE):
                await process.wait()


async def _serves(http: httpx.AsyncClient, url: str) -> bool:
    with suppress(httpx.TransportError):
        return (await http.get(f"{url}/ok")).is_success
    return False


@pytest.fixture
async def window() -> AsyncIterator[Any]:
    """Open a window of a headless Chromium."""
    assert CHROMIUM, "There is no Chromium on this machine: `make browser` installs Debian's."
    async with async_playwright() as tools:
        browser = await tools.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield await browser.new_page()
        await browser.close()


def token_of(user: str, settings: dict[str, str]) -> str:
    """Make a token, as an operator does."""
    command = [sys.executable, "-m", "daybook.app", "token", user]
    made = subprocess.run(
        command, cwd=ROOT, env=settings, capture_output=True, text=True, check=True
    )
    return made.stdout.split()[-1]
