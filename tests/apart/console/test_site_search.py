"""The search of the documentation, in a browser: the page that a reader looks for comes first."""

import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.apart.servers import PROJECT

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, to be opened from files, as the one of `make docs`."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)]
    subprocess.run(build, cwd=PROJECT.parent, check=True, env={"NO_MKDOCS_2_WARNING": "1"})
    return folder


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("install", "install.html"),
        ("add a tool", "tools.html"),
        ("approve", "approvals.html"),
        ("RDS", "database.html"),
        ("crash test", "testing.html"),
    ],
)
async def test_a_search_finds_the_right_page_first(browser: Any, site: Path, text: str, page: str):
    window = await browser.new_page()
    await window.goto(f"file://{site}/index.html")
    await window.get_by_role("textbox", name="Search").press_sequentially(text)
    first = window.locator(".md-search-result__item a").first
    assert urlsplit(await first.get_attribute("href")).path.endswith(f"/{page}")
