"""The usage of models, and what of it counts for which budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from daybook.checkpoints.ledger.page import usage_row
from daybook.checkpoints.pool import Pool, each_of
from daybook.checkpoints.statements import statements
from daybook.state.people.budget import Usage
from daybook.state.session import Session

_SQL = statements("ledger.sql")

_LATELY = timedelta(days=1)


class ModelUsage:
    """Keep and add up what the models of one tenant took."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def keep(self, session: Session, used: Sequence[Usage]) -> None:
        """Count calls that gave no decision of this process; the others are written with it."""
        for one in used:
            async with self._pool.connection() as conn:
                await conn.execute(_SQL["keep_usage"], usage_row(session, one))

    async def used(
        self, wanted: Iterable[tuple[str, int | None]], thread_id: str, user_id: str
    ) -> list[list[Usage]]:
        """Add up, for a thread, its user and its tenant, what every model took.

        Args:
            wanted: per "thread", "user" or "tenant"; days, None for all the time.
        """
        whose = {"thread": {"thread_id": thread_id}, "user": {"user_id": user_id}}
        asked = [(per, days, whose.get(per, {})) for per, days in wanted]
        return [[one for _, one in found] for found in await self._found(asked)]

    async def used_by_all(
        self, wanted: Iterable[tuple[str, int | None]]
    ) -> list[dict[str, list[Usage]]]:
        """Add up the same for each user, and each thread in which a model was called lately.

        Returns:
            By the id of the thread or the user; "" for the tenant.
        """
        asked = [
            (per, days, {"lately": _LATELY if per == "thread" else None}) for per, days in wanted
        ]
        all_: list[dict[str, list[Usage]]] = []
        for found in await self._found(asked):
            all_.append({})
            for whose, one in found:
                all_[-1].setdefault(whose, []).append(one)
        return all_

    async def _found(
        self, asked: Iterable[tuple[str, int | None, Mapping[str, Any]]]
    ) -> list[list[tuple[str, Usage]]]:
        nobody = {"thread_id": None, "user_id": None, "lately": None}
        queries = [
            (
                _SQL["used"],
                {**nobody, **about, "per": per, "since": timedelta(days=days) if days else None},
            )
            for per, days, about in asked
        ]
        return [
            [
                (row["whose"], Usage(row["model"], row["input"], row["cached"], row["output"]))
                for row in rows
            ]
            for rows in await each_of(self._pool, *queries)
        ]
