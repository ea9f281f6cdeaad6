"""Notifications by true processes: a worker asks at Slack, and the server takes the answer."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest
from langgraph_sdk import get_client

from daybook.state.clock import SYSTEM
from tests.apart.served.conftest import Talk
from tests.apart.servers import PROJECT, places
from tests.apart.test_ledger_served import AGENT, where  # noqa: F401
from tests.conftest import Shop
from tests.dev_server import dev_server
from tests.integration.receivers import BOT, SIGNING, Receiver, pressed, receiver, signed
from tests.integration.workers import running_worker, worker_process
from tests.purchases import PATIENCE, PURCHASE, hurry

FILE = """
[notifications]
console = "http://127.0.0.1:2024"

[notifications.slack]
token = "BOT"
signing_secret = "SIGNING"
api = "{url}"
inside = true
users = {{UCLEO = {{user = "cleo", role = "clerk"}}}}

[[notify]]
name = "approvals"
channel = "slack"
to = "#approvals"
"""

ASKS = """
import asyncio, agent
async def ask():
    async with agent.checkpointer() as saver:
        agent.graph.checkpointer = saver
        config = {"configurable": {"thread_id": "t-1", "user_id": "ada"}}
        await agent.graph.ainvoke({"messages": [("user", "pay bob")]}, config)
asyncio.run(ask())
"""


@pytest.fixture
async def slack() -> AsyncIterator[Receiver]:
    """Let a Slack listen."""
    async with receiver() as one:
        yield one


@pytest.fixture
def settings(slack: Receiver, tmp_path: Path) -> dict[str, str]:
    """Name the file of the routes, and its secrets."""
    file = tmp_path / "policy.toml"
    file.write_text(FILE.format(url=slack.url))
    return {"DAYBOOK_POLICY": str(file), "BOT": BOT, "SIGNING": SIGNING}


async def heard(slack: Receiver, method: str, words: str = "") -> Receiver:
    """Wait until Slack was told something."""
    async with SYSTEM.timeout(PATIENCE):
        while not any(words in one.body.decode() for one in slack.of(f"/{method}")):
            await SYSTEM.sleep(0.05)
    return slack


async def test_a_purchase_is_approved_at_slack(
    postgres_url: str, shop: Shop, slack: Receiver, settings: dict[str, str]
):
    variables = places(postgres_url, shop, **settings)
    async with (
        dev_server(PROJECT, variables) as server,
        get_client(url=server.url) as client,
        worker_process(postgres_url, shop, **settings),
        httpx.AsyncClient(base_url=server.url) as http,
    ):
        talk = await Talk.begun(client)
        await talk.say("add BOOT-013")
        await talk.say("check out")
        await heard(slack, "chat.postMessage")
        body = urlencode({"payload": pressed(slack.got[0].json, "approve", "UCLEO")}).encode()
        now = SYSTEM.now().timestamp()
        forged = await http.post("/daybook/slack", content=body, headers=signed(body, now, "x"))
        stale = await http.post("/daybook/slack", content=body, headers=signed(body, now - 400))
        assert (forged.status_code, stale.status_code) == (401, 401)
        stranger = urlencode({"payload": pressed(slack.got[0].json, "approve", "UX")}).encode()
        await http.post("/daybook/slack", content=stranger, headers=signed(stranger, now))
        await heard(slack, "chat.postEphemeral", "not linked to a Daybook user")
        assert shop.happened() == []
        good = signed(body, now)
        answers = [await http.post("/daybook/slack", content=body, headers=good) for _ in range(2)]
        assert [one.status_code for one in answers] == [200, 409]
        hurry(shop)
        await heard(slack, "chat.update", "approved by cleo")
        async with SYSTEM.timeout(PATIENCE):
            while shop.happened() != PURCHASE:
                await SYSTEM.sleep(0.05)


async def test_a_worker_of_a_graph_with_a_ledger_notifies_too(
    where: dict[str, str],  # noqa: F811
    tmp_path: Path,
    slack: Receiver,
    settings: dict[str, str],
):
    (tmp_path / "agent.py").write_text(AGENT)
    environment = {**os.environ, **where, **settings}
    asks = await asyncio.create_subprocess_exec(sys.executable, "-c", ASKS, env=environment)
    assert await asks.wait() == 0
    async with running_worker(environment, "--domain", "agent:graph", "worker"):
        await heard(slack, "chat.postMessage")
    [got] = slack.got
    assert "Approval needed: pay" in got.json["text"]
    assert "bob" not in json.dumps(got.json)
