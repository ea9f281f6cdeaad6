"""The files that hold something made from the code, and what they hold then.

In a page that people write, what is made stands between two comments:

    <!-- made: recovery -->
    ...
    <!-- end -->
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from docs.made.commands import commands
from docs.made.drawing import drawing
from docs.made.errors import errors
from docs.made.extras import extras, versions
from docs.made.face import face, face_described
from docs.made.pictures import crash, parts, write_path
from docs.made.plots import cost, peers
from docs.made.stand_in import stand_in
from docs.made.tables import moments, moves_table, nodes, recovery_table, variables

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

PARTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "errors": errors,
    "extras": extras,
    "face": face,
    "face described": face_described,
    "moments": moments,
    "moves": moves_table,
    "nodes": nodes,
    "recovery": recovery_table,
    "stand in": stand_in,
    "variables": variables,
    "versions": versions,
}
"""What can be made, by the name that a page asks for it with."""

IMAGES: dict[str, Callable[[], str]] = {
    "cost": cost,
    "crash": crash,
    "parts": parts,
    "peers": peers,
    "states": drawing,
    "write_path": write_path,
}
"""The pictures that are made, by the name of their file."""

_PART = re.compile(r"(<!-- made: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def made() -> dict[Path, str]:
    """Return the files that hold something made, each with the text that it has to have."""
    pages = (ROOT / "README.md", *sorted(DOCS.glob("*.md")))
    texts = {page: page.read_text() for page in pages}
    found = {page: _PART.sub(_filled, text) for page, text in texts.items() if _PART.search(text)}
    images = {DOCS / "images" / f"{name}.svg": draw() for name, draw in IMAGES.items()}
    return {**found, **images}


def written(path: Path) -> str:
    """Return what a file holds now; nothing where there is none."""
    return path.read_text() if path.exists() else ""


def _filled(part: re.Match[str]) -> str:
    begin, name, end = part.groups()
    return f"{begin}\n{PARTS[name]().strip()}\n\n{end}"
