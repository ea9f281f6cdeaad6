"""Play conversations: the real graph on a Postgres of its own, and the shop as a process."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.graph.model.chosen import chosen_model
from daybook.graph.settings.environment import settings_from
from daybook.nodes.running.work import Resources
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import reach_shop
from evals.crash.server import open_server
from evals.crash.shop import Shop
from evals.steps.conversations import Line


@dataclass(frozen=True)
class World:
    """The shop's agent, the database on which it works, and the shop."""

    graph: GuardedGraph
    postgres: Postgres
    shop: Shop


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    """Start everything below a folder; nothing of it outlives the block.

    Raises:
        EmbeddedPostgresError: the server did not start.
        ServiceUnavailable: the shop did not start.
    """
    shop = Shop(folder / "shop", "keyed")
    try:
        async with open_server(folder) as server:
            await shop.start()
            services = await reach_shop(shop.url, shop.smtp_url)
            settings = settings_from({"DAYBOOK_HOME": str(folder)})
            try:
                async with (
                    open_postgres(
                        server.url, tenant_id="default", stored_types=SHOP.restored_types
                    ) as postgres,
                    chosen_model(settings, SHOP) as model,
                ):
                    resources = Resources(
                        postgres=postgres,
                        model=model,
                        services=services,
                        promises=services.guarantees,
                        world=services.shop_id,
                    )
                    graph = build(SHOP, lambda: resources, postgres.saver)
                    yield World(graph, postgres, shop)
            finally:
                await services.close()
    finally:
        await shop.close()


async def played(graph: GuardedGraph, user: str, lines: Sequence[Line]) -> str:
    """Hold a conversation in a thread of its own, and return the thread's id."""
    thread_id = str(uuid.uuid4())
    config: RunnableConfig = {
        "configurable": {"thread_id": thread_id, "user_id": user, "role": "customer"}
    }
    for line in lines:
        if line.on_the_page:
            await _on_the_page(graph, config, line.on_the_page)
        said = {"role": "user", "content": line.said, "id": str(uuid.uuid4())}
        result = await graph.ainvoke({"messages": [said]}, config)
        while asks := result.get("__interrupt__", ()):
            question: dict[str, Any] = asks[0].value
            answers = [{"type": line.answer} for _ in question["action_requests"]]
            answer = {"decisions": answers, "approval_id": question["approval_id"]}
            result = await graph.ainvoke(Command(resume=answer), _asked(question, config))
    return thread_id


def _asked(question: Mapping[str, Any], config: RunnableConfig) -> RunnableConfig:
    """Return the configuration of whoever must answer: the person, or one of the shop's staff."""
    role = question["needs"]["role"]
    staff = {} if role == "customer" else {"user_id": f"the-{role}", "role": role}
    return {"configurable": {**config["configurable"], **staff}}


async def _on_the_page(graph: GuardedGraph, config: RunnableConfig, quantity: int) -> None:
    """Set the quantity of the cart's last line on the shop's own page, if it has one."""
    lines = (await graph.aget_state(config)).values["cart"].lines
    if lines:
        event = {"type": "set_quantity", "sku": lines[-1].sku, "quantity": quantity}
        await graph.ainvoke({"events": [{"id": str(uuid.uuid4()), **event}]}, config)
