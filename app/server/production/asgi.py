"""The application of one process: Aegra's, on the database and services that its runs need."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


def create_app() -> Any:
    """Return Aegra's application; it opens ours first, and closes it last."""
    from aegra_api.main import app

    from daybook.app.server.production.aegra import opened

    lifespan_of_aegra = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(application: Any) -> AsyncIterator[Any]:
        # Before Aegra is started: from then on it takes up runs.
        async with opened(), lifespan_of_aegra(application) as state:
            yield state

    app.router.lifespan_context = lifespan
    return app
