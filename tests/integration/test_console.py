"""The console over ASGI: what it shows to whom, and answers that are given together."""

import re
from datetime import timedelta
from secrets import token_bytes
from typing import Any

import httpx
import pytest

from daybook.app.console import runs
from daybook.checkpoints.ledger.search import Search, Wanted
from daybook.state.clock import SYSTEM
from daybook.state.errors import ThreadBusy
from daybook.state.ledger.recovery import Event, StepState
from daybook.testing.model import ScriptedModel, last_result
from tests.at_the_console import Served, at_the_console, sent, serves, shown
from tests.cases.test_cases import Bank
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.test_encryption import agent_with
from tests.purchases import PURCHASE, bought
from tests.purchases import asked_to_buy as asked_once

THEIRS = {"kind": "customers"}
"""Set on purpose: wishes that other customers have not confirmed."""

STAFF_ONLY = ("/search", "/verify", "{thread}/ledger", "{thread}/grade", "{thread}/record?step=x")


@pytest.fixture
def served(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Served:
    """Serve the console on the test's agent."""
    served = Served(agent, agent.domain)
    serves(monkeypatch, served)
    return served


def hidden(page: str) -> dict[str, str]:
    """Return what the form that confirms holds already."""
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page))
    return {name: value for name, value in fields.items() if name != "form_token"}


def sums(page: str) -> dict[str, str]:
    """Return the sums that a page confirms, by where the money goes."""
    return dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", page.split('class="sums"')[1]))


async def chosen(agent: Agent, *talks: Conversation) -> dict[str, str]:
    """Choose the questions that wait, as the boxes of the inbox do."""
    asked = [(await talk.state()).interrupts[0].value["approval_id"] for talk in talks]
    return {f"chosen-{talk.thread_id}": id_ for talk, id_ in zip(talks, asked, strict=True)}


async def decided(agent: Agent, talk: Conversation) -> list[str]:
    """Return the decisions about a thread's plans, with who gave them."""
    entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
    decisions = [entry for entry in entries if entry.event is Event.DECISION]
    return [f"{one.detail['decisions'][0]} by {one.author}" for one in decisions]


async def asked_to_buy(agent: Agent, user: str = "ada", **choices: str) -> Conversation:
    """Bring a purchase to its question; nothing is left for the model to say."""
    talk = await asked_once(agent, user, **choices)
    agent.model.script.clear()
    return talk


async def mail_in_doubt(agent: Agent, shop: Shop) -> Conversation:
    """Lose the mail server's last word about a mail."""
    agent.model.script.clear()
    agent.model.then([("send_email", {"subject": "Hello", "body": "As asked."})], last_result)
    talk = Conversation(agent.graph)
    await talk.say("mail me")
    shop.fault("mail", "drop")
    await talk.approve()
    agent.model.script.clear()
    return talk


async def test_a_customer_sees_what_was_bought_and_no_ledger_or_chain(
    agent: Agent, shop: Shop, served: Served
):
    talk = await bought(agent)
    declined = await asked_to_buy(agent, "dan")
    agent.model.then(last_result)
    await declined.approve()
    thread = f"/threads/{talk.thread_id}"
    async with at_the_console("ada") as http:
        page = await shown(http, thread)
        assert re.search(r"<h1[^>]*>Pebble Strand Waterproof Hiking Boot</h1>", page)
        assert re.search(r'class="state done">done</span>.*?98\.90 USD', page, re.DOTALL)
        for staffs in ("Ledger", "/verify", "/search", "reserve_inventory"):
            assert staffs not in page, staffs
        for place in (one.format(thread=thread) for one in STAFF_ONLY):
            assert (await http.get(place)).status_code == 403, place
            assert (await http.get(place.replace(talk.thread_id, "x"))).status_code == 403
        for place in ("/verify", "/inbox/together"):
            with pytest.raises(httpx.HTTPStatusError, match="403"):
                await sent(http, place, word="approve")
    async with at_the_console("dan") as http:
        page = await shown(http, f"/threads/{declined.thread_id}")
        assert "rolled back" in page
    async with at_the_console("cleo", "clerk") as http:
        page = await shown(http, thread)
        assert "reserve inventory" in await shown(http, "/search")
        for place in (one.format(thread=thread) for one in (*STAFF_ONLY[:4], "{thread}")):
            assert (await http.get(place)).status_code == 200, place
        assert 'id="ledger"' in await shown(http, f"{thread}/ledger")


async def test_the_list_says_what_came_of_each_conversation_and_finds_it(
    agent: Agent, shop: Shop, served: Served
):
    done, waits = await bought(agent), await asked_to_buy(agent, "hugo")
    declined, refused = await asked_to_buy(agent, "dan"), await asked_to_buy(agent, "gus")
    agent.model.then(last_result)
    await declined.approve()
    agent.model.then(last_result)
    await refused.answer({"type": "reject"})
    doubted = await mail_in_doubt(agent, shop)
    agent.model.then("Hello.")
    said = Conversation(agent.graph)
    await said.say("hello")
    async with at_the_console("cleo", "clerk") as http:
        page = await shown(http, "/threads")
        found = [
            set(re.findall(r'/threads/([\w-]{36})"', await shown(http, f"/threads?{query}")))
            for query in ("status=waiting", f"named={said.thread_id[:8]}", "named=%25")
        ]
    assert found == [{waits.thread_id, doubted.thread_id}, {said.thread_id}, set()]
    async with at_the_console("ada") as http:
        theirs = await shown(http, "/threads?named=hugo") + await shown(http, "/threads")
    assert (waits.thread_id in theirs, done.thread_id in theirs) == (False, True)
    stands = {
        one.group(1): one.group(2)
        for one in re.finditer(
            r'/threads/([\w-]{36})".*?<span class="state [^"]*">([^<]+)</span>', page, re.DOTALL
        )
    }
    assert stands == {
        done.thread_id: "done",
        waits.thread_id: "waiting for approval",
        declined.thread_id: "failed",
        refused.thread_id: "rejected",
        doubted.thread_id: "in doubt",
        said.thread_id: "idle",
    }


async def test_several_approvals_are_confirmed_with_count_and_sum_and_given_one_by_one(
    agent: Agent, shop: Shop, served: Served
):
    talks = [await asked_to_buy(agent, user) for user in ("ada", "hugo")]
    agent.model.then(last_result, last_result)
    async with at_the_console("cleo", "clerk") as http:
        inbox = await shown(http, "/inbox?kind=customers")
        boxes = dict(re.findall(r'name="(chosen-[^"]+)" value="([^"]+)"', inbox))
        assert boxes == await chosen(agent, *talks)
        asks = await sent(http, "/inbox/together", word="approve", **boxes, **THEIRS)
        assert "Approve 2 questions?" in asks
        assert sums(asks) == {"Charged to customers": "197.80 USD"}
        assert shop.effects() == []
        done = await sent(http, "/inbox/together", **hidden(asks))
        assert "2 of 2 answered" in done
    assert [await decided(agent, talk) for talk in talks] == [["approved by cleo"]] * 2
    assert sorted(shop.happened()) == sorted(PURCHASE * 2)


async def test_what_was_answered_changed_or_busy_meanwhile_is_told_and_not_approved_unseen(
    agent: Agent, shop: Shop, served: Served, monkeypatch: pytest.MonkeyPatch
):
    first, second, third = [await asked_to_buy(agent, user) for user in ("ada", "hugo", "dan")]
    boxes = await chosen(agent, first, second, third)
    async with at_the_console("cleo", "clerk") as http:
        asks = await sent(http, "/inbox/together", word="approve", **boxes, **THEIRS)
        agent.model.then(last_result)
        await first.answer({"type": "reject"})
        # Confirmed: what was shown, and nothing that was put into the form beside it.
        more = {**hidden(asks), f"chosen-{first.thread_id}x": "x"}
        again = await sent(http, "/inbox/together", **more)
        assert sums(again) == {"Charged to customers": "197.80 USD"}
        assert "2 selected questions are left out" in again
        assert await decided(agent, second) == []

        async def start(thread_id: str, *about: Any, **more: Any) -> str:
            if thread_id == third.thread_id:
                raise ThreadBusy("Something is being done in this conversation right now.")
            return await served.start(thread_id, *about, **more)

        monkeypatch.setattr(runs, "start", start)
        agent.model.then(last_result)
        done = await sent(http, "/inbox/together", **hidden(asks))
    assert "1 of 3 answered" in done
    assert "This question is closed" in done
    assert "Something is being done" in done
    assert await decided(agent, first) == ["rejected by ada"]
    assert await decided(agent, second) == ["approved by cleo"]
    assert await decided(agent, third) == []
    assert shop.happened() == PURCHASE


async def test_doubts_are_settled_together_and_no_word_about_them_approves_anything(
    agent: Agent, shop: Shop, served: Served
):
    talks = [await mail_in_doubt(agent, shop), await mail_in_doubt(agent, shop)]
    plan = await asked_to_buy(agent, "hugo")
    async with at_the_console("cleo", "clerk") as http:
        boxes = await chosen(agent, *talks, plan)
        again = await sent(http, "/inbox/together", word="not_happened", **boxes)
        assert "Duplicates are possible." in again
        asks = await sent(http, "/inbox/together", word="happened", **boxes)
        assert "1 selected question is left out" in asks
        assert f"chosen-{plan.thread_id}" not in hidden(asks)
        await sent(http, "/inbox/together", **hidden(asks))
    for talk in talks:
        entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
        said = [(one.author, one.role) for one in entries if one.event is Event.HAPPENED]
        assert said == [("cleo", "clerk")]
    assert await decided(agent, plan) == []
    assert shop.happened() == ["mail", "mail"]


async def test_staff_see_the_ledger_of_another_programs_thread_and_nothing_else_of_it(
    served: Served, postgres_url: str
):
    bank = Bank(postgres_url)
    model = ScriptedModel(script=[[("pay", {"to": "bob"})]])
    config = {"configurable": {"thread_id": "t-bank", "user_id": "ada"}}
    async with bank.ledger:
        await bank.agent(model).ainvoke({"messages": [("user", "pay bob")]}, config)
    thread = "/threads/t-bank"
    async with at_the_console("cleo", "clerk") as http:
        assert "t-bank" in await shown(http, "/threads")
        inbox = await shown(http, "/inbox?kind=customers&open=t-bank")
        assert "The program agent asks this question" in inbox
        assert "/console/threads/t-bank" in inbox
        page = await shown(http, thread)
        assert f'href="/console{thread}/ledger"' in page
        assert 'id="talk"' not in page
        assert "the program agent" in page
        assert "t-bank/" in await shown(http, f"{thread}/ledger")
        for place in (f"{thread}?part=talk", f"{thread}/progress", f"{thread}/outcome"):
            assert (await http.get(place)).status_code == 409, place
        for place in ("say", "go-on", "stop", "answer"):
            with pytest.raises(httpx.HTTPStatusError, match="409"):
                await sent(http, f"{thread}/{place}", text="yes")
        assert "All hashes match" in await sent(http, "/verify", thread="t-bank")
    async with at_the_console("ada") as http:
        assert "t-bank" not in await shown(http, "/threads") + await shown(http, "/inbox")
        assert (await http.get(thread)).status_code == 404


async def test_a_record_begins_with_who_asked_and_approved_what_was_done_and_what_it_cost(
    agent: Agent, shop: Shop, served: Served
):
    talk = await asked_to_buy(agent)
    agent.model.then(last_result)
    await Conversation(agent.graph, "cleo", talk.thread_id, "clerk").approve()
    found = await Search(agent.resources.postgres.pool).steps(
        Wanted(tool="charge_payment"), None, 1
    )
    async with at_the_console("cleo", "clerk") as http:
        about = {"step": found.steps[0].step_id}
        response = await http.get(f"/threads/{talk.thread_id}/record", params=about)
        searched = await shown(http, "/search?product=waterproof hiking&tool=place_order")
        order = (await talk.state()).values["checkout"].orders[-1].order_id
        by_order = await shown(http, f"/search?order={order}")
        nothing = await shown(http, "/search?product=umbrella")
    facts = dict(re.findall(r"<dt>([^<]+)</dt><dd>(.*?)</dd>", response.text, re.DOTALL))
    said = {name: re.sub(r"<[^>]+>|\s+", " ", about) for name, about in facts.items()}
    assert said["Asked by"].startswith("ada, ")
    assert said["Approved by"].startswith("cleo (clerk), ")
    assert "the card card_ada_1 was charged" in said["Result"]
    assert said["Amount"] == "98.90 USD, charged to the customer"
    assert response.text.index("Amount") < response.text.index("idempotency key")
    for page in (searched, by_order):
        assert re.findall(r'data-label="Action">([^<]+)<', page) == ["place order"]
    assert "Searched 4 actions for these words" in nothing


async def test_words_are_searched_where_they_are_encrypted_and_that_is_said(
    postgres_url: str, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    async with agent_with(postgres_url, token_bytes(32), shop) as agent:
        serves(monkeypatch, Served(agent, agent.domain))
        await bought(agent)
        async with at_the_console("cleo", "clerk") as http:
            page = await shown(http, "/search?product=hiking&tool=place_order")
    assert re.findall(r'data-label="Action">([^<]+)<', page) == ["place order"]
    assert "encrypted in the database" in page


async def test_a_search_is_narrowed_by_each_field_and_paged_without_gaps(agent: Agent, shop: Shop):
    search = Search(agent.resources.postgres.pool)
    await bought(agent)
    await bought(agent, "hugo")
    everything = (await search.steps(Wanted(), None, 100)).steps
    assert len(everything) == 8

    async def count(**wanted: object) -> int:
        return len((await search.steps(Wanted(**wanted), None, 100)).steps)  # type: ignore[arg-type]

    cents, now = everything[0].total.amount, SYSTEM.now()  # type: ignore[union-attr]
    assert await count(tool="charge_payment") == 2
    assert await count(user_id="hugo") == 4
    assert await count(state=StepState.UNDONE) == 0
    assert (await count(words="card_ada_1"), await count(words="umbrella")) == (4, 0)
    assert (await count(at_least=cents), await count(at_least=cents + 1)) == (8, 0)
    assert (await count(at_most=cents), await count(at_most=cents - 1)) == (8, 0)
    assert await count(since=now - timedelta(hours=1), until=now + timedelta(hours=1)) == 8
    assert await count(since=now + timedelta(hours=1)) == 0
    assert await count(until=now - timedelta(hours=1)) == 0

    paged, older = [], None
    while True:
        page = await search.steps(Wanted(), older, 3)
        paged += page.steps
        older = page.older
        if older is None:
            break
    assert paged == everything
