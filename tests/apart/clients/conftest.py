"""A server, and a page made with a package that we did not write."""

import shutil
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import async_playwright

from tests.apart.servers import PROJECT, places
from tests.conftest import Shop
from tests.dev_server import dev_server

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
async def server_url_of_api(postgres_url: str, shop: Shop) -> AsyncIterator[str]:
    """Serve what langgraph.json names, on the test's database and shop."""
    async with dev_server(PROJECT, places(postgres_url, shop)) as server:
        yield server.url


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
