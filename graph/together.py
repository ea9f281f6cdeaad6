"""The shop and the merchants, served together: the checkpointer that langgraph.json names."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from daybook.graph.settings.environment import settings_from
from daybook.graph.shop.app import checkpointer as of_the_shop


@asynccontextmanager
async def checkpointer() -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """Open what both graphs run on; that of the merchants only where some are named."""
    async with AsyncExitStack() as stack:
        if settings_from().has_merchants:
            from daybook.graph.merchants.app import checkpointer as of_the_merchants

            await stack.enter_async_context(of_the_merchants())
        # Last, for it is the one that comes first: a new conversation is of the shop.
        yield await stack.enter_async_context(of_the_shop())
