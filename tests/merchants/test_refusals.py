"""A refusal is read whatever shape it has, at once; only what may have acted is unknown."""

import json
from typing import Any

import pytest

from tests.conversation import answer_of, receipt_of
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import LOST, Asked, Said, Stranger, said
from tests.merchants.test_hostile import once, searched

PROBLEM = {"content-type": "application/problem+json; charset=utf-8"}


def in_rpc(code: int, message: str, data: Any = None, status: int = 200) -> Said:
    error = {"code": code, "message": message, **({"data": data} if data is not None else {})}
    return said({"jsonrpc": "2.0", "id": 1, "error": error}, status)


VERSION = {"code": "version_unsupported", "content": "We speak 2026-04-08.", "continue_url": None}
DETAIL = {"detail": [{"loc": ["body", "line_items"], "msg": "field required", "type": "missing"}]}
SOLD_OUT = {"messages": [{"type": "error", "code": "out_of_stock", "content": "Sold out."}]}
BUSY = {"detail": "Too many requests."}

REFUSALS: dict[str, tuple[str, Said, str]] = {
    "discovery": ("rest", said(VERSION, 422), "We speak 2026-04-08."),
    "profile": ("rest", said({**VERSION, "code": "profile_unreachable"}, 424), "We speak"),
    "fastapi": ("rest", said(DETAIL, 422), "body.line_items: field required"),
    "text": ("rest", said({"detail": "no such item"}, 400), "no such item"),
    "object": ("rest", said({"detail": {"code": "out", "message": "Sold out."}}, 422), "Sold out."),
    "code": ("rest", said({"detail": "Card declined.", "code": "DECLINED"}, 402), "Card declined."),
    "text only": ("rest", said({"detail": "Your agent is not admitted."}, 403), "not admitted"),
    "within": ("rest", said({"detail": VERSION}, 410), "We speak 2026-04-08."),
    "bare problem": ("rest", Said(404, b'{"detail": "No such thing."}', PROBLEM), "No such thing."),
    "problem": (
        "rest",
        Said(
            403,
            json.dumps({"type": "about:blank", "title": "Not sold there", "status": 403}).encode(),
            PROBLEM,
        ),
        "Not sold there",
    ),
    "rpc": ("mcp", in_rpc(-32001, "Discovery failed", VERSION), "We speak 2026-04-08."),
    "rpc 4xx": ("mcp", in_rpc(-32001, "Discovery failed", VERSION, 422), "We speak 2026-04-08."),
    "rpc object": ("mcp", in_rpc(-32001, "Turned away.", {"reason": 7}), "Turned away."),
    "rpc text": ("mcp", in_rpc(-32001, "No", "Your profile is too old."), "profile is too old"),
    "rpc messages": ("mcp", in_rpc(-32000, "Checkout failed", SOLD_OUT), "Sold out."),
    "rpc words": ("mcp", in_rpc(-32602, "Invalid params: line_items"), "Invalid params"),
}

UNCLEAR = {
    "refused": ("rest", said(VERSION, 422)),
    "refused over mcp": ("mcp", in_rpc(-32001, "Discovery failed", VERSION)),
    "proxy": ("rest", Said(403, b"<html>Forbidden</html>", {"content-type": "text/html"})),
    "gateway": ("rest", said({"message": "Forbidden"}, 403)),
    "failed": ("rest", said({"code": "internal", "content": "Sorry."}, 500)),
    "conflict": ("rest", said({"code": "conflict", "content": "Busy."}, 409)),
    "route": ("rest", said({"detail": "Not Found"}, 404)),
    "rpc": ("mcp", in_rpc(-32603, "Internal error")),
}


def always(merchant: Stranger, operation: str, answer: Said) -> None:
    merchant.does(operation, *[once(answer)] * 50)


@pytest.mark.parametrize("name", REFUSALS)
async def test_what_is_refused_is_sent_once_and_told_in_the_merchants_words(
    buyer: Buyer, merchant: Stranger, name: str
):
    merchant.transport, answer, words = REFUSALS[name]
    assert words in await searched(buyer, merchant, answer)
    always(merchant, "create", answer)
    talk = await buyer.opened(merchant)
    told = answer_of(await talk.state())
    assert words in told
    assert len(merchant.of("create")) == 1
    assert (await talk.state()).next == ()


@pytest.mark.parametrize("name", REFUSALS)
async def test_an_order_that_is_refused_is_not_placed_and_nobody_is_asked(
    buyer: Buyer, merchant: Stranger, name: str
):
    merchant.transport, answer, words = REFUSALS[name]
    talk = await buyer.asked(merchant)
    always(merchant, "complete", answer)
    done = await talk.approve()
    assert (done.interrupts, merchant.orders) == ((), {})
    assert len(merchant.of("complete")) == 1
    assert words in "\n".join(one.text for one in done.values["messages"])


@pytest.mark.parametrize("transport", ["rest", "mcp"])
async def test_a_merchant_that_speaks_another_version_by_now_is_asked_in_that_one(
    buyer: Buyer, merchant: Stranger, transport: str
):
    merchant.transport = transport
    before = merchant.profile()
    before["ucp"]["version"] = "2026-08-25"
    merchant.does("profile", once(said(before, **{"cache-control": "max-age=86400"})))
    refused = said(VERSION, 422) if transport == "rest" else in_rpc(-32001, "No", VERSION)
    assert "We speak 2026-04-08." in await searched(buyer, merchant, refused)
    await buyer.asked(merchant)
    [first, *others] = [
        one.headers["ucp-agent"] for one in merchant.asked if "ucp-agent" in one.headers
    ]
    assert "2026-08-25" in first
    assert all("2026-04-08" in one for one in others)


async def test_an_order_is_not_sent_where_a_look_before_it_is_refused(
    buyer: Buyer, merchant: Stranger
):
    talk = await buyer.asked(merchant)
    always(merchant, "get", said({"code": "gone", "content": "We know no such checkout."}, 410))
    done = await talk.approve()
    assert (done.next, done.interrupts, merchant.of("complete")) == ((), (), [])
    told = [one.text for one in done.values["messages"]]
    assert "We know no such checkout." in "\n".join(told)


@pytest.mark.parametrize("status", [401, 403])
async def test_an_order_is_not_sent_where_its_merchant_does_not_admit_us_any_more(
    buyer: Buyer, merchant: Stranger, status: int
):
    talk = await buyer.asked(merchant)
    always(merchant, "get", said({"detail": "Your agent is not admitted."}, status))
    done = await talk.approve()
    assert (done.next, done.interrupts, merchant.of("complete")) == ((), (), [])
    assert "not admitted" in "\n".join(one.text for one in done.values["messages"])


async def test_what_a_busy_merchant_puts_off_for_a_moment_is_sent_again(
    buyer: Buyer, merchant: Stranger
):
    merchant.does("create", *[once(said(BUSY, 429, **{"retry-after": "1"}))] * 2)
    await buyer.asked(merchant)
    assert len(merchant.of("create")) == 3


async def test_what_a_busy_merchant_puts_off_for_longer_is_told(buyer: Buyer, merchant: Stranger):
    always(merchant, "create", said(BUSY, 429, **{"retry-after": "900"}))
    told = answer_of(await (await buyer.opened(merchant)).state())
    assert "Too many requests. (It may be asked again in 900 seconds.)" in told
    assert len(merchant.of("create")) == 1


@pytest.mark.parametrize("operation", ["create", "update"])
async def test_a_checkout_without_an_id_is_left_at_once_by_the_rule(
    buyer: Buyer, merchant: Stranger, operation: str
):
    merchant.options = {"Standard": 100}
    sums = [{"type": "total", "amount": 100}]
    always(merchant, operation, said({"currency": "USD", "line_items": [], "totals": sums}, 201))
    told = answer_of(await (await buyer.opened(merchant)).state())
    assert "breaks the protocol: of a checkout `id` is missing" in told
    assert len(merchant.of(operation)) == 1


@pytest.mark.parametrize("name", UNCLEAR)
async def test_what_may_have_acted_is_no_refusal(buyer: Buyer, merchant: Stranger, name: str):
    merchant.transport, answer = UNCLEAR[name]
    talk = await buyer.asked(merchant)

    async def acts(asked: Asked) -> Said:
        await merchant.as_usual(asked)
        return answer

    merchant.does("complete", acts)
    done = await talk.approve()
    assert len(merchant.orders) == 1
    assert "order_1" in "\n".join(one.text for one in done.values["messages"])


async def test_a_conversation_whose_merchant_hangs_can_be_stopped_and_left(
    buyer: Buyer, merchant: Stranger, other: Stranger
):
    hasty = buyer.patient(buyer.resources.patience, 0.2)
    always(merchant, "create", LOST)
    talk = await hasty.opened(merchant)
    stopped = receipt_of(await talk.say("stop"))
    assert stopped.startswith(f"Stopped: Open a checkout at {merchant.name}. No further step")
    sent = len(merchant.of("create"))
    buyer.model.script.clear()
    assert (await hasty.asked(other)).thread_id != talk.thread_id
    assert len(merchant.of("create")) == sent
