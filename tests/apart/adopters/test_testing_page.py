"""The page on killing an agent of one's own does what it says, in a project of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from daybook.testing.cells import Cell
from daybook.testing.report import ROWS, row_of

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/testing.md").read_text()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the two files of the page's first example."""
    folder = tmp_path_factory.mktemp("payments")
    for name, text in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE, re.DOTALL):
        (folder / name).write_text(text)
    return folder


def run(project: Path, every: str, *command: str) -> subprocess.CompletedProcess[str]:
    places = os.pathsep.join([str(project), str(Path(__file__).parent)])
    environment = {**os.environ, "PYTHONPATH": places, "EVERY": every}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=550,
        check=False,
    )


@pytest.mark.parametrize("every", ["8", pytest.param("1", marks=pytest.mark.long)])
def test_an_adopters_agent_is_killed_at_every_moment_by_a_test_of_ten_lines(
    project: Path, every: str
):
    lines = [line for line in (project / "test_payments.py").read_text().splitlines() if line]
    assert len(lines) <= 10
    ended = run(
        *(project, every, "pytest", "-q", "-p", "few"),
        *("-p", "no:cacheprovider", "--crash-junit", "crash.xml"),
    )
    assert ended.returncode == 0, ended.stdout
    suite = ElementTree.parse(project / "crash.xml").getroot()
    assert suite.attrib["failures"] == "0"
    # On a busy machine a moment that depends on time, such as one more look, may not come.
    cells = [Cell.parse(case.attrib["name"]) for case in suite if case.find("skipped") is None]
    assert {cell.provider for cell in cells} == {"honours keys", "is late", "loses replies"}
    rows = {row_of(cell) for cell in cells if cell.provider == "honours keys"}
    assert {*ROWS} - rows <= {
        *("during compensation", "the provider answers wrongly"),
        "the successor is killed too",
    }


def test_a_declaration_that_is_not_so_is_found_and_ends_with_1(project: Path):
    told = ("payments:charge", '{"order_id": "o-1", "cents": 4200}')
    where = ("--environment", "PAYMENTS_URL", "--behaviour", "ignores keys")
    ended = run(project, "8", "few", *told, *where)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "happened twice: charges CH-1, charges CH-2" in ended.stdout
