"""Whoever may answer hears that a question waits, and none is answered by what was forged."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message

from daybook.app.notifications.routes import routes_in
from daybook.app.operating.metrics import Scraper
from daybook.checkpoints.people.notifications import MOST_TRIES
from daybook.checkpoints.people.tokens import open_token_office
from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from daybook.state.errors import ConfigurationError
from daybook.testing.model import last_result
from tests.at_the_console import Served, answered, at_the_console, serves, shown
from tests.cases.test_cases import Bank, call, fresh, script
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.dev_server import free_port
from tests.integration.desk import CHARGE, NO, Desk
from tests.integration.notified import (
    CLERKS,
    CONSOLE,
    NEW,
    OLD,
    PERSONAL,
    SECRETS,
    asked_to_buy,
    by_slack,
    noted,
    notifying,
    patient,
    routes_of,
    rows,
    to_hook,
)
from tests.integration.receivers import SILENT, Receiver, is_good, receiver


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set what the files of these tests name."""
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
async def hook() -> AsyncIterator[Receiver]:
    """Let a receiver of webhooks listen."""
    async with receiver() as one:
        yield one


# -- the outbox -----------------------------------------------------------------------------------


async def test_where_nobody_is_notified_nothing_is_noted(agent: Agent, postgres_url: str):
    talk = await asked_to_buy(agent)
    agent.model.then(last_result)
    await talk.approve()
    assert noted(postgres_url) == []


async def test_a_question_and_its_end_are_noted_in_the_transactions_of_the_ledger(
    agent: Agent, postgres: Postgres, postgres_url: str
):
    await postgres.notifications.keep_on("shop")
    talk = await asked_to_buy(agent)
    agent.model.then(last_result)
    await talk.approve()
    assert noted(postgres_url) == [("question", "", None), ("settled", "approved", "ada")]
    together = rows(
        postgres_url,
        "select e.event from notification n join ledger_event e on e.plan_id = n.plan_id and "
        "e.event in ('opened', 'decision') and e.xmin = n.xmin order by n.seq",
    )
    assert together == [("opened",), ("decision",)]


async def test_of_several_actions_the_end_says_all_that_was_decided(
    agent: Agent, shop: Shop, postgres: Postgres, postgres_url: str
):
    await postgres.notifications.keep_on("shop")
    mails = [("send_email", {"subject": one, "body": "x"}) for one in ("Hi", "Ho")]
    agent.model.then(mails, last_result)
    talk = Conversation(agent.graph)
    await talk.say("mail me twice")
    await talk.answer(NO, {"type": "approve"})
    assert shop.happened() == ["mail"]
    assert noted(postgres_url)[1:] == [("settled", "approved, rejected", "ada")]


async def test_every_way_in_notes_its_questions(desk: Desk, postgres: Postgres, postgres_url: str):
    for program in ("agent", "bank"):
        await postgres.notifications.keep_on(program)
    bank = Bank(postgres_url, "bank")
    async with bank.ledger:
        await bank.agent(script(call("pay", to="bob"))).ainvoke({"messages": ["pay"]}, fresh())
    desk.model.then([CHARGE], "I am sorry.")
    await desk.say("charge it")
    await desk.answer(NO)
    assert noted(postgres_url) == [
        ("question", "", None),
        ("question", "", None),
        ("settled", "rejected", "ada"),
    ]


async def test_what_waited_before_is_noted_and_nothing_twice(
    agent: Agent, postgres: Postgres, postgres_url: str
):
    talk = await asked_to_buy(agent)
    await postgres.notifications.keep_on("other")
    assert noted(postgres_url) == []
    for _ in range(2):
        await postgres.notifications.keep_on("shop")
        await postgres.ledger.rebuild(talk.thread_id)
    assert noted(postgres_url) == [("question", "", None)]


async def test_a_step_in_doubt_is_noted_and_who_told_of_it(
    agent: Agent, shop: Shop, postgres: Postgres, postgres_url: str, hook: Receiver
):
    agent.model.then([("send_email", {"subject": "Secret plan", "body": "x"})], last_result)
    async with notifying(postgres, routes_of(to_hook(hook, kinds=["doubt"]))) as sender:
        talk = Conversation(agent.graph)
        await talk.say("mail me")
        shop.fault("mail", "drop")
        await talk.approve()
        await sender.run_once()
        [got] = hook.got
        assert got.json["data"]["title"] == "send email"
        assert b"Secret plan" not in got.body
        agent.model.then(last_result)
        await talk.answer({"type": "respond", "message": "it happened"})
        await sender.run_once()
    kinds = [one.json["type"] for one in hook.got]
    assert kinds == ["daybook.doubt", "daybook.settled"]
    assert noted(postgres_url)[-1] == ("settled", "happened", "ada")


# -- webhooks -------------------------------------------------------------------------------------


async def test_a_webhook_is_signed_with_every_secret_and_says_nothing_personal(
    agent: Agent, postgres: Postgres, hook: Receiver
):
    async with notifying(postgres, routes_of(to_hook(hook))) as sender:
        talk = await asked_to_buy(agent)
        await sender.run_once()
    [got] = hook.got
    assert is_good(got, OLD)
    assert is_good(got, NEW)
    assert not is_good(got, "whsec_b3RoZXI=")
    assert abs(int(got.headers["webhook-timestamp"]) - SYSTEM.now().timestamp()) < 60
    data = got.json["data"]
    assert data["link"] == f"{CONSOLE}/console/threads/{talk.thread_id}"
    assert (data["amount"], data["role"], data["owner"]) == ("98.90 USD", "customer", "ada")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", data["deadline"])
    assert [word for word in PERSONAL if word in got.body.decode()] == []


async def test_what_is_shown_is_a_setting(agent: Agent, postgres: Postgres, hook: Receiver):
    async with notifying(postgres, routes_of(to_hook(hook), shows=[])) as sender:
        talk = await asked_to_buy(agent)
        await sender.run_once()
        agent.model.then(last_result)
        await talk.approve()
        await sender.run_once()
    assert b"98.90" not in hook.got[0].body
    assert not {"amount", "owner", "deadline"} & hook.got[0].json["data"].keys()
    # Whose it is, is not said by who answered either.
    assert hook.got[1].json["data"]["outcome"] == "approved"


async def test_what_is_not_taken_comes_again_under_its_id_and_not_before_its_time(
    agent: Agent, postgres: Postgres, hook: Receiver
):
    hook.script += [(429, {"retry-after": "600"}, {}), (500, {}, {}), None, (302, {}, {}), SILENT]
    async with notifying(postgres, routes_of(to_hook(hook))) as sender:
        await asked_to_buy(agent)
        assert await sender.run_once() == 1
        await SYSTEM.sleep(590)
        assert await sender.run_once() == 0
        for _ in range(5):
            await SYSTEM.sleep(300)
            await sender.run_once()
        assert await sender.run_once() == 0
    assert len(hook.got) == 6
    assert len({got.headers["webhook-id"] for got in hook.got}) == 1
    assert all(is_good(got, NEW) for got in hook.got)


async def test_a_receiver_that_wants_peace_gets_nothing_else_meanwhile(
    agent: Agent, postgres: Postgres, hook: Receiver
):
    hook.script.append((429, {"retry-after": "60"}, {}))
    async with notifying(postgres, routes_of(to_hook(hook))) as sender:
        await asked_to_buy(agent)
        await sender.run_once()
        await asked_to_buy(agent, "hugo")
        await sender.run_once()
        assert len(hook.got) == 1
        await SYSTEM.sleep(61)
        await sender.run_once()
    assert {got.json["data"]["owner"] for got in hook.got} == {"ada", "hugo"}


async def test_what_nobody_takes_is_shown_and_sent_again_when_an_operator_says_so(
    agent: Agent, postgres: Postgres, hook: Receiver, monkeypatch: pytest.MonkeyPatch
):
    serves(monkeypatch, Served(agent, agent.domain))
    hook.script += [(500, {}, {"error": OLD})] * MOST_TRIES
    async with notifying(postgres, routes_of(to_hook(hook))) as sender:
        await asked_to_buy(patient(agent))
        for _ in range(MOST_TRIES + 1):
            await sender.run_once()
            await SYSTEM.sleep(3600)
        assert len(hook.got) == MOST_TRIES
        [counted] = await postgres.notifications.counted()
        assert counted == {"route": "ops", "state": "dead", "deliveries": 1, "error": "HTTP 500"}
        async with at_the_console("cleo", "clerk") as http:
            page = await shown(http, "/inbox")
        assert "1 notification was not delivered" in page
        measured = await Scraper(postgres).scrape()
        assert measured.get_sample_value("daybook_notifications", {"state": "dead"}) == 1
        assert await postgres.notifications.revive() == 1
        await sender.run_once()
    assert len(hook.got) == MOST_TRIES + 1
    assert await postgres.notifications.dead() == 0


async def test_an_address_inside_is_reached_only_where_the_file_says_so(
    agent: Agent, postgres: Postgres, hook: Receiver
):
    route = to_hook(hook).copy()
    route |= {"to": "https://127.0.0.1:700/in", "inside": False}
    async with notifying(postgres, routes_of(route)) as sender:
        await asked_to_buy(agent)
        await sender.run_once()
    [counted] = await postgres.notifications.counted()
    assert (counted["state"], counted["error"]) == ("pending", "PrivateAddress")
    assert hook.got == []


async def test_two_senders_share_what_is_due(agent: Agent, postgres: Postgres, hook: Receiver):
    routes = routes_of(to_hook(hook))
    async with notifying(postgres, routes) as first, notifying(postgres, routes) as second:
        for user in ("ada", "hugo", "gus"):
            await asked_to_buy(agent, user)
        await asyncio.gather(first.run_once(), second.run_once(), first.run_once())
        await second.run_once()
    ids = [got.headers["webhook-id"] for got in hook.got]
    assert len(ids) == len({*ids}) == 3


async def test_what_a_dead_sender_had_claimed_goes_out_when_its_lease_is_over(
    agent: Agent, postgres: Postgres, hook: Receiver
):
    async with notifying(postgres, routes_of(to_hook(hook))) as sender:
        await asked_to_buy(agent)
        [unrouted] = await postgres.notifications.unrouted("shop", 9)
        await postgres.notifications.route(unrouted, [("ops", "question", 0.0)])
        claimed = await postgres.notifications.claim("shop", 9, timedelta(minutes=1))
        assert len(claimed) == 1
        await sender.run_once()
        assert hook.got == []
        await SYSTEM.sleep(61)
        await sender.run_once()
    assert [got.headers["webhook-id"] for got in hook.got] == [claimed[0].delivery_id]


# -- routes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("route", "is_told"),
    [
        ({"roles": ["clerk"]}, True),
        ({"roles": ["operator"]}, False),
        ({"tools": ["charge_payment"]}, True),
        ({"tools": ["checkout"]}, True),
        ({"tools": ["refund_payment"]}, False),
        ({"rules": ["dear"]}, True),
        ({"rules": ["cheap"]}, False),
        ({"kinds": ["doubt"]}, False),
    ],
)
async def test_a_question_goes_where_its_role_tools_and_rules_lead(
    agent: Agent, postgres: Postgres, hook: Receiver, route: Mapping[str, Any], is_told: bool
):
    async with notifying(postgres, routes_of(to_hook(hook, **route))) as sender:
        await asked_to_buy(patient(agent, CLERKS))
        await sender.run_once()
    assert [got.json["data"]["role"] for got in hook.got] == ["clerk"] * is_told


BY_ROUTE = {"remind_after": 600, "escalate_after": 1800, "escalate_to": "lead"}
BY_RULE = CLERKS.model_copy(update={**BY_ROUTE, "escalate_to": "operator"})


@pytest.mark.parametrize(
    ("rules", "clerks", "lead"),
    [
        ((), BY_ROUTE, {"kinds": []}),
        ((BY_RULE,), {"roles": ["clerk"], "remind_after": 9000}, {"roles": ["operator"]}),
    ],
    ids=["as the route says", "as the rule says"],
)
async def test_who_does_not_answer_is_reminded_and_then_somebody_else_is_told(
    agent: Agent, postgres: Postgres, hook: Receiver, rules: Any, clerks: Any, lead: Any
):
    routes = routes_of(to_hook(hook, **clerks), to_hook(hook, name="lead", **lead))
    agent = patient(agent, *rules)
    async with notifying(postgres, routes) as sender:
        waits, soon_over = await asked_to_buy(agent), await asked_to_buy(agent, "hugo")
        for minute in range(40):
            await sender.run_once()
            if minute == 5:
                agent.model.then(last_result)
                await soon_over.answer({"type": "reject"})
            await SYSTEM.sleep(60)
    told = [(got.json["data"]["owner"], got.json["type"]) for got in hook.got]
    assert sorted(told) == [
        ("ada", "daybook.escalation"),
        ("ada", "daybook.question"),
        ("ada", "daybook.reminder"),
        ("hugo", "daybook.question"),
        ("hugo", "daybook.settled"),
    ]
    assert len((await waits.state()).interrupts) == 1


async def test_what_was_answered_before_it_went_out_is_not_told(
    agent: Agent, postgres: Postgres, hook: Receiver
):
    async with notifying(postgres, routes_of(to_hook(hook))) as sender:
        talk = await asked_to_buy(agent)
        agent.model.then(last_result)
        await talk.answer({"type": "reject"})
        await sender.run_once()
        await sender.run_once()
    assert hook.got == []


async def test_an_escalation_whose_sender_died_is_not_told_of_what_was_answered_meanwhile(
    agent: Agent, postgres: Postgres, hook: Receiver
):
    after = {"remind_after": 600, "escalate_after": 600, "escalate_to": "lead"}
    routes = routes_of(to_hook(hook, **after), to_hook(hook, name="lead", kinds=[]))
    async with notifying(postgres, routes) as sender:
        talk = await asked_to_buy(patient(agent))
        await sender.run_once()
        await SYSTEM.sleep(601)
        claimed = await postgres.notifications.claim("shop", 9, timedelta(minutes=1))
        assert {one.kind for one in claimed} == {"reminder", "escalation"}
        agent.model.then(last_result)
        await talk.answer({"type": "reject"})
        for _ in range(3):
            await sender.run_once()
            await SYSTEM.sleep(61)
    told = [got.json["type"] for got in hook.got]
    # The dead one may have told the lead: who was asked, or may have been, is told the end.
    assert told == ["daybook.question", "daybook.settled", "daybook.settled"]


# -- whoever looks at the inbox -------------------------------------------------------------------


async def looks(name: str, role: str) -> None:
    """Open the inbox, as its page says every few seconds."""
    async with at_the_console(name, role) as http:
        assert (await answered(http, "/inbox/here")).status_code == 204


@pytest.fixture
def watched(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """Serve the console of an agent whose charges a clerk has to approve."""
    serves(monkeypatch, Served(agent, agent.domain))
    return patient(agent, CLERKS)


@pytest.mark.parametrize("is_answered", [False, True])
async def test_who_looks_at_the_inbox_is_sent_a_message_only_of_what_waits_on(
    watched: Agent, postgres: Postgres, hook: Receiver, is_answered: bool
):
    async with notifying(postgres, by_slack(hook, to_hook(hook), remind_after=600)) as sender:
        await looks("cleo", "clerk")
        talk = await asked_to_buy(watched)
        await sender.run_once()
        assert [got.path for got in hook.got] == ["/in"], "programs are told at once"
        if is_answered:
            watched.model.then(last_result)
            await Conversation(watched.graph, "ada", talk.thread_id, "clerk").answer(
                {"type": "reject"}
            )
        for minute in (1, 2, 3):
            await SYSTEM.sleep(60)
            await looks("cleo", "clerk")
            await sender.run_once()
            posted = hook.of("/chat.postMessage")
            assert len(posted) == (minute >= 2 and not is_answered)
    states = {one["state"] for one in await postgres.notifications.counted()}
    assert states == ({"over", "sent"} if is_answered else {"pending", "sent"})


@pytest.mark.parametrize(
    ("name", "role", "ago", "quiet", "is_held"),
    [
        ("cleo", "clerk", 0, 30, True),
        ("otto", "operator", 59, 120, True),
        ("otto", "operator", 61, 120, False),
        ("cleo", "clerk", 0, 0, False),
        ("ben", "customer", 0, 120, False),
        ("ada", "clerk", 0, 120, False),
    ],
)
async def test_nobody_is_kept_waiting_by_who_cannot_answer_is_gone_or_has_asked_it_themselves(
    watched: Agent,
    postgres: Postgres,
    hook: Receiver,
    name: str,
    role: str,
    ago: float,
    quiet: float,
    is_held: bool,
):
    async with notifying(postgres, by_slack(hook, quiet=quiet)) as sender:
        await looks(name, role)
        await SYSTEM.sleep(ago)
        await asked_to_buy(watched)
        await sender.run_once()
        assert len(hook.got) == (not is_held)
        await SYSTEM.sleep(quiet)
        await sender.run_once()
    assert len(hook.got) == 1


async def test_that_a_clerk_looks_keeps_back_no_question_to_a_customer(
    agent: Agent, postgres: Postgres, hook: Receiver, monkeypatch: pytest.MonkeyPatch
):
    serves(monkeypatch, Served(agent, agent.domain))
    async with notifying(postgres, by_slack(hook)) as sender:
        await looks("cleo", "clerk")
        await asked_to_buy(agent)
        await sender.run_once()
    assert len(hook.got) == 1


async def test_that_somebody_looks_is_written_three_times_a_minute_at_most_and_forgotten(
    watched: Agent, postgres: Postgres, postgres_url: str
):
    seen = set[Any]()
    for _ in range(12):
        await looks("cleo", "clerk")
        await looks("ben", "customer")
        seen |= {*rows(postgres_url, "select user_id, seen_at from presence")}
        await SYSTEM.sleep(5)
    assert {name for name, _ in seen} == {"cleo"}
    assert len(seen) == 3
    async with open_token_office(postgres) as office:
        await office.revoke_all("cleo")
    assert rows(postgres_url, "select user_id from presence") == []


FILE = """
[notifications]
console = "https://daybook.example.com"
[notifications.slack]
token = "BOT"
signing_secret = "SIGNING"
users = {U1 = {user = "cleo", role = "clerk"}}
[[notify]]
name = "clerks"
channel = "slack"
to = "C1"
roles = ["clerk"]
[[rules]]
name = "dear"
tools = ["charge_payment"]
approval = "clerk"
"""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("", ""), ""),
        (('"BOT"', '"NOT_SET"'), "not set: NOT_SET"),
        (('to = "C1"', ""), "Slack needs `to`"),
        (('"slack"', '"fax"'), "notify.0.channel"),
        (
            ('to = "C1"', 'to = "C1"\nescalate_after = 9\nescalate_to = "x"'),
            "x, which is not a route",
        ),
        (('role = "clerk"', 'role = "king"'), "notifications.slack.users.U1.role"),
    ],
)
def test_the_file_of_the_rules_holds_the_routes_and_no_secret(
    tmp_path: Path, change: tuple[str, str], said: str
):
    file = tmp_path / "policy.toml"
    file.write_text(FILE.replace(*change))
    if not said:
        assert [route.name for route in routes_in(file).notify] == ["clerks"]
        return
    with pytest.raises(ConfigurationError, match=re.escape(said)):
        routes_in(file)


# -- mail -----------------------------------------------------------------------------------------


async def test_a_mail_is_a_link_and_some_lines(
    agent: Agent, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
):
    taken = []

    class Post(Message):
        def handle_message(self, message: Any) -> None:
            taken.append(message)

    post = Controller(Post(), hostname="127.0.0.1", port=(port := free_port()))
    post.start()
    try:
        monkeypatch.setenv("MAIL", f"smtp://127.0.0.1:{port}")
        mail = {"name": "me", "channel": "email", "to": "cleo@example.com", "secret": "MAIL"}
        async with notifying(postgres, routes_of(mail)) as sender:
            talk = await asked_to_buy(agent)
            await sender.run_once()
    finally:
        post.stop()
    [one] = taken
    assert one["Subject"].startswith("Approval needed: ")
    assert one["Auto-Submitted"] == "auto-generated"
    assert f"{CONSOLE}/console/threads/{talk.thread_id}" in one.get_payload(decode=True).decode()
    assert [word for word in PERSONAL if word in one.as_string()] == []
