"""What strangers' services answer and show besides, of a charge, its refund and an order.

What the service really did is the judge.
"""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Outcome
from daybook.state.receipts import ReceiptStatus
from daybook.testing.http import Answer, Request, as_json
from daybook.testing.wrong_answers import Row
from tests.conversation import answer_of, turn_receipt_lines, turn_receipt_text
from tests.strangers.agent import StrangersAgent
from tests.strangers.yard import KEYED, PROBED, UNSURE, Yard, charged_and_ordered, no, opened, yard

CHARGED = ("charge", {"amount": 100})
BOUGHT = [CHARGED, ("order", {"charge": "charge-1"})]
UNDONE = [CHARGED, ("refund", {"charge": "charge-1", "amount": 50})]


def at_office(
    postgres_url: str,
    office: Yard,
    guarantees: Guarantees,
    said: Mapping[str, Any] | None = None,
    **declared: Any,
) -> AbstractAsyncContextManager[StrangersAgent]:
    domain = yard(charged_and_ordered, guarantees, **declared)
    office.honours_keys = guarantees.honours_key
    return opened(postgres_url, office, domain, said, unproved=2.0)


# -- what a tool does after it has sent ------------------------------------------------------------


def details_are_refused(request: Request, kind: str) -> Answer | None:
    if kind != "detail":
        return None
    return as_json(404, {"error": {"code": "gone", "message": "There is none yet."}})


async def reads_details(outcome: Outcome, ctx: Any) -> Outcome:
    return Confirmed(await ctx.services.get("/details", reference=ctx.key))


@pytest.mark.parametrize("looks_up", [True, False])
async def test_a_read_that_fails_behind_the_request_is_no_word_that_nothing_was_sent(
    postgres_url: str, looks_up: bool
):
    office = Yard()
    office.instead = details_are_refused
    guarantees = PROBED if looks_up else UNSURE
    async with at_office(
        postgres_url, office, guarantees, looks_up=looks_up, after=reads_details
    ) as agent:
        done = await (await agent.asked_to_buy()).approve()
        if looks_up:
            assert office.done == BOUGHT
            assert answer_of(done).startswith("buy confirmed")
        else:
            assert office.done == BOUGHT[:1], "sent once, and nobody knows what came of it"
            assert "It is not known whether" in str(done.interrupts or answer_of(done))


async def captures(outcome: Outcome, ctx: Any) -> Outcome:
    body = {"charge": "charge-1", "reference": ctx.key}
    told: Outcome = await ctx.services.post("/x/capture", body, key=ctx.key, deadline=ctx.deadline)
    return told


@pytest.mark.parametrize(
    ("status", "code"), [(422, "no"), (429, "too_busy")], ids=["declined", "not done"]
)
async def test_a_no_to_the_second_request_of_a_tool_says_nothing_of_the_first(
    postgres_url: str, status: int, code: str
):
    office = Yard()
    refused = as_json(status, {"error": {"code": code, "message": "Not captured."}})
    office.instead = lambda request, kind: refused if request.path.endswith("capture") else None
    said = {"not_done": {"too_busy"}}
    async with at_office(postgres_url, office, PROBED, said, after=captures) as agent:
        talk = await agent.asked_to_buy()
        done = await talk.approve()
        assert office.done == BOUGHT, "what the first request did was not seen, or done again"
        assert "Nothing was changed" not in answer_of(done)


# -- half an answer to a look-up -------------------------------------------------------------------


@pytest.mark.parametrize(
    "half",
    [
        pytest.param((200, {"error": {"code": "shard_down"}, "data": []}), id="beside an error"),
        pytest.param((202, {"data": []}), id="only accepted"),
        pytest.param((200, {"errors": [{"message": "timeout"}], "data": []}), id="beside errors"),
    ],
)
async def test_half_an_answer_to_a_look_up_shows_no_absence(postgres_url, half):
    office = Yard(loses=["charge"])
    looks = iter(range(6))
    office.shown = lambda kind, rows: as_json(
        *(half if next(looks, None) is not None else (200, {"data": rows}))
    )
    async with at_office(postgres_url, office, PROBED) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert office.done == BOUGHT, "it was sent again although it may have been there"
        assert answer_of(done) == "buy confirmed: done"


# -- rows that came of ours ------------------------------------------------------------------------


@pytest.mark.parametrize("guarantees", [PROBED, KEYED], ids=["looked up", "keyed"])
async def test_what_came_of_an_effect_is_no_duplicate_of_it(postgres_url, guarantees):
    office = Yard()

    def shown(kind: str, rows: list[Row]) -> Answer:
        captured = [{**row, "id": f"CAP-{row['id']}", "parent": row["id"]} for row in rows]
        return as_json(200, {"data": rows + (captured if kind == "charge" else [])})

    office.shown = shown
    async with at_office(postgres_url, office, guarantees) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert office.done == BOUGHT, "the capture of the one charge was undone"
        assert ReceiptStatus.UNDONE not in [one.status for one in turn_receipt_lines(done)]
        assert "a duplicate" not in turn_receipt_text(done)
        assert "CAP-charge-1" in turn_receipt_text(done), "it is told"


# -- undos that find nothing -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("guarantees", "looks_up"),
    [
        pytest.param(KEYED, False, id="keyed"),
        pytest.param(PROBED, True, id="looked up"),
    ],
)
async def test_an_undo_that_finds_nothing_is_believed_when_the_effect_has_settled(
    postgres_url: str, guarantees: Guarantees, looks_up: bool
):
    office = Yard()
    office.refuses("order")
    refused = office.instead
    not_yet = iter(range(2))

    def instead(request: Request, kind: str) -> Answer | None:
        if (request.method, kind) == ("POST", "refund") and next(not_yet, None) is not None:
            return no("gone")
        return refused(request, kind)

    office.instead = instead
    async with at_office(postgres_url, office, guarantees, looks_up=looks_up) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert office.done == UNDONE, "the charge stands, and it was told as undone"
        assert "Undone: charge" in answer_of(done)


# -- answers that show nothing, and ids of two types -----------------------------------------------


def approved_amount(args: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"amount": args["amount"]}


async def test_an_undo_that_is_answered_with_nothing_is_no_undo_of_something_else(postgres_url):
    office = Yard()
    office.refuses("order")
    office.replied = lambda kind, row: Answer(204) if kind == "refund" else as_json(201, row)
    said = {"success_without_body": {204}}
    async with at_office(
        postgres_url, office, KEYED, said, looks_up=False, evidence=approved_amount
    ) as agent:
        asked = await (await agent.asked_to_buy()).approve()
        assert office.done == UNDONE
        question = str(asked.interrupts[0].value)
        assert "does not say what was undone" in question
        assert "something else" not in question


@pytest.mark.parametrize("orders", [True, False], ids=["bought", "undone"])
async def test_an_id_may_be_a_number_in_a_look_up_and_a_text_in_an_answer(postgres_url, orders):
    office = Yard(loses=["charge"])
    if not orders:
        office.refuses("order")
    office.made = lambda row: {**row, "id": int(row["id"].partition("-")[2]) + 100}
    async with at_office(postgres_url, office, PROBED) as agent:
        done = await (await agent.asked_to_buy()).approve()
        undone = ("refund", {"charge": "101", "amount": 50})
        assert office.done == [CHARGED, ("order", {"charge": "101"}) if orders else undone]
        assert answer_of(done).startswith("buy confirmed" if orders else "buy failed")
