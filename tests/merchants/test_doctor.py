"""`daybook doctor` speaks to each merchant, and says in words what is wrong with one."""

from pathlib import Path

import pytest

from daybook.graph.merchants.resources import merchant_checks
from daybook.graph.serve import Check, Verdict
from daybook.graph.settings.environment import settings_from
from tests.merchants.stranger import Asked, Said, Stranger, said

NOBODY = "http://127.0.0.1:9"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DAYBOOK_HOME", str(tmp_path))
    monkeypatch.delenv("DAYBOOK_WALLET", raising=False)
    monkeypatch.setenv("DAYBOOK_PUBLIC_URL", NOBODY)
    return tmp_path


async def told(monkeypatch: pytest.MonkeyPatch, *urls: str) -> dict[str, Check]:
    monkeypatch.setenv("DAYBOOK_MERCHANTS", " ".join(urls))
    return {one.name: one for one in await merchant_checks(settings_from())}


async def test_a_merchant_without_keys_can_be_bought_from_and_is_not_believed(
    merchant: Stranger, home: Path, monkeypatch: pytest.MonkeyPatch
):
    checks = await told(monkeypatch, merchant.url)
    one = checks[merchant.name]
    assert one.verdict is Verdict.OK
    assert "version 2026-04-08 over rest; checkout, catalog.search" in one.found
    assert "it shows no keys" in one.found
    assert checks["wallet"].verdict is Verdict.NOT_YET


async def test_one_that_is_down_or_speaks_otherwise_hides_no_other(
    merchant: Stranger, other: Stranger, home: Path, monkeypatch: pytest.MonkeyPatch
):
    async def older(asked: Asked) -> Said:
        return said({"ucp": {"version": "2020-01-01"}})

    merchant.does("profile", older, older)
    checks = await told(monkeypatch, NOBODY, merchant.url, other.url)
    down, old = checks["127.0.0.1:9"], checks[merchant.name]
    assert (down.verdict, old.verdict) == (Verdict.WRONG, Verdict.WRONG)
    assert "cannot be reached" in down.found
    assert f"See that {NOBODY} is its URL" in down.advice
    assert "it speaks version 2020-01-01 of the protocol" in old.found
    assert checks[other.name].verdict is Verdict.OK
