"""What strangers' services answer and show besides: an office that books, cancels and takes orders.

What the office really did is the judge.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from daybook.state.effects.bind import take
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Outcome
from daybook.state.flow import FlowTable
from daybook.state.receipts import ReceiptStatus
from daybook.testing.http import Answer, Request, as_json
from daybook.tools.domain import Domain, Prompt
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import Undo, hybrid, plan, write
from daybook.tools.registry import Registry
from daybook.tools.services.contract import Contract
from daybook.tools.services.http import HttpService
from tests.beside import served
from tests.conversation import answer_of, turn_receipt_lines, turn_receipt_text
from tests.strangers.agent import StrangersAgent, strangers_agent

PROBED = Guarantees(settle=timedelta(seconds=0.4), late_sender="accepted")
KEYED = Guarantees(honours_key=True, retention=timedelta(hours=24))

Row = dict[str, Any]


class Office:
    """Book, cancel and take orders.

    Attributes:
        done: what really happened, in order: kind, id, and the booking that it is about.
        instead: answers a request in its place; None where nothing goes wrong.
        made: makes the row of what was done.
        replied: answers what was done; None hangs up.
        shown: answers a look-up with its rows.
    """

    def __init__(self) -> None:
        self.done: list[tuple[str, Any, Any]] = []
        self.asked: list[str] = []
        self.queries: list[dict[str, str]] = []
        self._rows: dict[str, list[Row]] = {"booking": [], "cancellation": [], "order": []}
        self._keys: dict[str, Row] = {}
        self.instead: Callable[[Request, str], Answer | None] = lambda request, kind: None
        self.made: Callable[[Row], Row] = dict
        self.replied: Callable[[str, Row], Answer | None] = lambda kind, row: as_json(201, row)
        self.shown: Callable[[str, list[Row]], Answer] = lambda kind, rows: as_json(
            200, {"data": rows}
        )

    def handle(self, request: Request) -> Answer | None:
        """Answer a request."""
        kind = request.path.strip("/").removesuffix("s")
        if (other := self.instead(request, kind)) is not None:
            return other
        if request.method == "GET":
            self.queries.append(dict(request.query))
            rows = [r for r in self._rows[kind] if r["reference"] == request.query["reference"]]
            return self.shown(kind, rows)
        self.asked.append(kind)
        if request.key in self._keys:
            return self.replied(kind, self._keys[request.key])
        asked = request.json()
        rows = self._rows[kind]
        row = self.made({"id": f"{kind[0].upper()}-{len(rows) + 1}", **asked})
        rows.append(row)
        self.done.append((kind, row["id"], asked.get("booking")))
        if request.headers.get("honours") == "keys":
            self._keys[request.key] = row
        return self.replied(kind, row)

    def loses_the_first_answer(self) -> None:
        """Hang up after the first booking."""
        told = self.replied

        def replied(kind: str, row: Row) -> Answer | None:
            return None if self.asked == ["booking"] else told(kind, row)

        self.replied = replied

    def refuses_orders(self) -> None:
        """Decline every order."""

        def instead(request: Request, kind: str) -> Answer | None:
            if (request.method, kind) != ("POST", "order"):
                return None
            return as_json(422, {"error": {"code": "sold_out", "message": "It is sold out."}})

        self.instead = instead


def domain(
    guarantees: Guarantees,
    *,
    looks_up: bool = True,
    after: Callable[[Outcome, Any], Any] | None = None,
    **declared: Any,
) -> Domain:
    """Declare a booking, its cancellation, and the order that is built on it.

    Args:
        after: what the tool does once it was answered.
        declared: of booking and cancellation.
    """

    def found(path: str) -> Mapping[str, Any]:
        async def probe(args: Any, *, ctx: Any) -> Any:
            return (await ctx.services.get(path, reference=ctx.key))["data"]

        return {"probe": probe} if looks_up else {}

    known: dict[str, Any] = {"guarantees": guarantees, "reference": "id"}

    async def post(path: str, ctx: Any, **body: Any) -> Outcome:
        named = {**body, "customer": ctx.session.user_id, "reference": ctx.key}
        sent: Outcome = await ctx.services.post(path, named, key=ctx.key, deadline=ctx.deadline)
        return sent

    @hybrid(
        **known,
        **found("/bookings"),
        **declared,
        undo=Undo("cancel", lambda args, result: {"booking": result["id"]}, frozenset({"gone"})),
    )
    async def book(room: str, amount: int, *, ctx: Any) -> Outcome:
        """Book a room."""
        outcome = await post("/bookings", ctx, room=room, amount=amount)
        told: Outcome = await after(outcome, ctx) if after else outcome
        return told

    @write(**known, **found("/cancellations"), **declared)
    async def cancel(booking: str, *, ctx: Any, amount: int = 13190) -> Outcome:
        """Cancel a booking."""
        return await post("/cancellations", ctx, booking=booking, amount=amount)

    @write(**known, **found("/orders"))
    async def order(item: str, booking: str, *, ctx: Any) -> Outcome:
        """Order what was booked."""
        return await post("/orders", ctx, item=item, booking=booking)

    @plan
    async def buy(item: str, amount: int, *, ctx: Any) -> ActionDraft:
        """Buy an item. Asks for approval."""
        op = f"buy/{ctx.turn_id}"
        booked = {"booking": take("book", "id")}
        steps = (
            StepDraft("book", "book", f"{op}/book", {"room": item, "amount": amount}),
            StepDraft("order", "order", f"{op}/order", {"item": item}, booked, pivot=True),
        )
        return ActionDraft("buy", {"item": item, "amount": amount}, f"Buy {item}", steps)

    return Domain(
        name="office",
        registry=Registry(offered=(buy,), steps=(book, cancel, order)),
        flow=FlowTable("ready", {}, {"ready": frozenset({"buy"})}),
        prompt=Prompt(system="You buy what people ask for."),
    )


@asynccontextmanager
async def opened(
    postgres_url: str,
    office: Office,
    guarantees: Guarantees,
    contract: Mapping[str, Any] | None = None,
    **declared: Any,
) -> AsyncIterator[StrangersAgent]:
    """Open the agent of an office."""
    said = Contract(
        name="the office", declined={"sold_out", "gone", "not_there"}, **(contract or {})
    )
    headers = {"honours": "keys"} if guarantees.honours_key else {}
    with served({"office": office}) as url:
        http = HttpService(f"{url}/office", contract=said, headers=headers)
        async with strangers_agent(
            postgres_url, domain(guarantees, **declared), http, budget=1.0, unproved=2.0
        ) as agent:
            yield agent


BOUGHT = [("booking", "B-1", None), ("order", "O-1", "B-1")]


# -- what a tool does after it has sent ------------------------------------------------------------


def details_are_refused(request: Request, kind: str) -> Answer | None:
    if kind != "detail":
        return None
    return as_json(404, {"error": {"code": "not_there", "message": "There is none yet."}})


async def reads_details(outcome: Outcome, ctx: Any) -> Outcome:
    return Confirmed(await ctx.services.get("/details", reference=ctx.key))


@pytest.mark.parametrize("looks_up", [True, False])
async def test_a_read_that_fails_behind_the_request_is_no_word_that_nothing_was_sent(
    postgres_url: str, looks_up: bool
):
    office = Office()
    office.instead = details_are_refused
    guarantees = PROBED if looks_up else Guarantees(late_sender="accepted")
    async with opened(
        postgres_url, office, guarantees, looks_up=looks_up, after=reads_details
    ) as agent:
        done = await (await agent.asked_to_buy()).approve()
        if looks_up:
            assert office.done == BOUGHT
            assert answer_of(done).startswith("buy confirmed")
        else:
            assert office.done == BOUGHT[:1], "sent once, and nobody knows what came of it"
            assert "Nobody can tell whether" in str(done.interrupts or answer_of(done))


async def captures(outcome: Outcome, ctx: Any) -> Outcome:
    body = {"booking": "B-1", "reference": ctx.key}
    told: Outcome = await ctx.services.post("/x/capture", body, key=ctx.key, deadline=ctx.deadline)
    return told


@pytest.mark.parametrize(
    ("status", "code"), [(422, "sold_out"), (429, "too_busy")], ids=["declined", "not done"]
)
async def test_a_no_to_the_second_request_of_a_tool_says_nothing_of_the_first(
    postgres_url: str, status: int, code: str
):
    office = Office()
    refused = as_json(status, {"error": {"code": code, "message": "Not captured."}})
    office.instead = lambda request, kind: refused if request.path.endswith("capture") else None
    said = {"not_done": {"too_busy"}}
    async with opened(postgres_url, office, PROBED, said, after=captures) as agent:
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
    office = Office()
    office.loses_the_first_answer()
    looks = iter(range(6))
    office.shown = lambda kind, rows: as_json(
        *(half if next(looks, None) is not None else (200, {"data": rows}))
    )
    async with opened(postgres_url, office, PROBED) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert office.done == BOUGHT, "it was sent again although it may have been there"
        assert answer_of(done) == "buy confirmed: done"


async def test_a_look_up_need_not_say_what_an_answer_must(postgres_url: str):
    office = Office()
    office.loses_the_first_answer()
    told = office.replied

    def replied(kind: str, row: Row) -> Answer | None:
        if told(kind, row) is None:
            return None
        return as_json(200, {**row, "result": "Authorised"})

    office.replied = replied
    said = {"ok": ("result",), "ok_values": ("Authorised",)}
    async with opened(postgres_url, office, PROBED, said) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert office.done == BOUGHT
        assert answer_of(done) == "buy confirmed: done"


# -- rows that came of ours ------------------------------------------------------------------------


@pytest.mark.parametrize("guarantees", [PROBED, KEYED], ids=["looked up", "keyed"])
async def test_what_came_of_an_effect_is_no_duplicate_of_it(postgres_url, guarantees):
    office = Office()

    def shown(kind: str, rows: list[Row]) -> Answer:
        captured = [{**row, "id": f"CAP-{row['id']}", "parent": row["id"]} for row in rows]
        return as_json(200, {"data": rows + (captured if kind == "booking" else [])})

    office.shown = shown
    async with opened(postgres_url, office, guarantees) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert office.done == BOUGHT, "the capture of the one booking was undone"
        assert ReceiptStatus.UNDONE not in [one.status for one in turn_receipt_lines(done)]
        assert "a duplicate" not in turn_receipt_text(done)
        assert "CAP-B-1" in turn_receipt_text(done), "it is told"


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
    office = Office()
    office.refuses_orders()
    refused = office.instead
    not_yet = iter(range(2))

    def instead(request: Request, kind: str) -> Answer | None:
        if (request.method, kind) == ("POST", "cancellation") and next(not_yet, None) is not None:
            return as_json(404, {"error": {"code": "gone", "message": "No such booking."}})
        return refused(request, kind)

    office.instead = instead
    async with opened(postgres_url, office, guarantees, looks_up=looks_up) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert office.done == [("booking", "B-1", None), ("cancellation", "C-1", "B-1")], (
            "the booking stands, and it was told as undone"
        )
        assert "Undone: book" in answer_of(done)


# -- answers that show nothing, and ids of two types -----------------------------------------------


def approved_amount(args: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"amount": args["amount"]}


async def test_where_an_answer_shows_nothing_the_look_up_is_what_is_judged(postgres_url: str):
    office = Office()
    office.refuses_orders()
    office.replied = lambda kind, row: Answer(204)
    said = {"success_without_body": {204}}
    async with opened(postgres_url, office, PROBED, said, evidence=approved_amount) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert office.done == [("booking", "B-1", None), ("cancellation", "C-1", "B-1")]
        assert "Undone: book" in answer_of(done)


async def test_an_undo_that_is_answered_with_nothing_is_no_undo_of_something_else(postgres_url):
    office = Office()
    office.refuses_orders()
    office.replied = lambda kind, row: Answer(204) if kind == "cancellation" else as_json(201, row)
    said = {"success_without_body": {204}}
    async with opened(
        postgres_url, office, KEYED, said, looks_up=False, evidence=approved_amount
    ) as agent:
        asked = await (await agent.asked_to_buy()).approve()
        assert office.done == [("booking", "B-1", None), ("cancellation", "C-1", "B-1")]
        question = str(asked.interrupts[0].value)
        assert "does not say what was undone" in question
        assert "something else" not in question


@pytest.mark.parametrize("orders", [True, False], ids=["bought", "undone"])
async def test_an_id_may_be_a_number_in_a_look_up_and_a_text_in_an_answer(postgres_url, orders):
    office = Office()
    office.loses_the_first_answer()
    if not orders:
        office.refuses_orders()
    office.made = lambda row: {**row, "id": int(row["id"].partition("-")[2]) + 100}
    async with opened(postgres_url, office, PROBED) as agent:
        done = await (await agent.asked_to_buy()).approve()
        last = ("order" if orders else "cancellation", 101, "101")
        assert office.done == [("booking", 101, None), last]
        assert answer_of(done).startswith("buy confirmed" if orders else "buy failed")
