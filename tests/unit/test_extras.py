"""What an extra brings is named where it is missing, and each extra is one that there is."""

import ast
import importlib.metadata
import sys
import tomllib
from pathlib import Path

import pytest

import daybook
from daybook.app import cli
from daybook.app.plugins import loaded
from daybook.state import extras
from daybook.state.errors import NotInstalled

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OF_THE_CHECKOUT = {"fastapi", "evals"}
"""Aegra brings the first, in an environment of its own; a checkout the second."""


def named(requirements: list[str]) -> set[str]:
    """Return the names of what is required."""
    return {one.partition(">")[0].partition("=")[0].partition("[")[0] for one in requirements}


def imported() -> set[str]:
    """Return the modules of others that the package imports, anywhere."""
    found: set[str] = set()
    written = ROOT / "src/daybook/app/new/project"
    files = (f for link in (ROOT / "src/daybook").iterdir() for f in link.rglob("*.py"))
    for file in (one for one in files if written not in one.parents):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names - {"daybook"} - OF_THE_CHECKOUT


def test_every_module_that_is_imported_comes_with_the_core_or_is_named_by_its_extra():
    brings = importlib.metadata.packages_distributions()
    core = named(PROJECT["dependencies"])
    # openai comes with langchain-openai, pydantic_core with pydantic, langgraph's base with it.
    core |= {"openai", "pydantic-core", "langgraph-checkpoint", "langgraph-prebuilt"}
    for module in imported():
        packages = {one.lower().replace("_", "-") for one in brings.get(module, [module])}
        if module in extras._EXTRAS:
            extra = PROJECT["optional-dependencies"][extras._EXTRAS[module]]
            required = named(extra) | {"markupsafe", "opentelemetry-api"}
            assert packages & required, module
        else:
            assert packages & core, f"{module} comes with no dependency of the core"


def test_a_command_whose_extra_is_missing_says_which(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("daybook.app.server.serving.find_spec", lambda module: None)
    monkeypatch.setattr(sys, "argv", ["daybook", "serve"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    assert "pip install 'daybook[server]'" in capsys.readouterr().err


def test_a_name_of_the_face_whose_extra_is_missing_says_which(monkeypatch: pytest.MonkeyPatch):
    for name in {"langchain", *(one for one in sys.modules if one.startswith("langchain."))}:
        monkeypatch.setitem(sys.modules, name, None)
    for name in [one for one in sys.modules if one.startswith("daybook.graph.middleware")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(vars(daybook), "Daybook", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'daybook\[agents\]'"):
        daybook.Daybook  # noqa: B018


def test_a_page_or_command_whose_extra_is_missing_says_which():
    class Point:
        name = "grade"

        def load(self) -> None:
            raise ModuleNotFoundError("No module named 'jinja2'", name="jinja2")

    with pytest.raises(NotInstalled, match=r"pip install 'daybook\[server\]'"):
        loaded(Point())  # type: ignore[arg-type]
