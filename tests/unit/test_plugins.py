"""Commands and pages that other packages add: found by their entry points, and never in the way."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from daybook.app.cli import cli
from daybook.app.console import added
from daybook.app.plugins import COMMANDS, PAGES, loaded, named
from daybook.state.errors import PluginUnusable

MODULE = '''
from markupsafe import Markup
import typer
from daybook.app.console.added import Page

def hail(whom: str, loud: bool = False) -> None:
    """Hail somebody."""
    print(f"hail {whom}" + "!" * loud)

async def shows(request, thread_id):
    return Markup("<p>it rains</p>")

WEATHER = Page(title="Weather", shows=shows, style="p { color: blue }")
'''

ENTRY_POINTS = f"""
[{COMMANDS}]
chat = weather_station:hail
hail = weather_station:hail
gone = no_such_module:anything
odd = weather_station:MISSING

[{PAGES}]
weather = weather_station:WEATHER
storm = no_such_module:STORM
hail = weather_station:hail
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package as pip does, that adds commands and pages."""
    about = tmp_path / "weather_station-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: weather-station\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "weather_station.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)


def run(*words: str) -> Any:
    return CliRunner().invoke(cli, words)


def test_a_command_that_is_installed_is_listed_and_run_and_replaces_none_of_ours(installed: None):
    assert "Hail somebody." in run("--help").output
    assert run("hail", "ada", "--loud").output == "hail ada!\n"
    assert run("hail").exit_code == 2
    assert "Talk in the terminal" in run("chat", "--help").output


@pytest.mark.parametrize("name", ["gone", "odd"])
def test_a_command_that_cannot_be_loaded_says_so_whatever_it_is_given(installed: None, name: str):
    done = run(name, "THREAD", "--html", "x")
    assert isinstance(done.exception, PluginUnusable)
    assert f"{name} cannot be loaded" in str(done.exception)
    assert "all else works" in str(done.exception)
    assert run("recovery").exit_code == 0


def test_a_page_that_cannot_be_loaded_is_there_and_says_so(installed: None):
    added.found.cache_clear()
    try:
        found = added.found()
        assert found["weather"].title == "Weather"
        assert {"storm", "hail"} <= found.keys()
        assert isinstance(found["storm"], added.Page)
        paths = [route.path for route in added.routes()]
        assert "/threads/{thread_id}/weather" in paths
        assert "/added/weather.css" in paths
        with pytest.raises(PluginUnusable, match="it is a function"):
            loaded(named(PAGES)["hail"], added.Page)
    finally:
        added.found.cache_clear()


def test_what_we_install_ourselves_can_be_loaded():
    assert {"grade", "variants"} <= named(COMMANDS).keys()
    assert "Cannot be loaded" not in run("--help").output
    assert loaded(named(PAGES)["grade"], added.Page).title == "Grade"
