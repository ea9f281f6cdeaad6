"""What an adopter imports stands in one place, typed and documented, and costs what is used."""

import ast
import inspect
from pathlib import Path

import pytest

import daybook
import daybook.domain

FACE = """
    Call Confirmed DaybookError Declined Domain Effect EffectContext FlowTable Guarantees HttpService
    Ledger Money NotSent Outcome Patience Pending PlanContext Policy Postgres Prompt ReadContext
    ReceiptLine ReceiptStatus Registry Rule ServiceUnavailable ToolRefused Undo Unknown build change
    current_call errors hybrid mcp open_postgres plan read served write
""".split()  # noqa: SIM905
OF_DOMAINS = """
    Action ActionDraft Agent AgentState Bump Button Change Column Contract EffectKind GuardedGraph
    Line Link MailService McpServer McpTool NothingCame Panel Probe Resources STRIPE_V1 STRIPE_V2
    Session Settings StepDraft StillInHand Warned chosen_model embedded_postgres limits_of
    open_database_of outcome_line resource settings_from take take_all take_into
""".split()  # noqa: SIM905
"""Held by hand: a name that leaves it breaks somebody's import, and one that joins it stays."""

MODULES = [(daybook, FACE), (daybook.domain, OF_DOMAINS)]


@pytest.mark.parametrize(("module", "names"), MODULES)
def test_the_face_is_this_list(module, names):
    assert sorted(names) == module.__all__


@pytest.mark.parametrize(("module", "names"), MODULES)
def test_what_a_type_checker_sees_is_what_is_imported(module, names):
    seen = {
        alias.asname or alias.name: node.module
        for block in ast.parse(Path(module.__file__).read_text()).body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    places = {name: f"daybook.{place}" for name, place in module._STANDS_IN.items()}
    assert seen == places | ({"errors": "daybook.state"} if "errors" in names else {})


@pytest.mark.parametrize(("module", "names"), MODULES)
def test_every_name_is_there_and_says_what_it_is(module, names):
    for name in names:
        found = getattr(module, name)
        assert not callable(found) or inspect.getdoc(found), name
        assert name in dir(module)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        module.nothing  # noqa: B018
