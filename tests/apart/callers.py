"""People who send requests to a server, and what it said to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

APPROVE = {"type": "approve"}


@dataclass
class Caller:
    """Send requests as one person, and say what came back."""

    http: httpx.AsyncClient
    name: str = ""
    seen: list[str] = field(default_factory=list)

    async def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        """Send a request; its answer is kept for whoever looks for leaks."""
        response = await self.http.request(method, path, json=body, **more)
        self.seen.append(response.text)
        return response

    async def post(self, path: str, body: Any = None, **more: Any) -> httpx.Response:
        return await self.ask("POST", path, body if body is not None else {}, **more)

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return await self.ask("GET", path, **more)

    async def thread(self) -> str:
        """Begin a thread."""
        return str((await self.post("/threads")).raise_for_status().json()["thread_id"])

    async def run(self, thread_id: str, **run: Any) -> httpx.Response:
        """Run the graph on a thread and wait for what comes of it."""
        return await self.post(f"/threads/{thread_id}/runs/wait", {"assistant_id": "shop", **run})

    async def say(self, thread_id: str, text: str, **run: Any) -> dict[str, Any]:
        """Say something and return the values."""
        said = {"messages": [{"role": "user", "content": text}]}
        response = await self.run(thread_id, input=said, **run)
        return dict(response.raise_for_status().json())

    async def answer(self, thread_id: str, *decisions: Any, **more: Any) -> dict[str, Any]:
        """Answer the question that waits and return the values."""
        resume = {"decisions": list(decisions), **more}
        response = await self.run(thread_id, command={"resume": resume})
        return dict(response.raise_for_status().json())

    async def question(self, thread_id: str) -> dict[str, Any]:
        """Return the one question that waits."""
        state = (await self.get(f"/threads/{thread_id}/state")).raise_for_status().json()
        [interrupt] = state["interrupts"]
        return dict(interrupt["value"])

    async def asks_to_buy(self) -> str:
        """Bring a purchase to its question, and return its thread."""
        thread_id = await self.thread()
        await self.say(thread_id, 'CALL add_to_cart {"sku":"BOOT-013"}')
        asked = await self.say(thread_id, "CALL checkout {}")
        assert "__interrupt__" in asked, asked
        return thread_id

    async def buys(self) -> str:
        """Buy something, and return its thread."""
        thread_id = await self.asks_to_buy()
        bought = await self.answer(thread_id, APPROVE)
        assert bought["flow"] == "ordered", bought
        return thread_id


@asynccontextmanager
async def callers(url: str, tokens: Mapping[str, str]) -> AsyncIterator[dict[str, Caller]]:
    """Yield a caller for each person, and one without a name who has no token.

    Args:
        tokens: person to token.
    """
    async with AsyncExitStack() as stack:
        yield {
            name: Caller(
                await stack.enter_async_context(
                    httpx.AsyncClient(
                        base_url=url,
                        headers={"authorization": f"Bearer {token}"} if token else {},
                        timeout=60,
                        trust_env=False,
                    )
                ),
                name,
            )
            for name, token in {**tokens, "": ""}.items()
        }
