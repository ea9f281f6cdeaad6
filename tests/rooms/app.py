"""What langgraph.json names: the rooms graph, and the checkpointer that opens what it runs on."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from daybook.graph.database import open_database_of
from daybook.graph.model.choice import chosen_model
from daybook.graph.serve import served
from daybook.graph.settings.environment import settings_from
from daybook.graph.settings.limits import limits_of
from daybook.nodes.running.work import Resources
from daybook.tools.services.http import HttpService
from tests.rooms.domain import OFFICE, ROOMS


@asynccontextmanager
async def open_resources() -> AsyncIterator[Resources]:
    """Open database, model and office, for as long as the server runs."""
    settings = settings_from()
    office = HttpService(os.environ["OFFICE_URL"], contract=OFFICE)
    try:
        async with (
            open_database_of(ROOMS, settings) as postgres,
            chosen_model(settings, ROOMS) as model,
        ):
            limits = limits_of(settings, ROOMS)
            yield Resources(postgres=postgres, model=model, services=office, **limits)
    finally:
        await office.close()


graph, checkpointer = served(ROOMS, open_resources)
