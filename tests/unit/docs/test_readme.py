"""What the pages name of the repository is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text()


def test_the_commands_of_make_that_pages_name_are_there():
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    named = {one for page in pages for one in re.findall(r"`make ([\w-]+)`", page.read_text())}
    assert {"run", "test", "docs", "crash"} <= named <= set(targets)


def test_the_modules_that_pages_run_are_there():
    pages = "".join(page.read_text() for page in (ROOT / "docs").glob("*.md"))
    for module in set(re.findall(r"python -m ((?:tests|evals|docs)[\w.]*)", pages)):
        path = ROOT.joinpath(*module.split("."))
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module
