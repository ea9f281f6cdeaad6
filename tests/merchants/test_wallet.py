"""A credential is asked for as it is sent, and written nowhere, also where a merchant repeats it."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from daybook.graph.build import build
from daybook.state.errors import ToolRefused
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.merchant import Hiding
from daybook.tools.services.reply import HIDDEN
from tests.conversation import answer_of, turn_receipt_text
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import LOST, Asked, Said, Stranger, said
from tests.merchants.test_orders import stored

NUMBER, CODE = "tok_live_51Hq7ZkQ", "9137"


@dataclass
class Spy:
    """A wallet that counts how often it is asked for a credential, and when."""

    inner: Any
    merchant: Stranger
    refuses: bool = False
    asked: list[tuple[str, str, int]] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def credential(
        self, user_id: str, instrument_id: str, checkout_id: str, key: str
    ) -> Mapping[str, Any]:
        self.asked.append((checkout_id, key, len(self.merchant.of("complete"))))
        if self.refuses:
            raise ToolRefused("The person's bank does not answer.")
        return {"type": "card", "token": NUMBER, "cvc": CODE}


@pytest.fixture
async def spied(buyer: Buyer, merchant: Stranger) -> tuple[Buyer, Spy]:
    spy = Spy(buyer.resources.services.wallet, merchant)
    services = replace(buyer.resources.services, wallet=spy)
    resources = replace(buyer.resources, services=services)
    graph = build(MERCHANTS, lambda: resources, buyer.postgres.saver)
    return replace(buyer, graph=graph, resources=resources), spy


async def test_it_is_asked_for_once_it_is_approved_and_about_to_be_sent(
    spied: tuple[Buyer, Spy], merchant: Stranger
):
    buyer, spy = spied
    talk = await buyer.asked(merchant)
    assert spy.asked == []
    await talk.answer({"type": "reject", "message": "no"})
    assert spy.asked == []
    await buyer.says(talk, ("place_order", {"merchant": merchant.name}))
    await talk.approve()
    (sent,) = merchant.of("complete")
    assert spy.asked == [("chk_1", sent.key, 0)]


async def test_an_order_that_is_sent_again_asks_under_the_same_key(
    spied: tuple[Buyer, Spy], merchant: Stranger
):
    async def lost(asked: Asked) -> Said:
        return LOST

    buyer, spy = spied
    talk = await buyer.asked(merchant)
    merchant.does("complete", lost)
    await talk.approve()
    assert [key for _, key, _ in spy.asked] == [spy.asked[0][1]] * 2


async def test_a_wallet_that_gives_none_sends_nothing(spied: tuple[Buyer, Spy], merchant: Stranger):
    buyer, spy = spied
    talk = await buyer.asked(merchant)
    spy.refuses = True
    await talk.approve()
    assert spy.asked
    assert merchant.of("complete") == []


ECHO = f"Card {NUMBER} (cvc {CODE}) was declined."
ERROR = {"type": "error", "code": f"declined_{NUMBER}", "severity": "recoverable", "content": ECHO}


def in_messages(merchant: Stranger) -> Said:
    return said({**merchant.sessions["chk_1"], "messages": [ERROR]})


def in_an_error(merchant: Stranger) -> Said:
    return said({"ucp": {"status": "error"}, "messages": [ERROR]}, 422)


def in_a_success(merchant: Stranger) -> Said:
    answer = merchant.completed("chk_1")
    warning = {"type": "warning", "code": "note", "content": ECHO}
    body = {**json.loads(answer.body), "messages": [warning], "payment": {"token": NUMBER}}
    return said(body)


def in_no_answer_at_all(merchant: Stranger) -> Said:
    return Said(200, f"<h1>{ECHO}</h1>".encode(), {"content-type": "text/html", "x-card": NUMBER})


@pytest.mark.parametrize("echoes", [in_messages, in_an_error, in_a_success, in_no_answer_at_all])
async def test_a_merchant_that_repeats_it_is_not_repeated(
    spied: tuple[Buyer, Spy],
    merchant: Stranger,
    caplog: pytest.LogCaptureFixture,
    echoes: Any,
):
    caplog.set_level(logging.DEBUG)

    async def repeated(asked: Asked) -> Said:
        return echoes(merchant)

    async def shown(asked: Asked) -> Said:
        # What is looked up later repeats it as well.
        warning = {"type": "warning", "code": "note", "content": ECHO}
        return said({**merchant.sessions["chk_1"], "messages": [warning]})

    buyer, _ = spied
    talk = await buyer.asked(merchant)
    merchant.does("complete", repeated)
    found = await talk.approve()
    merchant.does("get", *[shown] * 4)
    buyer.model.then([("refresh_checkout", {"merchant": merchant.name})], lambda prompt: "Seen.")
    if not found.interrupts:
        found = await talk.say("how does it stand?")
    everything = await stored(buyer)
    for secret in (NUMBER, f"cvc {CODE}"):
        assert [table for table, rows in everything.items() if secret in rows] == []
        assert secret not in str(found.values)
        assert secret not in answer_of(found) + turn_receipt_text(found)
        assert secret not in caplog.text


def test_what_is_hidden_is_what_is_secret_and_nothing_else():
    hiding = Hiding()
    assert hiding.body({"token": NUMBER}) == {"token": NUMBER}
    hiding.hide({"type": "token", "token": NUMBER, "cvc": CODE, "expiry": {"year": 2031}, "n": [1]})
    told = {
        "type": "token",
        "said": f"{NUMBER}, {CODE}, 91370, a token, 2031-05-06",
        "amount": 9137,
    }
    assert hiding.body([told]) == [
        {"type": "token", "said": f"{HIDDEN}, {HIDDEN}, 91370, a token, 2031-05-06", "amount": 9137}
    ]
    assert NUMBER not in repr(hiding)
