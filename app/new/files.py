"""Write a new project: a domain, a fake service for it, and tests that kill it."""

from __future__ import annotations

import keyword
import re
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from daybook.app.conversations.terminal import Terminal
from daybook.state.errors import InputRefused

_PROJECT = Path(__file__).with_name("project")
"""A project that runs as it is. Only its name is replaced when it is written."""

_ITS_NAME = "myproject"

_ITS_PYTHON = "PYTHON ?= python3"

_HIDDEN = {"gitignore": ".gitignore"}
"""Files that have another name here, where they would take effect or not be packaged."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


def write_project(terminal: Terminal, name: str, parent: Path) -> None:
    """Write a project into a new folder of its name, and say what can be done there.

    Raises:
        InputRefused: the name cannot be used, or the folder cannot be written. Nothing is left.
    """
    if fault := _fault(name):
        raise InputRefused(f"{name!r} is not a valid project name: {fault}. Nothing was written.")
    folder = parent / name
    try:
        folder.mkdir()
    except FileExistsError as error:
        raise InputRefused(
            f"{folder} exists already. Nothing was written; choose another name, or another "
            "folder with --in."
        ) from error
    except OSError as error:
        raise InputRefused(
            f"{folder} cannot be created: {error.strerror}. Nothing was written; choose an "
            "existing folder that you own with --in."
        ) from error
    try:
        _write(folder, name)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise InputRefused(
            f"{folder} cannot be written: {error.strerror}. It was removed."
        ) from error
    terminal.note(f"Created {folder}. Run in it:")
    serves = "serves LangGraph's API and the console, also for Studio"
    if find_spec("langgraph_api") is None:
        serves += " (first: pip install 'daybook-agent[server]')"
    for command, does in (
        ("make run", "opens the chat"),
        ("make test", "kills the agent during a hire and checks what the service did"),
        ("make serve", serves),
    ):
        terminal.note(f"  {command:<11} {does}")


def _fault(name: str) -> str:
    """Say why a project cannot have this name, or nothing."""
    if not _NAME.fullmatch(name):
        return "write a letter, and then up to 39 letters, digits, hyphens and underscores"
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return "it is a Python keyword"
    if name in sys.stdlib_module_names:
        return "a module of the Python standard library has this name"
    if name == "daybook":
        return "it is the name of this package"
    if (_PROJECT / name).is_dir():
        return "a package in the project has this name"
    return ""


def _write(folder: Path, name: str) -> None:
    for file in _files():
        to = folder / file.relative_to(_PROJECT)
        to = to.with_name(_HIDDEN.get(to.name, to.name))
        to.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text().replace(_ITS_NAME, name)
        to.write_text(text.replace(_ITS_PYTHON, _python()) if to.name == "Makefile" else text)


def _python() -> str:
    """Choose the interpreter in the Makefile: the project's own, else this one, where it is."""
    if len(sys.executable.split()) != 1 or "$" in sys.executable:
        return _ITS_PYTHON
    return f"PYTHON ?= $(firstword $(wildcard .venv/bin/python {sys.executable}) python3)"


def _files() -> Iterator[Path]:
    """List what the project consists of, without what running it has left."""
    for file in sorted(_PROJECT.rglob("*")):
        inside = file.relative_to(_PROJECT).parts
        if file.is_file() and "__pycache__" not in inside and not inside[0].startswith("."):
            yield file
