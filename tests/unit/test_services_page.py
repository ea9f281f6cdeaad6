"""The page on services: its examples run, and its table names what a contract has."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from daybook.tools.services.contract import MEANINGS, Contract

PAGE = (Path(__file__).parents[2] / "docs/services.md").read_text()
CODE = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))

TOKEN = "sk_4711_secret"


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the page, in order."""
    monkeypatch.setenv("BANK_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("BANK_TOKEN", TOKEN)
    names: dict[str, Any] = {}
    exec(compile(CODE, "services.md", "exec"), names)
    return names


def test_the_page_makes_contracts_that_can_be_and_names_all_that_they_say(page: dict[str, Any]):
    assert all(isinstance(page[name], Contract) for name in ("BANK", "CHAT", "PAYMENTS"))
    assert "charge_disputed" in page["PAYMENTS"].declined
    named = set(re.findall(r"`(\w+)`", PAGE)) | set(re.findall(r"(\w+)=", PAGE))
    assert {*MEANINGS} <= named
    assert {field.name for field in fields(Contract)} - {"name"} <= named
    rows = re.findall(r"^\| `(\w+)`", PAGE, re.MULTILINE)
    assert set(rows) <= {field.name for field in fields(Contract)}
