"""What a wheel holds is what stands here: a package that is not named is missing where it runs."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_package_is_named_and_every_name_is_one():
    outside = {"tests", "notebooks", "docs"}
    found = {
        ".".join(one.parent.relative_to(ROOT).parts)
        for one in ROOT.glob("*/**/__init__.py")
        if not one.relative_to(ROOT).parts[0].startswith(".")
        and one.relative_to(ROOT).parts[0] not in outside
    }
    assert sorted(found) == PROJECT["tool"]["setuptools"]["packages"]
