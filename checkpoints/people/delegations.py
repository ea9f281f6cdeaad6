"""Delegations: who may answer for whom, in which role, and until when."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from daybook.checkpoints.pool import Pool, row_of, rows_of
from daybook.checkpoints.statements import statements
from daybook.state.session import Person

DELEGATIONS = statements("delegations.sql")


@dataclass(frozen=True)
class Delegation:
    """Who stands in for whom, as what.

    Attributes:
        user_id: who is absent; to_user: who stands in.
        until, made_at, ended_at: UTC.
        is_good: it is neither over nor ended.
    """

    delegation_id: int
    user_id: str
    role: str
    to_user: str
    until: datetime
    made_at: datetime
    made_by: str
    ended_at: datetime | None
    is_good: bool


async def standing_in(pool: Pool, person: Person) -> Person:
    """Return a person with the role that they have by now, and for whom they stand in."""
    about = {"user_id": person.user_id, "role": person.role}
    row = await row_of(pool, DELEGATIONS["standing_in"], about)
    assert row is not None
    return replace(person, role=row["role"], stands_for=tuple(row["stands_for"]))


async def delegations(pool: Pool) -> list[Delegation]:
    """Return all delegations of one tenant, the oldest first."""
    return [Delegation(**row) for row in await rows_of(pool, DELEGATIONS["delegations"])]
