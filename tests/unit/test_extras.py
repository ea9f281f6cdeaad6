"""What an extra brings is named where it is missing, and each extra is one that there is."""

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from daybook.graph.shop.resources import keep_shop
from daybook.state import extras
from daybook.state.errors import ConfigurationError

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
IMPORTED = re.compile(r"^ *(?:from (\w+)[\w.]* import |import (\w+)(?: as|\.|$))", re.MULTILINE)
ELSEWHERE = {"aegra_api", "fastapi", "evals", "pytest"}
"""The extra `production` brings the first two, for Python 3.12 or newer; a checkout the third; the
plugin is imported by pytest alone."""


def imported() -> set[str]:
    """Return the modules of others that the package imports, anywhere."""
    written = ROOT / "src/daybook/app/new/project"
    files = (f for link in (ROOT / "src/daybook").iterdir() for f in link.rglob("*.py"))
    texts = (one.read_text() for one in files if written not in one.parents)
    found = {top for text in texts for names in IMPORTED.findall(text) for top in names if top}
    return found - sys.stdlib_module_names - {"daybook"} - ELSEWHERE


def brought(extra: str | None = None) -> set[str]:
    """Return the modules that `pip install` of the core, or of an extra beside it, brings."""
    wanted = PROJECT["dependencies"] if extra is None else PROJECT["optional-dependencies"][extra]
    left, packages = [*map(Requirement, wanted)], set[str]()
    found: set[str] = set()
    while left:
        one = left.pop()
        if one.name == "daybook-agent":
            left += [
                Requirement(o) for e in one.extras for o in PROJECT["optional-dependencies"][e]
            ]
        elif one.name not in packages:
            packages.add(one.name)
            known = importlib.metadata.distribution(one.name)
            found |= {file.parts[0].partition(".")[0] for file in known.files or ()}
            needed = map(Requirement, known.requires or ())
            asked = [{"extra": extra} for extra in ("", *one.extras)]
            left += [o for o in needed if not o.marker or any(map(o.marker.evaluate, asked))]
    return found


def test_every_module_that_is_imported_comes_with_the_core_or_with_the_extra_that_is_named():
    of_the_core = brought()
    for module in imported():
        if (extra := extras._EXTRAS.get(module)) is not None:
            assert module in brought(extra), f"{module} does not come with {extra}"
        else:
            assert module in of_the_core, f"{module} comes with no dependency of the core"


CORE = """
import json, sys
from importlib import import_module

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

blocked = set(json.loads(sys.argv[1]))
sys.meta_path.insert(0, Blocked())
missing = {}
import daybook
for name in daybook.__all__:
    try:
        getattr(daybook, name)
    except ImportError as error:
        missing[name] = str(error)
import daybook.testing, daybook.checkpoints.migrate
print(json.dumps(missing))
"""


def test_the_core_alone_imports_all_that_is_exported_but_what_an_extra_brings():
    """With what comes with extras alone out of reach, as where they are not installed."""
    others = set[str]().union(*map(brought, ("run", "server", "agents", "mcp"))) - brought()
    blocked = sorted(others - {"daybook"} - sys.stdlib_module_names)
    assert {"langchain_openai", "procrastinate", "rich", "typer"} <= {*blocked}
    ended = subprocess.run(
        [sys.executable, "-c", CORE, json.dumps(blocked)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    extra_of = {"mcp": "mcp"}
    missing = json.loads(ended.stdout)
    assert missing.keys() == extra_of.keys()
    for name, extra in extra_of.items():
        assert f"pip install 'daybook-agent[{extra}]'" in missing[name]


def test_where_the_demo_is_not_installed_its_shop_says_where_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match="make run"):
        keep_shop(tmp_path)
