"""The inbox at the console: its table, filters and cards, and what is answered together."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from daybook.state.ledger.recovery import Event
from daybook.state.money import Money
from daybook.state.people.policy import Policy, Rule
from daybook.testing.model import last_result
from tests.at_the_console import Served, answered, at_the_console, sent, serves, shown
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.test_console import asked_to_buy, hidden, mail_in_doubt, sums
from tests.purchases import bought, entries, rebuilt

CLERKS = Rule(
    name="clerks charge", tools=("charge_payment",), users=("dan", "hugo"), approval="clerk"
)
REFUNDS = Rule(name="refunds", tools=("refund_payment",), approval="clerk", four_eyes=True)
OPERATORS = Rule(
    name="charges over 90",
    tools=("charge_payment",),
    users=("gus",),
    above=Money(amount=9_000, currency="USD"),
    approval="operator",
)


@pytest.fixture
def agent(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """Serve the console on an agent under rules."""
    ruled = rebuilt(agent, policy=Policy(rules=(CLERKS, REFUNDS, OPERATORS)))
    serves(monkeypatch, Served(ruled, ruled.domain))
    return ruled


def rows_of(page: str) -> list[dict[str, str]]:
    """Return the rows of the table, by what stands above each column."""
    found = []
    for row in re.findall(r'<tbody class="row.*?</tr>', page, re.DOTALL):
        cells = re.findall(r'<td[^>]* data-label="([^"]+)">(.*?)</td>', row, re.DOTALL)
        title = re.findall(r'<th scope="row" class="what">(.*?)</th>', row, re.DOTALL)
        named = [("Question", title[0]), *cells]
        found.append({name: re.sub(r"<[^>]+>", "", cell).strip() for name, cell in named})
    return found


async def rows(http: Any, query: str = "") -> list[dict[str, str]]:
    """Return the rows that staff are shown."""
    return rows_of(await shown(http, f"/inbox{query}"))


def of(listed: list[dict[str, str]]) -> list[str]:
    """Return for whom the rows are."""
    return [row["Customer"] for row in listed]


def boxes(page: str) -> dict[str, str]:
    """Return what can be chosen on a page."""
    return dict(re.findall(r'name="(chosen-[^"]+)" value="([^"]+)"', page))


async def asked_to_refund(agent: Agent, user: str = "ada") -> Conversation:
    """Ask for the refund of an order, which takes a clerk."""
    talk = await bought(agent, user)
    order = talk_order(await talk.state())
    agent.model.then([("cancel_order", {"order_id": order})], last_result)
    await talk.say("cancel my order")
    agent.model.script.clear()
    return talk


def talk_order(state: Any) -> str:
    """Return the id of the order that was placed in a conversation."""
    return str(state.values["checkout"].orders[-1].order_id)


async def test_staff_are_shown_what_needs_them_and_customers_wishes_on_purpose_alone(
    agent: Agent, shop: Shop
):
    own = await asked_to_buy(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    for user in ("hugo", "gus"):
        await asked_to_buy(agent, user)
    doubted = await mail_in_doubt(agent, shop)
    async with at_the_console("cleo", "clerk") as http:
        page = await shown(http, "/inbox")
        listed = rows_of(page)
        assert of(listed) == ["hugo", "gus", "ada"]
        first, second, third = listed
        assert (first["Approver"], first["Reason"]) == ("clerk", "clerks charge")
        assert (second["Approver"], second["Reason"]) == (
            "operator",
            "charges over 90",
        )
        assert (first["Amount"], first["Type"], third["Type"]) == (
            "98.90 USD",
            "approval",
            "in doubt",
        )
        assert third["Question"] == "In doubt: the mail &#34;Hello&#34; was sent"
        assert re.fullmatch(r"in \d+ (minutes|hours|days)", first["Deadline"])
        assert own.thread_id not in page
        assert "(3) Inbox" in page
        assert of(await rows(http, "?kind=customers")) == ["ben"]
        assert of(await rows(http, "?kind=doubt")) == ["ada"]
        assert of(await rows(http, "?mine=1")) == ["hugo", "ada"]
        assert of(await rows(http, "?role=operator")) == ["gus"]
        assert of(await rows(http, "?customer=gus")) == ["gus"]
        assert of(await rows(http, "?from=98.91")) == []
        assert of(await rows(http, "?from=98.90&to=98.90")) == ["hugo", "gus"]
        assert of(await rows(http, "?age=1d")) == []
        assert "1.x is not an amount" in await shown(http, "/inbox?to=1.x")
        opened = await shown(http, f"/inbox?open={doubted.thread_id}")
        assert f'action="/console/threads/{doubted.thread_id}/answer"' in opened
    async with at_the_console("ben") as http:
        page = await shown(http, "/inbox")
        assert f'action="/console/threads/{own.thread_id}/answer"' in page
        assert doubted.thread_id not in page


async def test_the_table_is_sorted_and_paged_and_keeps_its_filters(
    agent: Agent, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("daybook.app.console.inbox._MOST", 2)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001", "quantity": 2})], "Two of them.")
    large = Conversation(agent.graph, "dan")
    await large.say("two boots")
    agent.model.then([("checkout", {"card_id": "card_dan_2"})], last_result)
    await large.say("check out")
    agent.model.script.clear()
    for user in ("hugo", "gus"):
        await asked_to_buy(agent, user)
    async with at_the_console("cleo", "clerk") as http:
        page = await shown(http, "/inbox?from=1")
        assert of(rows_of(page)) == ["dan", "hugo"]
        more = re.findall(r'href="([^"]+)">Next<', page)
        assert more == ["/console/inbox?from=1&amp;page=2"]
        assert of(await rows(http, "?from=1&page=2")) == ["gus"]
        assert [of(await rows(http, f"?from={one}")) for one in ("1,000", "1,000.00")] == [[], []]
        assert of(await rows(http, "?from=100,50")) == ["dan"]
        assert of(await rows(http, "?sort=amount&page=2")) == ["gus"]
        assert of(await rows(http, "?sort=deadline")) == ["dan", "hugo"]
        # Answered meanwhile: there is no such page any more.
        assert of(await rows(http, "?page=9")) == ["dan", "hugo"]
        live = await http.get("/inbox?from=1&page=2", headers={"hx-request": "true"})
        assert 'data-here="/console/inbox?from=1&amp;page=2"' in live.text


async def test_answers_together_leave_out_what_other_customers_have_not_confirmed(
    agent: Agent, shop: Shop
):
    own = await asked_to_buy(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    await asked_to_buy(agent, "hugo")
    refund = await asked_to_refund(agent)
    async with at_the_console("cleo", "clerk") as http:
        page, theirs = await shown(http, "/inbox"), await shown(http, "/inbox?kind=customers")
        assert set(boxes(theirs)) == set()  # one alone is answered by itself
        chosen = {
            **boxes(page),
            f"chosen-{own.thread_id}": (await own.state()).interrupts[0].value["approval_id"],
        }
        asks = await sent(http, "/inbox/together", word="approve", **chosen)
        assert "1 selected question is left out, because only the customer" in asks
        assert sums(asks) == {
            "Charged to customers": "98.90 USD",
            "Refunded to customers": "98.90 USD",
        }
        # What is put into the form afterwards is not what was shown.
        again = await sent(http, "/inbox/together", **{**hidden(asks), "kind": "customers"})
        assert "answered" not in again
        agent.model.then(last_result, last_result)
        assert "2 of 2 answered" in await sent(http, "/inbox/together", **hidden(asks))
    assert (await own.state()).interrupts != ()
    assert (await refund.state()).interrupts == ()


async def test_who_has_approved_is_shown_and_may_not_do_so_twice(
    agent: Agent, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    two = Rule(name="two", tools=("charge_payment",), approval="clerk", approvals=2)
    ruled = rebuilt(agent, policy=Policy(rules=(two,)))
    serves(monkeypatch, Served(ruled, ruled.domain))
    talk = await asked_to_buy(ruled)
    await Conversation(ruled.graph, "cleo", talk.thread_id, "clerk").approve()
    async with at_the_console("cleo", "clerk") as http:
        page = await shown(http, f"/inbox?open={talk.thread_id}")
        [row] = rows_of(page)
        assert row["Approver"] == "2 clerks, but not ada; approved by cleo"
        assert re.search(r'value="approve" disabled', page)
        assert await rows(http, "?mine=1") == []
    async with at_the_console("dora", "clerk") as http:
        assert of(await rows(http, "?mine=1")) == ["ada"]
        # An edit is no approval here.
        assert "Approve with" not in await shown(http, f"/inbox?open={talk.thread_id}")


async def test_an_edit_chooses_from_titles_with_streets_that_are_kept_nowhere(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    async with at_the_console("ben") as http:
        page = await shown(http, "/inbox")
    cards = re.findall(r'<option value="(card_ben_\d)"( selected)?>([^<]+)<', page)
    assert cards == [
        ("card_ben_1", " selected", "visa ending in 1881"),
        ("card_ben_2", "", "mastercard ending in 4444"),
    ]
    [street] = re.findall(r'<option value="addr_ben_1" selected>([^<]+)<', page)
    assert re.search(r"\d", street)
    kept = str([(one.detail, one.payload) for one in await entries(agent, talk)])
    assert street.split(", ")[1] not in kept + str((await talk.state()).values)


WRONG: Mapping[str, dict[str, str]] = {
    "approval": {"decision-0": "approve"},
    "doubt": {"word": "happened"},
}


@pytest.mark.parametrize("kind", WRONG)
async def test_a_wrong_persons_answer_changes_no_threads_status(
    agent: Agent, shop: Shop, monkeypatch: pytest.MonkeyPatch, kind: str
):
    mails = Rule(name="mails", tools=("send_email",), approval="customer", doubt="clerk")
    ruled = rebuilt(agent, policy=Policy(rules=(CLERKS, mails)))
    serves(monkeypatch, Served(ruled, ruled.domain))
    talk = (
        await asked_to_buy(ruled, "hugo")
        if kind == "approval"
        else await mail_in_doubt(ruled, shop)
    )
    (asked,) = (await talk.state()).interrupts
    before = await stands(ruled, talk)
    assert before[0] == "waiting"
    owner = talk.config["configurable"]["user_id"]
    async with at_the_console(owner) as http:
        response = await answered(
            http,
            f"/threads/{talk.thread_id}/answer",
            approval_id=asked.value["approval_id"],
            **WRONG[kind],
        )
        assert response.status_code == 409
        assert "This needs a" in response.text
    # By the API, which checks it in the run itself.
    answer = (
        {"type": "approve"} if kind == "approval" else {"type": "respond", "message": "it happened"}
    )
    await talk.answer(answer)
    assert await stands(ruled, talk) == before
    (still,) = (await talk.state()).interrupts
    assert still.value["approval_id"] == asked.value["approval_id"]
    written = {one.event for one in await entries(ruled, talk)}
    assert written.isdisjoint({Event.HAPPENED} if kind == "doubt" else {Event.DECISION})


async def stands(agent: Agent, talk: Conversation) -> tuple[Any, ...]:
    """Return how a thread stands in lists: its status, and what has come of it."""
    from daybook.checkpoints.ledger.search import Search

    owner = talk.config["configurable"]["user_id"]
    search = Search(agent.resources.postgres.pool)
    [found] = await search.threads(None, owner, 9, named=talk.thread_id)
    return found.status, found.came, (await search.heads([talk.thread_id]))[talk.thread_id]
