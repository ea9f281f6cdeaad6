"""What the shop tells of orders by itself: signed, at least once, and spoilt where a test asks."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from daybook.state.clock import SYSTEM
from daybook.tools.merchants.ucp import signatures
from daybook.tools.merchants.ucp.signatures import public_keys
from tests.shop.conftest import Shop
from tests.shop.test_shop_ucp import Face
from tests.shop_process import PATIENCE
from tests.ucp_schemas import check
from tests.unit.tcp_server import tcp_server


@dataclass
class Agent:
    """Somebody who places orders: has a profile, and hears events."""

    url: str = ""
    answers: list[int] = field(default_factory=list)
    heard: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)
    keys: list[Any] = field(default_factory=list)

    @property
    def events_url(self) -> str:
        return f"{self.url}/events"

    async def until(self, count: int) -> list[Any]:
        async with SYSTEM.timeout(PATIENCE):
            while len(self.heard) < count:
                self.came.clear()
                await self.came.wait()
        return [json.loads(body) for _, body in self.heard]

    def answer(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        if path == "/profile":
            order = [{"version": "2026-08-25", "config": {"webhook_url": self.events_url}}]
            capabilities = {"dev.ucp.shopping.order": order}
            told = {"ucp": {"capabilities": capabilities}, "keys": self.keys}
            return 200, json.dumps(told).encode()
        self.heard.append((headers, body))
        self.came.set()
        return (self.answers.pop(0) if self.answers else 200), b"{}"

    def is_the_shops(self, at: int, keys: Any) -> bool:
        headers, body = self.heard[at]
        message = signatures.Message("POST", self.events_url, headers)
        try:
            signatures.verify(message, body, keys)
        except signatures.Unsigned:
            return False
        return True


@asynccontextmanager
async def listening() -> AsyncIterator[Agent]:
    agent = Agent()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in head[1:] if line)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        status, content = agent.answer(head[0].split(" ")[1], headers, body)
        lines = [f"HTTP/1.1 {status} x", "connection: close", f"content-length: {len(content)}"]
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        await writer.drain()

    async with tcp_server(serve) as port:
        agent.url = f"http://127.0.0.1:{port}"
        yield agent


@pytest.fixture
async def agent() -> AsyncIterator[Agent]:
    async with listening() as one:
        yield one


@pytest.fixture
def face(shop: Shop, agent: Agent) -> Face:
    return Face(shop, agent=f"{agent.url}/profile")


async def bought(face: Face) -> tuple[str, str]:
    session = await face.ready()
    done = await face.complete(session["id"])
    return session["id"], done["order"]["id"]


async def keys(shop: Shop) -> Any:
    return public_keys((await shop.get("/.well-known/ucp"))["keys"])


async def settled(shop: Shop, *states: str) -> None:
    """Wait until the events stand so, oldest first."""

    async def they_do() -> bool:
        return [one["state"] for one in await shop.get("/admin/webhooks")] == [*states]

    await shop.until(they_do)


async def test_an_order_is_told_signed_and_whole(face: Face, agent: Agent):
    session_id, order_id = await bought(face)
    (told,) = await agent.until(1)
    check("shopping/order.json", told)
    assert (told["id"], told["checkout_id"]) == (order_id, session_id)
    assert agent.is_the_shops(0, await keys(face.shop))
    await settled(face.shop, "told")


async def test_an_event_may_be_lost(face: Face, agent: Agent):
    await face.shop.fault("webhooks", "drop")
    await bought(face)
    await settled(face.shop, "lost")
    assert agent.heard == []


async def test_an_event_may_come_twice(face: Face, agent: Agent):
    await face.shop.fault("webhooks", "double")
    await bought(face)
    first, second = await agent.until(2)
    assert first == second
    assert len({headers["webhook-id"] for headers, _ in agent.heard}) == 1


async def test_an_event_may_come_late(face: Face, agent: Agent):
    await face.shop.fault("webhooks", "late", seconds=60, beyond_settle=True)
    await bought(face)
    await face.shop.until(face.shop.in_flight)
    assert agent.heard == []
    await face.shop.hurry()
    assert len(await agent.until(1)) == 1


async def test_a_forged_event_may_come_before_the_true_one(face: Face, agent: Agent):
    await face.shop.fault("webhooks", "forge")
    await bought(face)
    forged, true = await agent.until(2)
    known = await keys(face.shop)
    assert [agent.is_the_shops(at, known) for at in (0, 1)] == [False, True]
    assert forged["adjustments"]
    assert not true["adjustments"]
