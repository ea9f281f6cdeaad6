"""Where spans go beside our own table: to a collector, to LangSmith, or nowhere.

Nothing is made, imported or sent for it unless the settings say so and there is a span to send.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import BaseCallbackManager
from langchain_core.runnables import RunnableConfig
from langsmith.utils import tracing_is_enabled

from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import Settings
from daybook.state.errors import NotInstalled

if TYPE_CHECKING:
    from langchain_core.tracers import LangChainTracer
    from langsmith import Client


def export_spans(postgres: Postgres, settings: Settings) -> None:
    """Deliver the spans of a database's runs to whatever the settings name, too.

    Raises:
        NotInstalled: they name a collector, and the exporter is not here.
    """
    if settings.exports_otlp:
        try:
            from daybook.graph.telemetry.otel import Exported, otlp_exporter
        except ModuleNotFoundError as error:
            raise NotInstalled("The exporter of OpenTelemetry", "otel") from error

        postgres.outbox.add(Exported(otlp_exporter))
    if settings.exports_langsmith:
        from daybook.graph.telemetry.langsmith import LangSmith

        postgres.outbox.add(LangSmith(postgres.ledger.turn))


async def untraced(config: RunnableConfig) -> RunnableConfig:
    """Keep LangChain's own tracer out of a run: it would send the whole state, with all words.

    It adds itself where LangSmith is configured and no tracer is there; one that a caller gives
    by hand stays.
    """
    if not tracing_is_enabled():
        return config
    # In a thread: the client reads files.
    silent = await asyncio.to_thread(_silent)
    given: Any = config.get("callbacks")
    if isinstance(given, BaseCallbackManager):
        callbacks = given.copy()
        if not any(isinstance(handler, type(silent)) for handler in callbacks.handlers):
            callbacks.add_handler(silent, inherit=True)
        return {**config, "callbacks": callbacks}
    handlers = list(given or ())
    if any(isinstance(handler, type(silent)) for handler in handlers):
        return config
    return {**config, "callbacks": [*handlers, silent]}


@lru_cache(maxsize=1)
def _client() -> Client:
    """Make a client that sends nothing: no trace is sampled."""
    from langsmith import Client

    return Client(
        api_url="http://localhost",
        api_key="none",
        auto_batch_tracing=False,
        tracing_sampling_rate=0.0,
        hide_inputs=True,
        hide_outputs=True,
        tracing_mode="langsmith",
    )


def _silent() -> LangChainTracer:
    """Make a tracer that sends nothing: it stands where another would add itself."""
    from langchain_core.tracers import LangChainTracer

    return LangChainTracer(client=_client())
