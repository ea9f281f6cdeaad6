"""A merchant that wants its customer: the page is handed over, and what is done there is taken up."""

import json

import pytest

from daybook.checkpoints.inspect import inspect
from daybook.graph.merchants.events import Polls
from tests.conversation import Conversation, answer_of, turn_receipt_text
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import LOST, Answers, Asked, Said, Stranger, said
from tests.merchants.test_events import keys, told  # noqa: F401
from tests.merchants.test_in_hand import orders

WHY = {
    "type": "error",
    "code": "age_check",
    "severity": "requires_buyer_review",
    "content": "Show that you are of age.",
}


def escalated(
    merchant: Stranger, *, answer: Said | None = None, page: str = "/go/chk_1"
) -> Answers:
    """Let a request be answered by a checkout that waits for its customer."""

    async def escalate(asked: Asked) -> Said:
        if not asked.path.endswith("/complete"):
            await merchant.as_usual(asked)
        merchant.sessions["chk_1"] |= {
            "status": "requires_escalation",
            "continue_url": f"{merchant.url}{page}" if page.startswith("/go") else page,
            "messages": [WHY],
        }
        return answer or said(merchant.sessions["chk_1"], 200)

    return escalate


async def opened(buyer: Buyer, merchant: Stranger, page: str = "/go/chk_1") -> Conversation:
    """Open a checkout that waits for its customer from the beginning."""
    merchant.does("create", escalated(merchant, page=page))
    merchant.does("update", *[escalated(merchant, page=page)] * 2)
    return await buyer.opened(merchant)


async def handed_over(buyer: Buyer, merchant: Stranger, when: str) -> Conversation:
    """Bring a conversation to where its person is sent to the merchant's page."""
    if when == "before":
        return await opened(buyer, merchant)
    talk = await buyer.asked(merchant)
    merchant.does("complete", escalated(merchant, answer=LOST if when == "lost" else None))
    await talk.approve()
    return talk


@pytest.mark.parametrize("when", ["before", "at complete", "lost"])
async def test_the_page_is_handed_over_with_its_reason(buyer: Buyer, merchant: Stranger, when: str):
    talk = await handed_over(buyer, merchant, when)
    found = await talk.state()
    assert f"{merchant.url}/go/chk_1" in turn_receipt_text(found)
    assert "Show that you are of age." in turn_receipt_text(found)
    assert found.values["carts"][0].checkout.status == "requires_escalation"
    assert len(merchant.of("complete")) == (when != "before")
    assert await orders(talk) == []
    found = await buyer.says(talk, ("place_order", {"merchant": merchant.name}))
    assert not found.interrupts, "nobody is asked to approve what cannot be ordered"


@pytest.mark.parametrize("when", ["before", "at complete"])
@pytest.mark.parametrize("how", ["worker", "person"])
async def test_it_goes_on_when_the_merchant_says_so(
    buyer: Buyer, merchant: Stranger, when: str, how: str
):
    talk = await handed_over(buyer, merchant, when)
    merchant.sessions["chk_1"] |= {"status": "ready_for_complete", "messages": []}
    if how == "worker":
        assert await Polls()(buyer.resources) == [
            f"{merchant.name} has the checkout chk_1 as ready_for_complete"
        ]
    else:
        await buyer.says(talk, ("refresh_checkout", {"merchant": merchant.name}))
    assert (await talk.state()).values["carts"][0].checkout.status == "ready_for_complete"
    await buyer.says(talk, ("place_order", {"merchant": merchant.name}))
    await talk.approve()
    assert await orders(talk) == ["order_1"]
    assert len(merchant.orders) == 1


@pytest.mark.parametrize("how", ["worker", "event", "person", "order again"])
async def test_what_is_ordered_at_its_page_is_found_told_and_not_ordered_again(
    buyer: Buyer, merchant: Stranger, how: str
):
    talk = await handed_over(buyer, merchant, "at complete")
    merchant.completed("chk_1")
    match how:
        case "worker":
            await Polls()(buyer.resources)
        case "event":
            await told(buyer, merchant, merchant.event("order_1"))
        case "person":
            await buyer.says(talk, ("refresh_checkout", {"merchant": merchant.name}))
        case _:
            found = await buyer.says(talk, ("place_order", {"merchant": merchant.name}))
            assert "call refresh_checkout" in answer_of(found)
            await buyer.says(talk, ("refresh_checkout", {"merchant": merchant.name}))
    assert await orders(talk) == ["order_1"]
    assert (await talk.state()).values["carts"][0].lines == ()
    said_to_them = [one.text for one in (await talk.state()).values["messages"]]
    if not any("was placed there" in one for one in said_to_them):
        buyer.model.then("Anything else?")
        said_to_them.append(turn_receipt_text(await talk.say("well?")))
    assert sum("was placed there, at its own page" in one for one in said_to_them) == 1
    assert len(merchant.orders) == 1
    assert len(merchant.of("complete")) == 1
    assert (await inspect(buyer.postgres.url, "default")).of_nobody == []


async def test_what_is_ordered_at_its_page_while_the_question_waits_is_not_ordered_again(
    buyer: Buyer, merchant: Stranger
):
    async def with_a_page(asked: Asked) -> Said:
        await merchant.as_usual(asked)
        merchant.sessions["chk_1"]["continue_url"] = f"{merchant.url}/go/chk_1"
        return said(merchant.sessions["chk_1"], 201)

    merchant.does("create", with_a_page)
    talk = await buyer.asked(merchant)
    merchant.completed("chk_1")
    await told(buyer, merchant, merchant.event("order_1"))
    assert (await inspect(buyer.postgres.url, "default")).of_nobody == []
    await talk.approve()
    assert merchant.of("complete") == []
    await Polls()(buyer.resources)
    if not await orders(talk):
        await buyer.says(talk, ("refresh_checkout", {"merchant": merchant.name}))
    assert await orders(talk) == ["order_1"]
    assert len(merchant.orders) == 1


@pytest.mark.parametrize("how", ["worker", "person"])
async def test_what_is_canceled_or_runs_out_there_is_told_and_the_cart_stays(
    buyer: Buyer, merchant: Stranger, how: str
):
    talk = await handed_over(buyer, merchant, "at complete")
    expired = {"type": "error", "code": "expired", "content": "It ran out."}
    merchant.sessions["chk_1"] |= {"status": "canceled", "messages": [expired]}
    if how == "worker":
        await Polls()(buyer.resources)
        buyer.model.then("I am sorry.")
        found = await talk.say("and?")
    else:
        found = await buyer.says(talk, ("refresh_checkout", {"merchant": merchant.name}))
    assert "ended there: canceled (It ran out.)" in turn_receipt_text(found)
    (cart,) = found.values["carts"]
    assert (cart.checkout, len(cart.lines)) == (None, 1)
    await buyer.says(talk, ("open_checkout", {"merchant": merchant.name}))
    assert merchant.open_sessions == ["chk_2"]
    assert (await talk.state()).values["carts"][0].ended == ""


@pytest.mark.parametrize(
    "page",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://evil.example/go",
        "http://127.0.0.1:1/go",
        "//evil.example/go",
        "https://user:pass@{host}/go",
        "https://{host}.evil.example/go",
        "https://{host}\u202e/go",
        "https://{host}/go\r\nset-cookie: x",
        "ftp://{host}/go",
    ],
)
async def test_no_page_but_the_merchants_own_is_handed_over(
    buyer: Buyer, merchant: Stranger, page: str
):
    page = page.format(host=merchant.name)
    talk = await opened(buyer, merchant, page)
    found = await talk.state()
    assert found.values["carts"][0].checkout.continue_url is None
    everything = json.dumps([one.text for one in found.values["messages"]])
    assert "evil.example" not in everything
    assert "javascript" not in everything
    assert "gives no link" in turn_receipt_text(found)
    found = await buyer.says(talk, ("place_order", {"merchant": merchant.name}))
    assert merchant.url in answer_of(found), "its own front door is all that can be named"
