"""Answers by the buttons of Slack are given by the same door as those of the console."""

from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from daybook.app.console.app import app
from daybook.app.notifications import slack_answers
from daybook.checkpoints.people.tokens import open_token_office
from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import Settings
from daybook.state.clock import SYSTEM
from daybook.state.session import Person
from daybook.testing.model import last_result
from tests.at_the_console import Served, serves
from tests.conftest import Agent, Shop
from tests.integration.notified import (
    CLERKS,
    PERSONAL,
    SECRETS,
    asked_to_buy,
    by_slack,
    notifying,
    patient,
    routes_of,
)
from tests.integration.receivers import BOT, SIGNING, SILENT, Receiver, pressed, receiver, signed
from tests.purchases import PURCHASE, entries


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set what the files of these tests name."""
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
async def slack() -> AsyncIterator[Receiver]:
    """Let a Slack listen."""
    async with receiver() as one:
        yield one


class AtSlack:
    """Somebody who presses buttons at Slack."""

    def __init__(self, http: httpx.AsyncClient, slack: Receiver) -> None:
        self._http, self._slack = http, slack

    @property
    def message(self) -> Any:
        """Return the newest message that can be answered."""
        return self._slack.of("/chat.postMessage")[-1].json

    @property
    def whispers(self) -> list[str]:
        """Return what was told to one user alone."""
        return [got.json["text"] for got in self._slack.of("/chat.postEphemeral")]

    async def press(
        self, word: str, user: str, *, age: float = 0, secret: str = SIGNING, team: str = "T1"
    ) -> int:
        """Press a button; return how it was answered."""
        body = urlencode({"payload": pressed(self.message, word, user, team)}).encode()
        return await self.post(body, signed(body, SYSTEM.now().timestamp() - age, secret))

    async def post(self, body: bytes, headers: Mapping[str, Any]) -> int:
        """Post what Slack would."""
        answer = await self._http.post("/daybook/slack", content=body, headers=dict(headers))
        return answer.status_code


@pytest.fixture
async def at_slack(
    agent: Agent, slack: Receiver, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[AtSlack]:
    """Serve the route that Slack calls."""
    serves(monkeypatch, Served(agent, agent.domain))
    monkeypatch.setattr(slack_answers, "_routes", lambda: by_slack(slack))
    transport = httpx.ASGITransport(app, client=("3.3.3.3", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://daybook") as http:
        yield AtSlack(http, slack)


async def test_a_button_approves_by_the_door_of_the_console_and_the_message_says_so(
    agent: Agent, shop: Shop, postgres: Postgres, slack: Receiver, at_slack: AtSlack
):
    async with notifying(postgres, by_slack(slack)) as sender:
        talk = await asked_to_buy(agent)
        await sender.run_once()
        [got] = slack.got
        assert got.headers["authorization"] == f"Bearer {BOT}"
        assert [word for word in PERSONAL if word in got.body.decode()] == []
        agent.model.then(last_result)
        assert await at_slack.press("approve", "UCLEO") == 200
        assert shop.happened() == PURCHASE
        await sender.run_once()
        # A second one, who saw the message a little longer.
        assert await at_slack.press("reject", "UADA") == 200
    decisions = [one for one in await entries(agent, talk) if one.event == "decision"]
    assert [(one.author, one.role) for one in decisions] == [("cleo", "clerk")]
    [update] = slack.of("/chat.update")
    assert (update.json["channel"], update.json["ts"]) == ("C0AP", "1.000001")
    assert "approved by cleo" in update.body.decode()
    assert not any(block["type"] == "actions" for block in update.json["blocks"])
    [over] = at_slack.whispers
    assert "This question is closed" in over


async def test_no_forged_stale_or_replayed_request_answers(
    agent: Agent, shop: Shop, postgres: Postgres, slack: Receiver, at_slack: AtSlack
):
    async with notifying(postgres, by_slack(slack)) as sender:
        talk = await asked_to_buy(agent)
        await sender.run_once()
    assert await at_slack.press("approve", "UCLEO", secret="another") == 401
    assert await at_slack.press("approve", "UCLEO", age=301) == 401
    assert await at_slack.press("approve", "UCLEO", age=-301) == 401
    body = urlencode({"payload": pressed(at_slack.message, "reject", "UCLEO")}).encode()
    good = signed(body, SYSTEM.now().timestamp())
    changed = body.replace(b"reject", b"approve")
    assert await at_slack.post(changed, good) == 401
    for name in good:
        if name != "content-type":
            assert await at_slack.post(body, {**good, name: "\xe9".encode()}) == 401
    assert await at_slack.press("approve", "UCLEO", team="T2") == 200
    assert len((await talk.state()).interrupts) == 1
    agent.model.then(last_result)
    assert await at_slack.post(body, good) == 200
    assert await at_slack.post(body, good) == 409
    assert shop.happened() == []
    decisions = [one for one in await entries(agent, talk) if one.event == "decision"]
    assert [one.detail["decisions"] for one in decisions] == [["rejected"]]


async def test_an_answer_that_was_taken_is_not_told_as_nothing_done_where_the_reply_is_lost(
    agent: Agent,
    shop: Shop,
    postgres: Postgres,
    slack: Receiver,
    at_slack: AtSlack,
    monkeypatch: pytest.MonkeyPatch,
):
    async with notifying(postgres, by_slack(slack)) as sender:
        await asked_to_buy(agent)
        await sender.run_once()
    give = slack_answers.inbox.give

    async def lost(*about: Any) -> Any:
        await give(*about)
        raise OSError("connection reset")

    agent.model.then(last_result)
    with monkeypatch.context() as patch:
        patch.setattr(slack_answers.inbox, "give", lost)
        assert await at_slack.press("approve", "UCLEO") == 200
    assert shop.happened() == PURCHASE
    assert await at_slack.press("approve", "UCLEO", age=1) == 200
    assert shop.happened() == PURCHASE
    lost_reply, again = at_slack.whispers
    assert "Nothing was done" not in lost_reply
    assert "This question is closed" in again


@pytest.mark.parametrize("user", ["UNOBODY", "UBEN", "UADA"])
async def test_who_may_not_answer_here_may_not_by_slack(
    agent: Agent, shop: Shop, postgres: Postgres, slack: Receiver, at_slack: AtSlack, user: str
):
    strict = patient(agent, CLERKS)
    async with notifying(postgres, by_slack(slack)) as sender:
        talk = await asked_to_buy(strict)
        await sender.run_once()
    for word in ("approve", "reject"):
        assert await at_slack.press(word, user) == 200
    assert len((await talk.state()).interrupts) == 1
    assert shop.happened() == []
    assert len(at_slack.whispers) == 2


async def test_garbage_of_slacks_is_nothing(agent: Agent, slack: Receiver, at_slack: AtSlack):
    for body in (b"", b"payload=%7B", b"payload=[]", b"payload={}", b"payload=null", b"\xff=\xff"):
        assert await at_slack.post(body, signed(body, SYSTEM.now().timestamp())) == 200, body
    assert slack.got == []


async def test_what_slack_refuses_is_tried_again(agent: Agent, postgres: Postgres, slack: Receiver):
    slack.script += [
        (200, {}, {"ok": False, "error": "channel_not_found"}),
        (429, {"retry-after": "600"}, {"ok": False, "error": "ratelimited"}),
        *((500, {}, {}), SILENT, None, (200, {}, "what?")),
    ]
    errors = list[str]()
    async with notifying(postgres, by_slack(slack)) as sender:
        await asked_to_buy(patient(agent))
        while len(slack.got) < 7:
            before = len(slack.got)
            await sender.run_once()
            [counted] = await postgres.notifications.counted()
            errors += [counted["error"]] * (len(slack.got) - before)
            await SYSTEM.sleep(300)
    assert errors == [
        *("channel_not_found", "HTTP 429", "HTTP 500", "ReadTimeout"),
        *("RemoteProtocolError", "the response is not from Slack", ""),
    ]
    assert counted["state"] == "sent"
    assert all(got.headers["authorization"] == f"Bearer {BOT}" for got in slack.got)


async def test_an_incoming_webhook_of_slack_has_no_buttons(
    agent: Agent, postgres: Postgres, slack: Receiver, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOOK", f"{slack.url}/services/T/B/secret")
    hook = {"name": "it", "channel": "slack", "secret": "HOOK", "inside": True}
    async with notifying(postgres, routes_of(hook)) as sender:
        await asked_to_buy(agent)
        await sender.run_once()
    [got] = slack.of("/services/T/B/secret")
    assert [block["type"] for block in got.json["blocks"]] == ["header", "section", "section"]


async def test_what_expires_is_told_where_it_was_asked(
    agent: Agent, postgres: Postgres, slack: Receiver, settings: Settings
):
    async with notifying(postgres, by_slack(slack)) as sender:
        talk = await asked_to_buy(agent)
        await sender.run_once()
        await SYSTEM.sleep(3601)
        agent.model.then(last_result)
        await talk.run({"events": []})
        await sender.run_once()
    [update] = slack.of("/chat.update")
    assert update.json["text"].startswith("Expired: ")


async def test_two_people_approve_by_one_message_and_one_of_them_twice_does_not(
    agent: Agent, shop: Shop, postgres: Postgres, slack: Receiver, at_slack: AtSlack
):
    agent = patient(agent, CLERKS.model_copy(update={"approvals": 2}))
    async with notifying(postgres, by_slack(slack)) as sender:
        await asked_to_buy(agent)
        await sender.run_once()
        for age in range(2):
            assert await at_slack.press("approve", "UCLEO", age=age) == 200
            assert shop.happened() == []
        assert "cleo has approved" in at_slack.whispers[-1]
        async with open_token_office(postgres) as office:
            until = SYSTEM.now() + timedelta(hours=1)
            assert await office.delegate(Person("dora", "clerk"), "ben", until, "olga")
        agent.model.then(last_result)
        assert await at_slack.press("approve", "UBEN") == 200
        assert shop.happened() == PURCHASE
