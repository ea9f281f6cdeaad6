"""The database of a server at work, for those who answer its requests."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from psycopg import InternalError, OperationalError

from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.reach import unavailable
from daybook.graph.serve import at_work

T = TypeVar("T")


def postgres() -> Postgres:
    """Return the database that the server works on."""
    return at_work()().postgres


async def available(query: Awaitable[T]) -> T:
    """Return the result of a query of the database.

    Raises:
        DatabaseUnavailable: it cannot be asked now.
    """
    try:
        return await query
    except (OperationalError, InternalError) as error:
        await postgres().drop_broken()
        raise unavailable(error) from error
