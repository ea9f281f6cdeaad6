"""Let something happen on a thread outside the chat, as the shop's own page would."""

from __future__ import annotations

import json
import uuid
from typing import Any

from langchain_core.runnables import RunnableConfig

from app.terminal import Terminal
from graph.resources import open_shop_agent
from graph.settings import Settings
from nodes.work import session_of
from state.errors import InputRefused


async def happen(
    settings: Settings, terminal: Terminal, *, thread: str, user: str, event: str
) -> None:
    """Give an event to a thread and show the cart afterwards. No model is asked.

    Args:
        event: a JSON object such as `{"type": "remove", "sku": "SOCK-002"}`; without an "id" it
            gets one, and then counts as new each time.

    Raises:
        DaybookError: it cannot be taken, or another process works on the thread.
    """
    given = {"events": [{"id": str(uuid.uuid4()), **_read(event)}]}
    config: RunnableConfig = {"configurable": {"thread_id": thread, "user_id": user}}
    async with open_shop_agent(settings) as opened:
        postgres = opened.resources.postgres
        if not await postgres.threads.admits(
            session_of(config, postgres.tenant_id), opened.graph.domain, opened.resources.world
        ):
            raise InputRefused(
                f"There is no thread {thread} here. Nothing was changed; `daybook chat` prints the "
                "id of its thread."
            )
        await opened.graph.ainvoke(given, config)
        snapshot = await opened.graph.aget_state(config)
    terminal.cart(snapshot.values["cart"])


def _read(event: str) -> dict[str, Any]:
    try:
        read = json.loads(event)
    except ValueError as error:
        raise InputRefused(f"The event is no JSON ({error}). Nothing was changed.") from error
    if not isinstance(read, dict):
        raise InputRefused(
            'An event is a JSON object such as {"type": "remove", "sku": "SOCK-002"}. Nothing was '
            "changed."
        )
    return read
