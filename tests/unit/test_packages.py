"""One name is installed, `daybook`, and no module of it is ever there twice."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "daybook"
FLOORS = sorted(link.name for link in PACKAGE.iterdir() if link.is_symlink())


def test_every_folder_of_the_package_is_one_at_the_top():
    assert (
        sorted(
            one.parent.name
            for one in ROOT.glob("*/__init__.py")
            if one.parent.name not in ("evals", "tests")
        )
        == FLOORS
    )
    for name in FLOORS:
        assert (PACKAGE / name).resolve() == ROOT / name


def test_every_folder_with_a_module_is_a_package():
    """A folder without `__init__.py` is not found by what builds the wheel.

    What `daybook new` writes is carried along as files, and is no package of ours.
    """
    folders = {file.parent for name in FLOORS for file in (ROOT / name).rglob("*.py")}
    ours = (one for one in folders if not one.is_relative_to(ROOT / "app/new/project"))
    assert [one for one in ours if not (one / "__init__.py").exists()] == []


def test_a_floor_cannot_be_imported_by_its_bare_name():
    """From the root it would be a second package, with classes of its own."""
    program = (
        "import importlib\n"
        f"for name in {FLOORS!r}:\n"
        "    importlib.import_module(f'daybook.{name}')\n"
        "    try:\n"
        "        importlib.import_module(name)\n"
        "    except ImportError as error:\n"
        "        assert f'This package is daybook.{name}' in str(error), error\n"
        "    else:\n"
        "        raise AssertionError(name)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


OTHER = re.compile(
    r"(?:pip|uv|uvx|pipx|poetry)\b[^\n`&;#]*[\s'\"]daybook(?![-\w./])|[\"']daybook\[[a-z]"
)
"""Asks an installer for `daybook`, which is another project on PyPI; ours is `daybook-agent`."""


def test_nothing_asks_an_installer_for_the_other_project_of_our_name():
    assert OTHER.search("pip install daybook")
    assert OTHER.search("['daybook[shop]']")
    assert not OTHER.search("pip install -e '.[mcp]' && daybook new; pip install 'daybook-agent'")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True)
    paths = {ROOT / name for name in listed.stdout.decode().split("\n")} - {Path(__file__), ROOT}
    for path in (one for one in paths if one.is_file()):
        found = OTHER.search(path.read_text(errors="replace"))
        assert found is None, (path, found)
