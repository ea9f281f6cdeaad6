"""Daybook as an MCP server, by the client of the `mcp` package: it may shop, and approve nothing."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import httpx
import pytest
from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from daybook.app.mcp.desk import STATUS
from daybook.checkpoints.people.tokens import open_token_office
from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from daybook.state.session import Person
from tests.conftest import Shop
from tests.dev_server import free_port
from tests.shop_process import PATIENCE, ROOT

BOOTS = {"sku": "BOOT-013", "quantity": 1}


class McpProcess:
    """Run `daybook mcp serve` with the test's database and shop."""

    def __init__(self, postgres_url: str, shop: Shop) -> None:
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("OPENAI")},
            "DATABASE_URL": postgres_url,
            "SHOP_URL": shop.url,
            "SMTP_URL": shop.smtp_url,
            # No model is asked: the client's is the model.
            "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
            "OPENAI_API_KEY": "none",
            # A busy machine is no doubt.
            "DAYBOOK_BUDGET_SECONDS": "30",
            "DAYBOOK_NODE_SECONDS": "90",
        }
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self.process: subprocess.Popen[str] | None = None

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "daybook.app", *words]

    async def start(self, die_at: str = "") -> None:
        """Start it, and wait until it listens."""
        self.process = subprocess.Popen(  # noqa: ASYNC220
            self.command("mcp", "serve", "--http", "--port", str(self.port)),
            cwd=ROOT,
            env={**self.environment, **({"DAYBOOK_DIE_AT": die_at} if die_at else {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        async with SYSTEM.timeout(PATIENCE * 8), httpx.AsyncClient() as http:
            while True:
                assert self.process.poll() is None, self.process.communicate()[0]
                try:
                    await http.get(self.url)
                    return
                except httpx.TransportError:
                    await SYSTEM.sleep(0.05)

    def ended(self) -> int:
        assert self.process is not None
        self.process.communicate(timeout=PATIENCE * 3)
        return self.process.returncode

    def end(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.communicate(timeout=PATIENCE * 3)


@pytest.fixture
def idle(postgres_url: str, shop: Shop) -> Iterator[McpProcess]:
    """Yield a server that is not started yet."""
    process = McpProcess(postgres_url, shop)
    try:
        yield process
    finally:
        process.end()


@pytest.fixture
async def server(idle: McpProcess) -> McpProcess:
    await idle.start()
    return idle


@asynccontextmanager
async def client(server: McpProcess, token: str = "") -> AsyncIterator[ClientSession]:
    """Be a client, as the package makes one."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx.AsyncClient(headers=headers, timeout=PATIENCE * 3) as http,
        streamable_http_client(server.url, http_client=http) as (reads, writes, _),
        ClientSession(reads, writes) as session,
    ):
        await session.initialize()
        yield session


async def call(session: ClientSession, tool: str, **args: Any) -> tuple[str, dict[str, Any]]:
    """Call a tool; return its words and its facts."""
    came = await session.call_tool(tool, args)
    (text,) = came.content
    assert isinstance(text, types.TextContent)
    facts = came.structuredContent or {}
    assert came.isError == (facts.get("status") in ("refused", "failed"))
    return text.text, facts


async def plans_of(postgres: Postgres, thread_id: str) -> int:
    """Return how many plans were ever opened in a thread."""
    entries = await postgres.ledger.entries(thread_id)
    return [entry.event.value for entry in entries].count("opened")


async def test_a_client_shops_and_its_person_approves_elsewhere(
    server: McpProcess, shop: Shop, postgres: Postgres
):
    async with client(server) as session:
        listed = {one.name: one for one in (await session.list_tools()).tools}
        assert listed["search_products"].annotations.readOnlyHint is True  # type: ignore[union-attr]
        assert listed["checkout"].annotations.destructiveHint is True  # type: ignore[union-attr]
        assert not listed.keys() & {"approve", "answer", "remember", "forget"}

        said, facts = await call(session, "search_products", query="boots")
        assert (facts["status"], "BOOT-0" in said) == ("done", True)
        said, facts = await call(session, "add_to_cart", **BOOTS)
        assert "BOOT-013 x1" in said

        said, facts = await call(session, "checkout")
        assert facts["status"] == "waiting"
        assert "131.90 USD" in said
        assert "Nothing was done yet" in said
        thread = facts["thread"]
        assert facts["console"] == f"http://127.0.0.1:2024/console/threads/{thread}"
        assert f"chat --thread {thread} --user ada" in facts["command"]

        for _ in range(2):
            again, same = await call(session, "checkout")
            assert (again, same) == (said, facts)
        assert await plans_of(postgres, thread) == 1
        refused, facts = await call(session, "add_to_cart", **BOOTS)
        assert facts["status"] == "refused"
        assert "add_to_cart was not begun, for something waits already" in refused
        assert shop.happened() == []

        person = subprocess.run(  # noqa: ASYNC221
            server.command("chat", "--thread", thread, "--user", "ada"),
            cwd=ROOT,
            env={k: v for k, v in server.environment.items() if not k.startswith("OPENAI")},
            input="y\n",
            capture_output=True,
            text=True,
            timeout=PATIENCE * 8,
        )
        assert "131.90 USD charged" in person.stdout, f"{person.stdout}{person.stderr}"
        assert "to check out" not in person.stdout, "the person's model goes on with nothing"
        assert shop.happened() == ["reserve", "charge", "order", "mail"]
        said, facts = await call(session, STATUS)
        assert facts["status"] == "done"
        assert "order DB-" in said
        said, facts = await call(session, "get_cart")
        assert facts["status"] == "done"
        assert "BOOT-013" not in said


async def test_a_client_that_tries_to_approve_does_not(
    server: McpProcess, shop: Shop, postgres: Postgres
):
    async with client(server) as session:
        await call(session, "add_to_cart", **BOOTS)
        _, facts = await call(session, "checkout")
        thread = facts["thread"]
        for tool, args in (
            ("approve", {}),
            ("answer", {"decisions": [{"type": "approve"}]}),
            ("checkout", {"approved": True}),
            ("checkout", {"decisions": [{"type": "approve"}]}),
            ("search_products", {"query": "yes, I approve"}),
            ("send_email", {"subject": "approve", "body": "y"}),
            (STATUS, {"type": "approve"}),
        ):
            await call(session, tool, **args)
        assert shop.happened() == []
        assert await plans_of(postgres, thread) == 1
        # Nor is there any other way to speak to it.
        for method in ("resources/read", "prompts/get", "completion/complete", "approve"):
            rpc = {
                "jsonrpc": "2.0",
                "id": 1,
                "method": method,
                "params": {"uri": "x:y", "name": "x"},
            }
            async with httpx.AsyncClient() as http:
                reply = await http.post(
                    server.url,
                    json=rpc,
                    headers={"Accept": "application/json, text/event-stream"},
                )
            assert "error" in reply.json()
    assert shop.happened() == []


async def test_people_sign_in_by_tokens_and_have_threads_of_their_own(
    server: McpProcess, postgres: Postgres
):
    async with open_token_office(postgres) as office:
        ada, bob = [
            (await office.make(Person(name), timedelta(days=1), "")).text for name in ("ada", "bob")
        ]
    async with httpx.AsyncClient() as http:
        for headers in ({}, {"Authorization": "Bearer daybook_0123456789ab_x"}):
            reply = await http.post(server.url, json={}, headers=headers)
            assert (reply.status_code, reply.headers["www-authenticate"]) == (401, "Bearer")
    async with client(server, ada) as session:
        await call(session, "add_to_cart", **BOOTS)
        _, facts = await call(session, "checkout")
        assert "--user ada" in facts["command"]
    async with client(server, bob) as session:
        said, facts = await call(session, STATUS)
        assert (facts["status"], "nothing waits" in said) == ("done", True)
        said, facts = await call(session, "get_cart")
        assert "BOOT-013" not in said
        await call(session, "add_to_cart", sku="SOCK-002")
    async with client(server, ada) as session:
        _, facts = await call(session, STATUS)
        assert facts["status"] == "waiting"


async def test_whatever_is_sent_is_refused_in_words_and_the_server_goes_on(server: McpProcess):
    async with client(server) as session:
        for args in (
            {},
            {"sku": 7},
            {"sku": "BOOT-013", "quantity": "all"},
            {"sku": "BOOT-013", "quantity": -1},
            {"sku": "../../admin", "quantity": 1},
            {"sku": "BOOT-013\x00"},
            {"sku": "BOOT-013", "ctx": {"user": "bob"}},
            {"sku": "<b>approve</b>\x1b[2J" * 100},
            {"sku": "BOOT-013", "user_id": "bob", "role": "operator"},
        ):
            _, facts = await call(session, "add_to_cart", **args)
            assert facts["status"] in ("refused", "failed"), args
        deep: Any = "x"
        for _ in range(200):
            deep = [deep]
        _, facts = await call(session, "add_to_cart", sku=deep)
        assert facts["status"] in ("refused", "failed")
        said, _ = await call(session, "get_cart")
        assert "BOOT-013" not in said
    async with httpx.AsyncClient() as http:
        accept = {"Accept": "application/json, text/event-stream"}
        for content, status in ((b"x" * 300_000, 413), (b"{", 400), (b"[]", 400), (b"\xff", 400)):
            reply = await http.post(
                server.url, content=content, headers={**accept, "Content-Type": "application/json"}
            )
            assert reply.status_code == status, content[:10]
        assert (await http.get(server.url)).status_code == 405
        assert (await http.delete(server.url)).status_code == 405
        elsewhere = await http.post(server.url, json={}, headers={"Host": "evil.example"})
        assert elsewhere.status_code == 401, "a page of elsewhere has its name lead here"
    async with client(server) as session:
        assert (await call(session, "add_to_cart", **BOOTS))[1]["status"] == "done"


@pytest.mark.parametrize("at", ["after_model", "after_commit:decided", "after_commit:opened"])
async def test_a_server_that_is_killed_in_a_checkout_opens_one_plan_in_all(
    idle: McpProcess, shop: Shop, postgres: Postgres, at: str
):
    await idle.start()
    async with client(idle) as session:
        await call(session, "add_to_cart", **BOOTS)
    idle.end()
    await idle.start(die_at=at)
    rpc = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "checkout", "arguments": {}},
    }
    async with httpx.AsyncClient(timeout=PATIENCE * 3) as http:
        with pytest.raises(httpx.TransportError):
            await http.post(
                idle.url, json=rpc, headers={"Accept": "application/json, text/event-stream"}
            )
    assert idle.ended() == -signal.SIGKILL
    await idle.start()
    async with client(idle) as session:
        said, facts = await call(session, "checkout")
        if "ThreadBusy" in said or facts["status"] == "failed":
            said, facts = await until_free(session)
        assert facts["status"] == "waiting", said
        assert (await call(session, "checkout"))[1] == facts
    assert await plans_of(postgres, facts["thread"]) == 1
    assert shop.happened() == []


async def until_free(session: ClientSession) -> tuple[str, dict[str, Any]]:
    """Call until the dead process's hold on the thread is over."""
    async with SYSTEM.timeout(PATIENCE * 8):
        while True:
            said, facts = await call(session, "checkout")
            if facts["status"] != "failed":
                return said, facts
            await SYSTEM.sleep(0.1)


async def test_over_standard_input_it_serves_one_person(idle: McpProcess, shop: Shop):
    command, *words = idle.command("mcp", "serve", "--user", "dan")
    parameters = StdioServerParameters(
        command=command, args=words, env=idle.environment, cwd=str(ROOT)
    )
    async with (
        stdio_client(parameters) as (reads, writes),
        ClientSession(reads, writes) as session,
    ):
        await session.initialize()
        assert "BOOT-013 x1" in (await call(session, "add_to_cart", **BOOTS))[0]
        said, facts = await call(session, "checkout")
        assert facts["status"] == "waiting", said
        assert "--user dan" in facts["command"]
        assert json.dumps(facts)
    assert shop.happened() == []


def test_other_machines_are_not_let_in_without_tokens(idle: McpProcess):
    ended = subprocess.run(
        idle.command("mcp", "serve", "--http", "--host", "0.0.0.0", "--port", str(idle.port)),
        cwd=ROOT,
        env=idle.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE * 8,
    )
    assert ended.returncode == 1
    assert "no token was ever made" in ended.stderr
