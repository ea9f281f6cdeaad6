"""Keep LangChain's own tracer out of a run: it would send the whole state with all messages."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from inspect import signature
from typing import Any

from langchain_core.callbacks import BaseCallbackManager
from langchain_core.runnables import RunnableConfig
from langchain_core.tracers import LangChainTracer
from langsmith import Client
from langsmith.utils import tracing_is_enabled


async def untraced(config: RunnableConfig) -> RunnableConfig:
    """Put a tracer that sends nothing if LangChain's own would add itself.

    That adds itself where LangSmith is configured and no tracer is there; one that a caller gives
    by hand stays.
    """
    if not tracing_is_enabled():
        return config
    given: Any = config.get("callbacks")
    is_manager = isinstance(given, BaseCallbackManager)
    handlers = given.handlers if is_manager else list(given or ())
    if any(isinstance(handler, LangChainTracer) for handler in handlers):
        return config
    # In a thread: the client reads files.
    silent = await asyncio.to_thread(_silent)
    if not is_manager:
        return {**config, "callbacks": [*handlers, silent]}
    callbacks = given.copy()
    callbacks.add_handler(silent, inherit=True)
    return {**config, "callbacks": callbacks}


@lru_cache(maxsize=1)
def _silent() -> LangChainTracer:
    """Make a tracer that sends nothing: no trace is sampled."""
    # Before langsmith 0.8 there is one mode.
    modes: Any = (
        {"tracing_mode": "langsmith"} if "tracing_mode" in signature(Client).parameters else {}
    )
    client = Client(
        api_url="http://localhost",
        api_key="none",
        auto_batch_tracing=False,
        tracing_sampling_rate=0.0,
        hide_inputs=True,
        hide_outputs=True,
        **modes,
    )
    return LangChainTracer(client=client)
