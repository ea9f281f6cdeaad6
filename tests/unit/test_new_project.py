"""`daybook new`: what a project may be called, and what it is written of."""

import ast
import importlib
import json
from pathlib import Path

import pytest

from daybook.app.conversations.terminal import Terminal
from daybook.app.new.files import write_project
from daybook.app.server.dev_server import OURS
from daybook.state.errors import InputRefused

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "app/new/project"


def files_of(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


@pytest.fixture
def written(tmp_path: Path) -> Path:
    write_project(Terminal(), "shopfront", tmp_path)
    return tmp_path / "shopfront"


def test_all_of_it_is_written_under_its_own_name(written: Path):
    left_by_tools = (".", "__pycache__")
    kept = {
        name
        for name in files_of(PROJECT)
        if not any(part.startswith(left_by_tools) for part in Path(name).parts)
    }
    assert files_of(written) == kept - {"gitignore"} | {".gitignore"}
    for name in files_of(written):
        assert "myproject" not in (written / name).read_text()
    says = json.loads((written / "langgraph.json").read_text())
    assert list(says["graphs"]) == ["shopfront"]
    assert {name: says[name] for name in OURS} == OURS, "it is served as every domain is"
    assert 'name="shopfront"' in (written / "graph/domain.py").read_text()


def test_its_code_imports_what_is_public_and_no_more():
    for file in PROJECT.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("daybook"):
                assert node.module in ("daybook", "daybook.domain", "daybook.testing"), file
                public = importlib.import_module(node.module).__all__
                assert {alias.name for alias in node.names} <= set(public), file
            elif isinstance(node, ast.Import):
                assert not any(alias.name.startswith("daybook") for alias in node.names), file


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("class", "a word of Python's"),
        ("match", "a word of Python's"),
        ("json", "a module of Python's"),
        ("daybook", "this package's"),
        ("tools", "a package in the project"),
        ("tests", "a package in the project"),
        ("-shop", "letters, digits, hyphens and underscores"),
        ("2nd", "write a letter"),
        ("läden", "letters, digits, hyphens and underscores"),
        ("../up", "letters, digits, hyphens and underscores"),
        ("shop\n", "letters, digits, hyphens and underscores"),
        ("", "write a letter"),
        ("s" * 41, "up to 39"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused_in_words(tmp_path: Path, name: str, why: str):
    with pytest.raises(InputRefused, match=f"{why}.*Nothing was written"):
        write_project(Terminal(), name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_already_is_left_and_a_folder_that_is_not_there_is_not_made(tmp_path: Path):
    with pytest.raises(InputRefused, match=r"No such file or directory. Nothing was written"):
        write_project(Terminal(), "shop", tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "shop").write_text("mine")
    with pytest.raises(InputRefused, match=r"There is already a .*shop. Nothing was written"):
        write_project(Terminal(), "shop", tmp_path)
    assert (tmp_path / "shop").read_text() == "mine"
