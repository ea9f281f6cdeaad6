"""Threads graded by the command, their verdicts attached in langsmith."""

import asyncio
import json
from pathlib import Path

from tests.apart.test_cli import Terminal, terminal
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.test_langsmith_feedback import Server, server

__all__ = ["server", "terminal"]


async def test_the_command_attaches_the_verdicts_where_langsmith_is_set(
    terminal: Terminal, agent: Agent, shop: Shop, server: Server, tmp_path: Path
):
    talk = Conversation(agent.graph)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "In the cart.")
    await talk.say("add BOOT-001")
    terminal.environment |= {"DAYBOOK_HOME": str(tmp_path)}
    command = ("grade", talk.thread_id, "--json", "--feedback")
    out, err, code = await asyncio.to_thread(terminal.run, *command)
    assert (out, code) == ("", 1)
    assert "LANGSMITH_API_KEY" in err
    terminal.environment |= {
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_API_KEY": "k",
        "LANGSMITH_ENDPOINT": server.url,
    }
    out, err, code = await asyncio.to_thread(terminal.run, *command)
    assert (json.loads(out)["root_cause"], code) == (None, 0)
    assert err == "2 verdicts were attached to runs in LangSmith.\n"
    call, answer = sorted(server.feedback, key=lambda sent: sent["value"]["tool"], reverse=True)
    assert [one["score"] for one in (call, answer)] == [1, 1]
    assert "add_to_cart" in {one["value"]["tool"] for one in (call, answer)}
