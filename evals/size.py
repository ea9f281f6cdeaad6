"""Count lines of Python by folder against the bounds in pyproject.toml; exit 1 above one."""

from __future__ import annotations

import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

PRODUCT = ("state", "checkpoints", "nodes", "graph", "tools", "app")
FOLDERS = (*PRODUCT, "product", "demo", "evals", "tests", "testing")

ELSEWHERE = {"testing": "src/daybook/testing"}
"""Where a folder stands that is not at the top."""


@dataclass(frozen=True)
class Size:
    """Lines of a folder.

    Attributes:
        bound: most lines that this release may have; None where only the sum is bounded.
        target: lines that the design aims at.
    """

    folder: str
    lines: int
    bound: int | None
    target: int

    @property
    def is_above(self) -> bool:
        """Tell whether it is over its bound."""
        return self.bound is not None and self.lines > self.bound


def sizes(root: Path = ROOT) -> list[Size]:
    """Count the lines of every folder that has a bound or a target."""
    table = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["daybook"]["size"]
    return [
        Size(
            folder=folder,
            lines=sum(
                _lines(root / ELSEWHERE.get(one, one))
                for one in (PRODUCT if folder == "product" else (folder,))
            ),
            bound=table["bounds"].get(folder),
            target=table["targets"][folder],
        )
        for folder in FOLDERS
    ]


def _lines(folder: Path) -> int:
    return sum(len(path.read_bytes().splitlines()) for path in folder.rglob("*.py"))


def main() -> int:
    """Print the table; return the exit code."""
    found = sizes()
    print(f"{'folder':<12} {'lines':>7} {'bound':>7} {'target':>7}")
    for one in found:
        bound = str(one.bound) if one.bound is not None else ""
        mark = "  ABOVE ITS BOUND" if one.is_above else ""
        print(f"{one.folder:<12} {one.lines:>7} {bound:>7} {one.target:>7}{mark}")
    return int(any(one.is_above for one in found))


if __name__ == "__main__":
    sys.exit(main())
