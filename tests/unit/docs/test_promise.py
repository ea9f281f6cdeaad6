"""What is promised names tests that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/how_it_works.md").read_text()
PROMISED = PAGE.split("\n## What is promised\n")[1].split("\n## ")[0]
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+)(?:\[(.+?)\])?)?`", PROMISED)
MARK = re.compile("[¹²³⁴⁵⁶⁷⁸⁹]")


def test_every_cell_names_a_test():
    cells = [
        c for line in PROMISED.splitlines() if line.startswith("|") for c in line.split("|")[2:-1]
    ]
    assert all(MARK.search(cell) for cell in cells[10:])
    marks = {mark for cell in cells[10:] for mark in MARK.findall(cell)}
    assert len(marks) == len(re.findall(r"^\d\. ", PROMISED, re.MULTILINE))


@pytest.mark.parametrize(("path", "name", "story"), NAMED)
def test_a_test_that_is_named_is_there(path: str, name: str, story: str):
    text = (ROOT / path).read_text()
    assert f"def {name or 'test_'}" in text
    assert not story or f"\n# {story}\n" in text
