"""One name is installed, `daybook`, and no module of it is ever there twice."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
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


def test_no_module_of_ours_is_loaded_under_two_names():
    """All are loaded but what runs by itself, or in an environment of its own (Aegra's)."""
    program = (
        "import importlib, pkgutil, sys, daybook\n"
        "from pathlib import Path\n"
        "for one in pkgutil.walk_packages(daybook.__path__, 'daybook.'):\n"
        "    if not one.name.endswith(('__main__', '.program', '.aegra')):\n"
        "        importlib.import_module(one.name)\n"
        "files = {}\n"
        "for name, module in sorted(sys.modules.items()):\n"
        "    if getattr(module, '__file__', None):\n"
        "        files.setdefault(Path(module.__file__).resolve(), set()).add(name)\n"
        "ours = {f: names for f, names in files.items() if any(\n"
        "    name.split('.')[0] == 'daybook' for name in names)}\n"
        "print(len(ours), [names for names in ours.values() if len(names) > 1])\n"
        f"print(sorted(set({FLOORS!r}) & sys.modules.keys()))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    loaded, bare = ended.stdout.splitlines()
    count, _, twice = loaded.partition(" ")
    assert int(count) > 300
    assert (twice, bare) == ("[]", "[]")
