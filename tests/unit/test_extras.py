"""What an extra brings is named where it is missing, and each extra is one that there is."""

import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

import pytest

import daybook
from daybook.app import cli
from daybook.state import extras
from daybook.state.errors import NotInstalled

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
IMPORTED = re.compile(r"^ *(?:from (\w+)[\w.]* import |import (\w+)(?: as|\.|$))", re.MULTILINE)
ELSEWHERE = {"aegra_api", "fastapi", "evals", "pytest"}
"""The extra `production` brings the first two, for Python 3.12 or newer; a checkout the third; the
plugin is imported by pytest alone."""


def named(requirements: list[str]) -> set[str]:
    """Return the names of what is required."""
    return {one.partition(">")[0].partition("=")[0].partition("[")[0] for one in requirements}


def imported() -> set[str]:
    """Return the modules of others that the package imports, anywhere."""
    written = ROOT / "src/daybook/app/new/project"
    files = (f for link in (ROOT / "src/daybook").iterdir() for f in link.rglob("*.py"))
    texts = (one.read_text() for one in files if written not in one.parents)
    found = {top for text in texts for names in IMPORTED.findall(text) for top in names if top}
    return found - sys.stdlib_module_names - {"daybook"} - ELSEWHERE


def brought(packages: set[str]) -> set[str]:
    """Return the modules that these packages bring, where they are installed."""
    found: set[str] = set()
    for package in packages - {"daybook"}:
        for file in importlib.metadata.distribution(package).files or ():
            found.add(file.parts[0].partition(".")[0])
    return found


def test_every_module_that_is_imported_comes_with_the_core_or_is_named_by_its_extra():
    core = named(PROJECT["dependencies"])
    # openai comes with langchain-openai, pydantic_core with pydantic, langgraph's base with it.
    core |= {"openai", "pydantic-core", "langgraph-checkpoint", "langgraph-prebuilt"}
    of_the_core = brought(core)
    for module in imported():
        if module in extras._EXTRAS:
            extra = PROJECT["optional-dependencies"][extras._EXTRAS[module]]
            assert module in brought(named(extra) | {"markupsafe", "opentelemetry-api"}), module
        else:
            assert module in of_the_core, f"{module} comes with no dependency of the core"


def test_a_command_whose_extra_is_missing_says_which(monkeypatch, capsys):
    monkeypatch.setattr("daybook.app.server.dev_server.find_spec", lambda module: None)
    monkeypatch.setattr(sys, "argv", ["daybook", "serve"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    assert "pip install 'daybook[server]'" in capsys.readouterr().err


def test_a_middleware_whose_extra_is_missing_says_which(monkeypatch: pytest.MonkeyPatch):
    for name in {"langchain", *(one for one in sys.modules if one.startswith("langchain."))}:
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("middleware", "decisions"):
        monkeypatch.delitem(sys.modules, f"daybook.graph.ledger.{name}", raising=False)
    with pytest.raises(NotInstalled, match=r"pip install 'daybook\[agents\]'"):
        daybook.Ledger().middleware()


def test_tools_of_mcp_servers_whose_extra_is_missing_say_which(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in {"mcp", *(one for one in sys.modules if one.startswith("mcp."))}:
        monkeypatch.setitem(sys.modules, name, None)
    rooms = ("daybook.tools.mcp", "daybook.app.mcp")
    for name in [one for one in sys.modules if one.startswith(rooms)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(vars(daybook), "mcp", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'daybook\[mcp\]'"):
        daybook.mcp  # noqa: B018
    monkeypatch.setattr(sys, "argv", ["daybook", "mcp", "inspect", "http://127.0.0.1:9/mcp"])
    with pytest.raises(SystemExit):
        cli.main()
    assert "pip install 'daybook[mcp]'" in capsys.readouterr().err
