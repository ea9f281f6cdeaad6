"""`daybook new`: what a project may be called, and what it is written of."""

from pathlib import Path

import pytest

from daybook.app.conversations.terminal import Terminal
from daybook.app.new.files import write_project
from daybook.state.errors import InputRefused


@pytest.fixture
def written(tmp_path: Path) -> Path:
    write_project(Terminal(), "shopfront", tmp_path)
    return tmp_path / "shopfront"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("class", "a Python keyword"),
        ("json", "a module of the Python"),
        ("daybook", "of this package"),
        ("tools", "a package in the project"),
        ("läden", "letters, digits, hyphens and underscores"),
        ("../up", "letters, digits, hyphens and underscores"),
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
    with pytest.raises(InputRefused, match=r"shop exists already. Nothing was written"):
        write_project(Terminal(), "shop", tmp_path)
    assert (tmp_path / "shop").read_text() == "mine"
