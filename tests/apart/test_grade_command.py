"""`daybook grade` and `daybook variants`: what a person reads at a terminal."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.apart.terminal import Terminal
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.wire import Wire, environment
from tests.provider import last_result

ADD = ("add_to_cart", {"sku": "BOOT-001"})
CHECKOUT: tuple[str, dict[str, Any]] = ("checkout", {})


async def test_a_thread_is_graded_and_what_went_wrong_first_is_told_first(
    terminal: Terminal, agent: Agent, shop: Shop
):
    talk = Conversation(agent.graph)
    agent.model.then([("add_to_cart", {"sku": "TENT-003"})], "A tent is in the cart.")
    await talk.say("add BOOT-001")
    out, err, code = terminal.run("grade", talk.thread_id, "--user", "ada")
    assert (err, code) == ("", 0)
    assert "2 steps: 1 right, 0 for nothing, 1 wrong." in out
    assert "First wrong step: 1/0.0 add_to_cart(sku=TENT-003" in out
    assert f"daybook variants {talk.thread_id} 1/0" in out
    # The thread goes on well: the first wrong step stays the same.
    agent.model.then([ADD], "The boots are in the cart.")
    await talk.say("no, add BOOT-001")
    out, err, code = terminal.run("grade", talk.thread_id, "--json")
    found = json.loads(out)
    assert found["first_wrong"] == "1/0.0"
    assert [one["score"] for one in found["verdicts"]] == [-1, 1, 1, 1]


async def test_the_command_asks_a_provider_in_every_way_that_is_named(
    terminal: Terminal,
    wire: Wire,
    shop: Shop,
    tmp_path: Path,
):
    async with wire.agent() as opened:
        talk = Conversation(opened.graph)
        wire.provider.then([ADD], "In the cart.", [CHECKOUT], last_result)
        await talk.say("add BOOT-001")
        await talk.say("check out")
    wire.provider.requests.clear()
    wire.provider.then(*[[CHECKOUT]] * 2)
    terminal.environment |= environment(wire.provider, "chat")
    (tmp_path / "bold.txt").write_text("Be bold.")
    command = ("variants", talk.thread_id, "2/0", "--n", "2", "--model", "gpt-5-mini")
    otherwise = ("--temperature", "0", "--prompt", str(tmp_path / "bold.txt"))

    out, err, code = await asyncio.to_thread(terminal.run, *command, *otherwise)
    assert (err, code) == ("", 0)
    assert [r.body["temperature"] for r in wire.provider.requests] == [0, 0]
    assert {r.body["model"] for r in wire.provider.requests} == {"gpt-5-mini"}
    assert all("Be bold." in str(r.body["messages"][0]) for r in wire.provider.requests)
    assert "checkout()" in out
