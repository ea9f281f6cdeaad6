"""The application of one process: Aegra's, on the database and services that its runs need."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aegra_api.main import app

from daybook.app.server.production.aegra import opened

__all__ = ["app"]

_lifespan_of_aegra = app.router.lifespan_context


@asynccontextmanager
async def _lifespan(application: Any) -> AsyncIterator[Any]:
    # Before Aegra is started: from then on it takes up runs.
    async with opened(), _lifespan_of_aegra(application) as state:
        yield state


app.router.lifespan_context = _lifespan
