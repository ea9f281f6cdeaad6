"""What approvals were handed to other sides as: one a step, held as it was first made."""

from __future__ import annotations

from daybook.checkpoints.pool import Pool
from daybook.checkpoints.statements import statements
from daybook.state.session import Session

_SQL = statements("mandates.sql")


class Mandates:
    """Keep and find mandates of one tenant, each sealed by whoever made it."""

    def __init__(self, pool: Pool, tenant_id: str) -> None:
        self._pool = pool
        self._tenant_id = tenant_id

    async def keep(self, step: str, session: Session, sealed: str) -> str:
        """Keep the mandate of a step, and return the one that is kept: the first one stays."""
        row = {
            "tenant_id": self._tenant_id,
            "step": step,
            "thread_id": session.thread_id,
            "user_id": session.user_id,
            "sealed": sealed,
        }
        async with self._pool.connection() as conn:
            await conn.execute(_SQL["keep"], row)
        held = await self.held(step)
        assert held is not None
        return held

    async def held(self, step: str) -> str | None:
        """Return the mandate of a step as it was sealed; None where none was made."""
        async with self._pool.connection() as conn:
            row = await (await conn.execute(_SQL["held"], {"step": step})).fetchone()
        return None if row is None else str(row["sealed"])
