"""The page on services: its examples run, and its table names what a contract has."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from daybook.state.clock import SYSTEM
from daybook.state.context import EffectContext
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.session import Session
from daybook.tools.services.contract import MEANINGS, Contract
from daybook.tools.services.http import HttpService
from tests.unit.http_server import says, serving

PAGE = (Path(__file__).parents[2] / "docs/services.md").read_text()
CODE = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))

TOKEN = "sk_4711_secret"


def error(code: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": f"Words about {code}."}}


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the page, in order."""
    monkeypatch.setenv("BANK_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("BANK_TOKEN", TOKEN)
    names: dict[str, Any] = {}
    exec(compile(CODE, "services.md", "exec"), names)
    return names


async def _refunded(page: dict[str, Any], service: Any) -> Outcome:
    context = EffectContext(
        session=Session("default", "t-1", "ada", "ada", "customer", "w-1"),
        services=service,
        key="charge/ch_1/refund/1",
        forward="",
        deadline=Deadline(SYSTEM.monotonic() + 15),
    )
    outcome: Outcome = await page["refund"].run(charge="ch_1", order=7, ctx=context)
    return outcome


@pytest.mark.parametrize(
    ("status", "body", "outcome"),
    [
        (200, {"id": "re_1"}, Confirmed({"id": "re_1"})),
        (402, error("no_funds"), Declined("no_funds", "Words about no_funds.")),
        (
            409,
            error("already_refunded"),
            Declined("already_refunded", "Words about already_refunded."),
        ),
        (401, error("who"), Declined("who", "Words about who.", at_the_door=True)),
        (429, error("too_many_requests"), NotSent("Words about too_many_requests.")),
        (202, {"job": 1}, Unknown("the bank has it in hand (202)")),
        (409, error("request_in_progress"), None),
        (400, error("key_mismatch"), None),
        (409, error("something_else"), None),
        (402, "<html>", None),
    ],
)
async def test_the_bank_is_understood_as_the_page_says(page, status, body, outcome):
    async with serving(says(status, body)) as served:
        service = HttpService(
            served.url, page["BANK"], headers={"Authorization": f"Bearer {TOKEN}"}
        )
        came = await _refunded(page, service)
        await service.close()
    assert isinstance(came, Unknown) if outcome is None else came == outcome
    head, _, content = served.requests[0].partition("\r\n\r\n")
    assert content == "charge=ch_1&metadata[order]=7"
    assert "x-request-key: charge/ch_1/refund/1" in head.lower()
    assert f"authorization: bearer {TOKEN}" in head.lower()
    await page["bank"].close()


def test_the_page_makes_contracts_that_can_be_and_names_all_that_they_say(page: dict[str, Any]):
    assert all(isinstance(page[name], Contract) for name in ("BANK", "CHAT", "PAYMENTS"))
    assert "charge_disputed" in page["PAYMENTS"].declined
    named = set(re.findall(r"`(\w+)`", PAGE)) | set(re.findall(r"(\w+)=", PAGE))
    assert {*MEANINGS} <= named
    assert {field.name for field in fields(Contract)} - {"name"} <= named
    rows = re.findall(r"^\| `(\w+)`", PAGE, re.MULTILINE)
    assert set(rows) <= {field.name for field in fields(Contract)}


def test_the_page_is_short():
    before, check = PAGE.split("## Before you go live")
    check, limits = check.split("\n## ", 1)
    assert len(f"{before} {limits}".split()) <= 900
    assert len(check.split()) <= 200
