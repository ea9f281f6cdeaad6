"""What an install brings: versions and extras, from pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from docs.made.tables import table

_FILE = Path(__file__).parents[2] / "pyproject.toml"

_NOT_SHOWN = ("dev", "docs", "run", "test")
"""Extras of this repository's own commands."""


def extras() -> str:
    """Make the table of extras: what each is for, by the comment above it, and what it installs.

    Raises:
        LookupError: an extra has no comment.
    """
    found = tomllib.loads(_FILE.read_text())["project"]["optional-dependencies"]
    rows = []
    for extra, packages in found.items():
        if extra in _NOT_SHOWN:
            continue
        comment = re.search(rf"((?:^# .*\n)+){extra} = \[", _FILE.read_text(), re.MULTILINE)
        if comment is None:
            raise LookupError(f"pyproject.toml says nothing above the extra {extra}")
        use = re.sub(r" \(docs/\S*\)", "", comment[1].replace("\n# ", " ").removeprefix("# "))
        use = re.sub(r"(?<!`)\b[A-Z]+(?:_[A-Z]+)+\b", r"`\g<0>`", use.strip().rstrip("."))
        rows.append((f"`{extra}`", use, ", ".join(_package(one) for one in packages)))
    return table(("extra", "for", "installs"), rows)


def versions() -> str:
    """Make the table of what the core needs, with the versions that are admitted."""
    project = tomllib.loads(_FILE.read_text())["project"]
    python = re.findall(r":: Python :: (3\.\d+)", "\n".join(project.get("classifiers", ())))
    rows = [(_package(one), _range(one)) for one in project["dependencies"]]
    first = ("Python", ", ".join(python) or _range(project["requires-python"]))
    return table(("package", "versions"), (first, *rows))


def _package(requirement: str) -> str:
    name = re.split(r"[<>=;]", requirement)[0].strip()
    if own := re.fullmatch(r"daybook-agent\[(.*)\]", name):
        return ", ".join(f"`{extra}`" for extra in own[1].split(","))
    return re.sub(r"\[.*\]", "", name)


def _range(requirement: str) -> str:
    limits = re.findall(r"(>=|<)([\d.]+)", requirement.partition(";")[0])
    words = {">=": "{} or newer", "<": "below {}"}
    return ", ".join(words[sign].format(version) for sign, version in limits)
