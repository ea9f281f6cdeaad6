"""What an adopter imports stands in one place, typed and documented, and costs what is used."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import daybook

FILE = Path(daybook.__file__)
TREE = ast.parse(FILE.read_text())

FACE = """
    Action ActionDraft Agent AgentState Bump Button Change Call Column Confirmed Contract
    DaybookError Declined Domain Effect EffectContext EffectKind FlowTable Guarantees GuardedGraph HttpService
    Ledger Line Link MailService McpServer McpTool Money NothingCame NotSent Outcome Panel Patience Pending
    PlanContext Policy Postgres Probe Prompt ReadContext ReceiptLine ReceiptStatus Registry Resources Rule STRIPE_V1
    STRIPE_V2 ServiceUnavailable Session Settings StepDraft StillInHand ToolRefused Undo Unknown Warned
    build change chosen_model embedded_postgres
    current_call errors hybrid limits_of mcp open_database_of open_postgres plan
    read resource served settings_from take take_all take_into outcome_line write
""".split()  # noqa: SIM905
"""Held by hand: a name that leaves it breaks somebody's import, and one that joins it stays."""


def test_the_face_is_this_list():
    assert sorted(FACE) == daybook.__all__


def test_what_a_type_checker_sees_is_what_is_imported():
    seen = {
        alias.asname or alias.name: node.module
        for block in TREE.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    places = {name: f"daybook.{place}" for name, place in daybook._STANDS_IN.items()}
    assert seen == places | {"errors": "daybook.state"}


def test_every_name_is_there_and_says_what_it_is():
    for name in FACE:
        found = getattr(daybook, name)
        assert not callable(found) or inspect.getdoc(found), name
        assert name in dir(daybook)
    assert inspect.getdoc(daybook.errors)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        daybook.nothing  # noqa: B018
    assert FILE.with_name("py.typed").exists(), "it says that it is typed"


def test_what_is_not_used_is_not_imported():
    program = (
        "import sys, daybook; daybook.Confirmed; daybook.errors.ThreadBusy\n"
        "print([m for m in ('langgraph', 'langchain', 'psycopg', 'httpx', 'openai') "
        "if m in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.stdout == "[]\n", ended.stderr
