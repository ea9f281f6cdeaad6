"""What a merchant says is settled by the machine, the model, or its person; a no is never a yes."""

import json
from typing import Any

import pytest

from daybook.state.effects.outcome import Confirmed, Declined, Outcome, Unknown
from daybook.tools.merchants.ucp import checkout as sessions
from daybook.tools.merchants.ucp.answers import Message
from daybook.tools.merchants.ucp.checkout import Checkout
from daybook.tools.merchants.ucp.requests import Wanted
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import Asked, Said, Stranger, said
from tests.ucp_schemas import FOLDER

TYPES = FOLDER / "common" / "types"
CODES = json.loads((TYPES / "error_code.json").read_text())["examples"]
WARNINGS = json.loads((TYPES / "warning_code.json").read_text())["examples"]
SEVERITIES = json.loads((TYPES / "message_error.json").read_text())["properties"]["severity"][
    "enum"
]


def error(code: str, severity: str = "recoverable", **more: Any) -> dict[str, Any]:
    return {
        "type": "error",
        "code": code,
        "severity": severity,
        "content": f"It is {code}.",
        **more,
    }


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("severity", SEVERITIES)
@pytest.mark.parametrize("has_session", [True, False])
@pytest.mark.parametrize("status", ["ready_for_complete", "incomplete", "requires_escalation"])
def test_a_business_error_that_comes_as_200_is_no_confirmation(
    code: str, severity: str, has_session: bool, status: str
):
    totals = [{"type": "total", "amount": 100}]
    session = {
        "id": "chk_1",
        "status": status,
        "currency": "USD",
        "line_items": [],
        "totals": totals,
    }
    body = {
        "ucp": {"status": "success" if has_session else "error"},
        "messages": [error(code, severity)],
        **(session if has_session else {}),
    }
    outcome = sessions.completed(body, 200)
    assert isinstance(outcome, Declined)
    assert (outcome.code, outcome.message) == (code, f"It is {code}.")
    if not has_session:
        assert isinstance(sessions.judge_opening(body, 200), Declined)
        assert isinstance(sessions.canceled(body, 200), Declined)


def test_what_says_no_and_yes_at_once_is_no_confirmation():
    totals = [{"type": "total", "amount": 100}]
    session = {"id": "chk_1", "status": "completed", "currency": "USD", "line_items": []}
    done = {**session, "totals": totals, "order": {"id": "o1"}}
    assert isinstance(sessions.completed({**done, "ucp": {"status": "success"}}, 200), Confirmed)
    no: Outcome = sessions.completed({**done, "ucp": {"status": "error"}}, 200)
    assert isinstance(no, Unknown)
    assert isinstance(sessions.completed({**done, "order": {}}, 200), Unknown)
    assert isinstance(sessions.completed({**done, "status": "complete_in_progress"}, 200), Unknown)
    assert isinstance(sessions.judge_opening({**done, "ucp": {"status": "error"}}, 200), Unknown)


def test_of_ways_of_delivery_the_cheapest_is_chosen_where_none_is():
    options = [
        {"id": name, "totals": [{"type": "total", "amount": cents}]}
        for name, cents in (("express", 1_500), ("standard", 500))
    ]
    group: dict[str, Any] = {"id": "parcel", "options": options}
    method = {"type": "shipping", "destinations": [{"id": "home"}], "groups": [group]}
    shown = {
        "id": "chk_1",
        "currency": "USD",
        "line_items": [],
        "totals": [{"type": "total", "amount": 100}],
        "fulfillment": {"methods": [method]},
    }
    wanted = Wanted(lines=[], buyer=None, address={"id": "home"})
    sent = wanted.updated(Checkout.model_validate(shown))
    assert sent is not None
    (chosen,) = json.loads(sent)["fulfillment"]["methods"]
    assert chosen["selected_destination_id"] == "home"
    assert chosen["groups"] == [{"id": "parcel", "selected_option_id": "standard"}]
    shown["fulfillment"] = {"methods": [chosen]}
    assert wanted.updated(Checkout.model_validate(shown)) is None, "it is that already"


def test_what_is_fetched_is_chosen_by_its_id_and_shown_with_its_place_and_its_lines():
    shop = {"id": "loc_1", "type": "business_location", "name": "Main Street"}
    groups = [
        {"id": f"g{at}", "line_item_ids": [f"li_{at}"], "options": [{"id": "o", "title": title}]}
        for at, title in enumerate(("Counter", "Locker"), 1)
    ]
    total = [{"type": "total", "amount": 100}]
    shown: dict[str, Any] = {
        "id": "chk_1",
        "currency": "USD",
        "line_items": [
            {"id": f"li_{at}", "quantity": 1, "totals": total}
            | {"item": {"id": one, "title": one, "price": 100}}
            for at, one in enumerate(("Boot", "Sock"), 1)
        ],
        "totals": total,
        "fulfillment": {"methods": [{"type": "pickup", "destinations": [shop], "groups": groups}]},
    }
    sent = Wanted(lines=[], buyer=None, address=None).updated(Checkout.model_validate(shown))
    assert sent is not None
    (method,) = json.loads(sent)["fulfillment"]["methods"]
    assert "destinations" not in method
    for group, chosen in zip(groups, method["groups"], strict=True):
        group["selected_option_id"] = chosen["selected_option_id"]
    shown["fulfillment"]["methods"][0]["selected_destination_id"] = method[
        "selected_destination_id"
    ]
    assert Checkout.model_validate(shown).delivery == [
        "Counter, fetched at Main Street, for Boot",
        "Locker, fetched at Main Street, for Sock",
    ]


# -- in a conversation ----------------------------------------------------------------------------


async def test_what_is_missing_of_delivery_and_buyer_is_settled_by_the_machine(
    buyer: Buyer, merchant: Stranger
):
    async def lacks(asked: Asked) -> Said:
        await merchant.as_usual(asked)
        merchant.sessions["chk_1"] |= {
            "status": "incomplete",
            "messages": [error("missing", path="$.buyer.email")],
        }
        return said(merchant.sessions["chk_1"], 201)

    merchant.does("create", lacks)
    talk = await buyer.opened(merchant)
    assert (await talk.state()).values["carts"][0].checkout.status == "ready_for_complete"
    assert json.loads(merchant.of("update")[0].body)["buyer"]["email"] == "ada@example.com"


# -- warnings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("presentation", [None, "notice", "disclosure", "something new"])
async def test_each_warning_is_shown_in_the_approval_beside_what_it_is_about(
    buyer: Buyer, merchant: Stranger, presentation: str | None
):
    talk = await buyer.opened(merchant)
    merchant.sessions["chk_1"]["messages"] = [
        {
            "type": "warning",
            "code": code,
            "path": "$.line_items[0]",
            "content": f"Mind the {code}. " + "It is said whole. " * 30,
            "url": "https://warnings.example/65",
            **({"presentation": presentation} if presentation else {}),
        }
        for code in WARNINGS
    ]
    found = await buyer.says(talk, ("place_order", {"merchant": merchant.name}))
    (asked,) = found.interrupts[0].value["action_requests"]
    lines = asked["description"].split("\n")
    (line,) = [n for n, line in enumerate(lines) if "Trail Boot (BOOT)" in line]
    for at, code in enumerate(WARNINGS, 1):
        (found_at,) = [n for n, line in enumerate(lines) if f"Mind the {code}." in line]
        assert lines[found_at].count("It is said whole.") == 30
        assert "warnings.example/65" in lines[found_at]
        assert (found_at == line + at) == (presentation == "disclosure")


def test_a_link_of_a_warning_is_a_link_or_nothing():
    warned = {"type": "warning", "code": "x", "content": "Mind.", "url": "javascript:alert(1)"}
    message = Message.model_validate(warned)
    assert message.line == "Mind."
    message = Message.model_validate({**warned, "image_url": "https://a.example/b.png"})
    assert message.line == "Mind. (see https://a.example/b.png)"
