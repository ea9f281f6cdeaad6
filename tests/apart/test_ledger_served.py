"""An agent with a ledger of its own, as the server, its console and a worker take it."""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client

from tests.apart.servers import PROJECT
from tests.databases import database
from tests.dev_server import dev_server
from tests.integration.workers import running_worker

AGENT = '''
import asyncio
import os
import sys
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from langchain.agents import create_agent

from daybook import Ledger
from daybook.testing import ScriptedModel

PAID = Path(os.environ["PAID"])
ledger = Ledger()


def find(call):
    paid = PAID.read_text().splitlines() if PAID.exists() else []
    return [{"id": key} for key, to in map(str.split, paid) if key == call.key]


@ledger.effect(id="id", find=find, visible_within=timedelta(seconds=0))
async def pay(to: str, *, call) -> dict:
    """Pay somebody."""
    with PAID.open("a") as paid:
        paid.write(f"{call.key.replace(' ', '')} {to}\\n")
    return {"id": call.key}


@asynccontextmanager
async def checkpointer():
    async with ledger:
        yield ledger.saver


SCRIPT = [[("pay", {"to": "bob"})], "Bob is paid.", "Good-bye."]
model = ScriptedModel(script=SCRIPT[int(os.environ.get("SAID", "0")) :])
agent = create_agent(model, [pay], middleware=[ledger.middleware()])
graph = ledger.guarded(agent)


async def main(thread_id):
    async with checkpointer() as saver:
        graph.checkpointer = saver
        config = {"configurable": {"thread_id": thread_id, "user_id": "ada"}}
        await graph.ainvoke({"messages": [("user", "pay bob")]}, config)
        from langgraph.types import Command
        await graph.ainvoke(Command(resume={"decisions": [{"type": "approve"}]}), config)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
'''


@pytest.fixture
def where(server_url: str, template: str, tmp_path: Path) -> Iterator[dict[str, str]]:
    """Yield the environment of programs on a database of their own."""
    with database(server_url, template) as url:
        yield {
            "DATABASE_URL": url,
            "PAID": str(tmp_path / "paid"),
            "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]),
        }


def paid(where: dict[str, str]) -> list[str]:
    file = Path(where["PAID"])
    return [line.split()[1] for line in file.read_text().splitlines()] if file.exists() else []


def form_token(page: str) -> dict[str, str]:
    return {"form_token": re.findall(r'name="form_token" value="(\w+)"', page)[0]}


async def test_the_console_of_a_server_asks_and_shows_what_the_agent_does(
    where: dict[str, str], tmp_path: Path
):
    project = tmp_path / "project"
    project.mkdir()
    (project / "agent.py").write_text(AGENT)
    says: dict[str, Any] = json.loads(PROJECT.read_text())
    # By files, as LangGraph's own documentation has it: the server imports them once for each.
    says["graphs"], says["checkpointer"] = (
        {"agent": "./agent.py:graph"},
        {"path": "./agent.py:checkpointer"},
    )
    (project / "langgraph.json").write_text(json.dumps(says))
    async with dev_server(project, where) as server, get_client(url=server.url) as client:
        thread = (await client.threads.create())["thread_id"]
        said = {"messages": [{"role": "user", "content": "pay bob"}]}
        whose: Any = {"configurable": {"user_id": "ada"}}
        state: Any = await client.runs.wait(thread, "agent", input=said, config=whose)
        assert "__interrupt__" in state
        async with httpx.AsyncClient(base_url=f"{server.url}/console") as http:
            form = form_token((await http.get("/sign-in")).text)
            await http.post("/sign-in", data={**form, "user": "cleo", "role": "clerk"})
            theirs = f"/inbox?kind=customers&open={thread}"
            inbox = (await http.get(theirs)).raise_for_status().text
            question = re.findall(r'name="approval_id" value="(\w+)"', inbox)
            assert len(question) == 1
            assert paid(where) == []
            answer = {**form_token(inbox), "approval_id": question[0], "decision": "approve"}
            answered = await http.post(f"/threads/{thread}/answer", data=answer)
            assert answered.status_code == 303
            await client.runs.join(thread, (await client.runs.list(thread))[0]["run_id"])
            page = (await http.get(f"/threads/{thread}")).raise_for_status().text
            assert "Bob is paid." in page
            assert "pay: done" in page
            assert 'name="approval_id"' not in (await http.get(theirs)).text
    assert paid(where) == ["bob"]


async def test_a_worker_finishes_what_a_killed_process_left(where: dict[str, str], tmp_path: Path):
    (tmp_path / "agent.py").write_text(AGENT)
    dies = await asyncio.create_subprocess_exec(
        *(sys.executable, tmp_path / "agent.py", "t-killed"),
        env=os.environ | where | {"DAYBOOK_DIE_AT": "after_reply:pay"},
    )
    assert await dies.wait() == -signal.SIGKILL
    assert paid(where) == ["bob"]
    words = ("--domain", "agent:graph", "worker", "--every", "0.1", "--idle", "0")
    async with running_worker(where | {"SAID": "1"}, *words) as worker:
        assert "t-killed: finished" in await worker.says("t-killed")
    assert paid(where) == ["bob"]
