"""Find where the conversations of a tenant stand."""

from __future__ import annotations

from daybook.checkpoints.pool import Pool
from daybook.checkpoints.statements import statements
from daybook.state.people.lifecycle import Standing

_SQL = statements("lifecycle.sql")


async def standing(
    pool: Pool,
    domain: str,
    *,
    user_id: str | None = None,
    thread_id: str | None = None,
    most: int = 100,
) -> list[Standing]:
    """Return where conversations stand, the last active one first.

    Args:
        domain: threads of this domain.
        user_id: this person's alone.
        thread_id: this one alone.
        most: how many at most.
    """
    about = {"domain": domain, "user_id": user_id, "thread_id": thread_id, "most": most}
    async with pool.connection() as conn:
        rows = await (await conn.execute(_SQL["standing"], about)).fetchall()
    return [Standing(**row) for row in rows]
