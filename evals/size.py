"""Count lines of Python by folder against the bounds in pyproject.toml; exit 1 above one.

Also what an adopter takes on: names to learn, modules that the first effect loads, and packages
that the core installs.
"""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

from evals import write_path

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


_FIRST_EFFECT = """
import sys
from daybook import Ledger
@Ledger().effect
async def pay(cents: int) -> dict: ...
print(sum(name.partition(".")[0] == "daybook" for name in sys.modules))
"""


def exported_names() -> int:
    """Count the names that `daybook` exports."""
    import daybook

    return len(daybook.__all__)


def modules_loaded() -> int:
    """Count the modules of ours that `from daybook import Ledger` and one effect load."""
    command = [sys.executable, "-c", _FIRST_EFFECT]
    return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def core_install() -> tuple[int, int]:
    """Return the packages that `pip install` of the core brings beside ours, and their bytes.

    Of those that are installed here, by what each requires on this machine.
    """
    found: dict[str, int] = {}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = map(Requirement, project["dependencies"])
    left = [(one.name, frozenset(one.extras)) for one in wanted]
    while left:
        name, extras = left.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        known = importlib.metadata.distribution(name)
        for one in map(Requirement, known.requires or ()):
            asked = ({"extra": extra} for extra in ("", *extras))
            if one.marker is None or any(map(one.marker.evaluate, asked)):
                of = re.sub(r"[-_.]+", "-", one.name).lower()
                left += [(one.name, frozenset(one.extras))] if of not in found or one.extras else []
                found.setdefault(of, 0)
        paths = (Path(str(file.locate())) for file in known.files or ())
        found[key] = sum(path.stat().st_size for path in paths if path.exists())
    return len(found), sum(found.values())


@dataclass(frozen=True)
class Burden:
    """What an adopter takes on.

    Attributes:
        bound: most of it that this release may have; `target` is what the design aims at.
    """

    name: str
    count: int
    bound: int
    target: int


def burdens() -> list[Burden]:
    """Count what an adopter takes on, beside its bounds in pyproject.toml."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["daybook"]["size"]
    packages, size = core_install()
    counts = {
        "exported names": exported_names(),
        "modules that one effect loads": modules_loaded(),
        "packages of the core": packages,
        "MB of the core": round(size / 1e6),
    }
    return [Burden(name, count, *table["adopter"][name]) for name, count in counts.items()]


def path_length(entered: int) -> Burden:
    """Return how many functions of the write path one approved write enters, beside its bounds."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["daybook"]["size"]
    name = "functions of an approved write"
    return Burden(name, entered, *table["adopter"][name])


def main() -> int:
    """Print the tables; return the exit code."""
    found = sizes()
    print(f"{'folder':<12} {'lines':>7} {'bound':>7} {'target':>7}")
    for one in found:
        bound = str(one.bound) if one.bound is not None else ""
        mark = "  ABOVE ITS BOUND" if one.is_above else ""
        print(f"{one.folder:<12} {one.lines:>7} {bound:>7} {one.target:>7}{mark}")
    print(f"\n{'for an adopter':<32} {'count':>7} {'bound':>7} {'target':>7}")
    for burden in [*burdens(), path_length(write_path.measured())]:
        mark = "  ABOVE ITS BOUND" if burden.count > burden.bound else ""
        print(f"{burden.name:<32} {burden.count:>7} {burden.bound:>7} {burden.target:>7}{mark}")
    return int(any(one.is_above for one in found))


if __name__ == "__main__":
    sys.exit(main())
