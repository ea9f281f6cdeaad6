"""What a process imports before it is used: counted in modules, since seconds differ by machine."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

from daybook.app import cli

TELLS = "import atexit, json, sys; atexit.register(lambda: print(json.dumps([*sys.modules])))\n"
COMMAND = "from daybook.__main__ import main; main()"
AGENTS = {"langgraph.types", "langgraph.graph", "langsmith", "openai", "opentelemetry", "langchain"}
LIBRARIES = AGENTS | {"httpx", "langchain_core", "langgraph", "psycopg", "pydantic"}


@pytest.mark.parametrize(
    ("program", "words", "without", "most"),
    [
        ("import daybook; daybook.Confirmed; daybook.errors.ThreadBusy", "", LIBRARIES, 100),
        ("from daybook import Ledger; Ledger()", "", LIBRARIES, 140),
        (COMMAND, "--version", LIBRARIES, 270),
        (COMMAND, "--help", LIBRARIES, 350),
        (COMMAND, "threads", AGENTS, 950),
        (COMMAND, "ledger --open", AGENTS, 850),
        (COMMAND, "policy", AGENTS, 980),
        ("from daybook.app import cli; [*map(cli.command, cli.COMMANDS)]", "", {"langchain"}, 9999),
    ],
)
def test_what_is_not_used_is_not_imported(
    postgres_url: str, program: str, words: str, without: set[str], most: int
):
    command = [sys.executable, "-c", TELLS + program, *words.split()]
    env = {**os.environ, "DATABASE_URL": postgres_url}
    ended = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    found = set(json.loads(ended.stdout.splitlines()[-1]))
    assert not found & without
    assert len(found) <= most


def test_the_commands_that_are_listed_are_those_that_there_are():
    declared = {}
    for file in Path(cli.__file__).parent.glob("*.py"):
        commands = getattr(import_module(f"daybook.app.cli.{file.stem}"), "commands", None)
        for name, one in typer.main.get_group(commands).commands.items() if commands else ():
            first, _, _ = (one.help or "").partition("\n\n")
            declared[name] = file.stem, " ".join(first.split())
    assert declared == {name: (at, line) for name, (at, _, line) in cli.COMMANDS.items()}
