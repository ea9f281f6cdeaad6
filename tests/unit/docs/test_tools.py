"""The page on tools: excerpts of a domain that runs, contracts that work, tables that are whole."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from daybook.state.effects.guarantees import Guarantees
from daybook.tools.kinds import Declared
from daybook.tools.services.contract import MEANINGS, Contract

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/tools.md").read_text()
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")}
PROVIDERS = SECTIONS["Providers"]

TOKEN = "sk_4711_secret"


def excerpts(text: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize(("section", "file"), [("Write a domain", "domain"), ("Serve it", "app")])
def test_an_excerpt_stands_in_the_domain_as_it_is_shown(section: str, file: str):
    (excerpt,) = excerpts(SECTIONS[section])
    assert excerpt in (ROOT / f"tests/rooms/{file}.py").read_text()


def test_the_table_names_what_can_be_declared_and_nothing_else():
    rows = re.findall(r"^\| (`.*?) \|", SECTIONS["Declare what you know"], re.MULTILINE)
    named = {word for row in rows for word in re.findall(r"`([^`]+)`", row)}
    assert named == ({*Declared.__annotations__} - {"service", "guarantees"}) | (
        {field.name for field in fields(Guarantees)} - {"provable"}
    )


def test_what_is_served_is_there():
    served = json.loads((ROOT / "tests/rooms/langgraph.json").read_text())
    assert served["graphs"]["rooms"]["path"] == "tests.rooms.app:graph"
    assert served["checkpointer"]["path"] == "tests.rooms.app.checkpointer"


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run what the page shows of providers, in order."""
    monkeypatch.setenv("BANK_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("BANK_TOKEN", TOKEN)
    names: dict[str, Any] = {}
    exec(compile("\n".join(excerpts(PROVIDERS)), "tools.md", "exec"), names)
    return names


def test_the_page_makes_contracts_that_can_be_and_names_all_that_they_say(page: dict[str, Any]):
    assert all(isinstance(page[name], Contract) for name in ("BANK", "CHAT", "PAYMENTS"))
    assert "charge_disputed" in page["PAYMENTS"].declined
    named = set(re.findall(r"`(\w+)`", PROVIDERS)) | set(re.findall(r"(\w+)=", PROVIDERS))
    assert {*MEANINGS} <= named
    assert {field.name for field in fields(Contract)} - {"name"} <= named
    rows = re.findall(r"^\| `(\w+)`", PROVIDERS, re.MULTILINE)
    assert set(rows) <= {field.name for field in fields(Contract)}
