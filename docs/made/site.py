"""What mkdocs is told beyond mkdocs.yml: the pages are plain files of a repository first.

* A link from a page to a file of the repository leads to a copy of that file in the site, so that
  no link is broken without a network. A link to a folder becomes text.
* A page that would load something from another host is refused.
* The search ranks guides above reference pages.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

BOOSTS = {
    **dict.fromkeys(("install.md", "tools.md", "approvals.md"), 4.0),
    **dict.fromkeys(("agents.md", "from_middleware.md"), 2.0),
    **dict.fromkeys(("cost.md", "errors.md", "evidence.md", "http_api.md", "protocol.md"), 0.5),
    **dict.fromkeys(("api.md", "commands.md", "stand_in.md", "variables.md"), 0.25),
}
"""How much a page counts in the search, where it is not 1: as `search.boost` in its front matter,
which GitHub would show as a table."""

_LINK = re.compile(r"\[([^\]]*)\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)")
_LOADED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"']?(?:https?:)?//[^>]*>")
_COPIES = "source"


def on_files(files: Files, config: Any) -> Files:
    """Add the files of the repository that pages link to."""
    for path in sorted(_led_to()):
        copy = f"{_COPIES}/{path.as_posix()}.txt"
        files.append(File.generated(config, copy, content=(ROOT / path).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links to files of the repository into links to copies, and set the search boost."""
    if boost := BOOSTS.get(page.file.src_uri):
        page.meta["search"] = {"boost": boost}
    begin = DOCS / page.file.src_uri
    return _LINK.sub(lambda link: _in_site(link, begin), markdown)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Refuse a page that loads something from another host.

    Raises:
        PluginError: it does; the site must work without a network.
    """
    if found := _LOADED.search(output):
        raise PluginError(f"{page.file.src_uri} would load from another host: {found[0]}")
    return output


def _led_to() -> set[PurePosixPath]:
    """Return the files of the repository, beside pages, that any page links to."""
    found = set()
    for page in DOCS.glob("*.md"):
        for link in _LINK.finditer(page.read_text()):
            path = _meant(link[2], page)
            if path.parts[0] != "docs" and (ROOT / path).is_file():
                found.add(path)
    return found


def _meant(target: str, page: Path) -> PurePosixPath:
    """Return which path of the repository a link of a page means."""
    return PurePosixPath(os.path.relpath(os.path.normpath(page.parent / target), ROOT))


def _in_site(link: re.Match[str], page: Path) -> str:
    words, target, anchor = link[1], link[2], link[3] or ""
    path = _meant(target, page)
    if path.parts[0] == "docs":
        return f"[{words}]({PurePosixPath(*path.parts[1:])}{anchor})"
    if (ROOT / path).is_file():
        return f"[{words}]({_COPIES}/{path}.txt)"
    return words if words.startswith("`") else f"`{path}`"
