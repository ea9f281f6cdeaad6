"""How a domain is named: by a module's name or file, by a variable, by a langgraph.json."""

import itertools
import json
from pathlib import Path

import pytest

from daybook.app.domains import import_domain, served_by
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import ConfigurationError

MEETINGS = """
from tests.rooms.desk import graph as MEETINGS
nothing = 5
"""

UNOPENED = """
import os
from contextlib import asynccontextmanager
from daybook import served
from tests.rooms.desk import DESK

@asynccontextmanager
async def lacking():
    yield os.environ["MEETINGS_URL"]

@asynccontextmanager
async def careless():
    raise RuntimeError("hunter2")
    yield

@asynccontextmanager
async def forgetful():
    yield None

async def bare():
    yield None

graph, checkpointer = served(DESK, {opens})
"""

_NUMBERS = itertools.count()


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a module of this folder that nobody has imported yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    name = f"meetings_{next(_NUMBERS)}"
    (tmp_path / f"{name}.py").write_text(MEETINGS)
    return name


def test_a_domain_is_found_by_name_by_variable_and_by_langgraph_json(module: str, tmp_path: Path):
    assert import_domain(f"{module}:MEETINGS").domain.name == "rooms"
    by_variable = settings_from({"DAYBOOK_DOMAIN": f"{module}:MEETINGS"})
    assert served_by(by_variable).domain.name == "rooms"
    for place in (f"{module}:MEETINGS", f"./{module}.py:MEETINGS"):
        says = {"graphs": {"any": {"path": place}}}
        (tmp_path / "langgraph.json").write_text(json.dumps(says))
        assert served_by(settings_from({})).domain.name == "rooms"


@pytest.mark.parametrize(
    ("source", "name", "says"),
    [
        (MEETINGS, "{module}", "is not a domain"),
        (MEETINGS, "nosuch.module:graph", "No module nosuch.module"),
        (MEETINGS, "{module}:graph", "has no graph. Nothing was started; name the graph"),
        (MEETINGS, "{module}:nothing", "that `served` returned, but of the type int"),
        (
            "\npassword = 'hunter2'\nraise RuntimeError(password)\n",
            "{module}:graph",
            r"fails when it is imported \(RuntimeError in \w+.py, line 3\)",
        ),
        (
            "password = 'hunter2'\nx = (\n",
            "{module}:graph",
            r"fails when it is imported \(SyntaxError in \w+.py, line 2\)",
        ),
        (
            "import nosuch_package\n",
            "{module}:graph",
            "fails when it is imported .No module named 'nosuch_package'",
        ),
    ],
)
def test_a_domain_that_cannot_be_used_is_an_error_in_words(
    module: str, tmp_path: Path, source: str, name: str, says: str
):
    (tmp_path / f"{module}.py").write_text(source)
    with pytest.raises(ConfigurationError, match=says) as refused:
        import_domain(name.format(module=module))
    assert "Nothing was started" in str(refused.value)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("opens", "says"),
    [
        ("lacking", r"\(KeyError in \w+.py, line 9\)"),
        ("careless", r"\(RuntimeError in \w+.py, line 13\)"),
        ("bare", r"\(TypeError in \w+.py, line \d+\)"),
    ],
)
async def test_a_domain_whose_resources_cannot_be_opened_is_an_error_in_words(
    module: str, tmp_path: Path, opens: str, says: str
):
    (tmp_path / f"{module}.py").write_text(UNOPENED.replace("{opens}", opens))
    served = import_domain(f"{module}:graph")
    what = f"The resources of the domain rooms cannot be opened.*{says}"
    with pytest.raises(ConfigurationError, match=what) as refused:
        async with served.open():
            raise AssertionError("it must not open")
    assert "Nothing was started" in str(refused.value)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"graphs": {"a": "x:y", "b": "x:z"}}', "names 2 graphs: a, b"),
        ('{"graphs": 5}', "cannot be read"),
        ("[", "cannot be read"),
    ],
)
def test_a_langgraph_json_that_names_no_one_domain_says_to_name_it(
    module: str, tmp_path: Path, text: str, says: str
):
    (tmp_path / "langgraph.json").write_text(text)
    with pytest.raises(ConfigurationError, match=f"{says}.*daybook --domain module:NAME"):
        served_by(settings_from({}))
