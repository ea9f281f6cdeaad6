"""What the README promises names tests that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROMISED = (ROOT / "README.md").read_text().split("## What is promised")[1].split("\n## ")[0]
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PROMISED)


def test_every_cell_names_a_test():
    cells = [
        c for line in PROMISED.splitlines() if line.startswith("|") for c in line.split("|")[2:-1]
    ]
    marks = {mark for cell in cells[10:] for mark in re.findall("[¹²³⁴⁵⁶⁷⁸⁹]", cell)}
    assert all(re.search("[¹²³⁴⁵⁶⁷⁸⁹]", cell) for cell in cells[10:])
    assert len(marks) == len(re.findall(r"^\d\. ", PROMISED, re.MULTILINE))


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_test_that_is_named_is_there(path: str, name: str):
    assert f"def {name or 'test_'}" in (ROOT / path).read_text()
