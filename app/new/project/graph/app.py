"""The graph and its checkpointer, which langgraph.json names."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from daybook import HttpService, served
from daybook.domain import Resources, chosen_model, limits_of, open_database_of, settings_from
from daybook.errors import ConfigurationError

from graph.domain import DOMAIN
from tools.desk import DESK


@asynccontextmanager
async def open_resources() -> AsyncIterator[Resources]:
    """Open database, model and service for as long as a command or a server runs."""
    settings = settings_from()
    if (url := os.environ.get("SERVICE_URL")) is None:
        raise ConfigurationError(
            "SERVICE_URL is not set. Nothing was started; `make run` starts the fake service."
        )
    desk = HttpService(url, contract=DESK)
    try:
        async with (
            open_database_of(DOMAIN, settings) as postgres,
            chosen_model(settings, DOMAIN) as model,
        ):
            limits = limits_of(settings, DOMAIN)
            yield Resources(postgres=postgres, model=model, services=desk, **limits)
    finally:
        await desk.close()


graph, checkpointer = served(DOMAIN, open_resources)
