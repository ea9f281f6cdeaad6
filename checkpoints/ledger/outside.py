"""Events from providers: each stored once, the newest by its own timestamp."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from psycopg.rows import DictRow

from daybook.checkpoints.encryption import Confidential
from daybook.checkpoints.ledger.page import hashed
from daybook.checkpoints.pool import Pool, row_of, rows_of, run_of
from daybook.checkpoints.statements import statements
from daybook.state.effects.reference import Namespace

_SQL = statements("outside.sql")


@dataclass(frozen=True)
class OutsideEvent:
    """What a provider told, verified by whoever received it.

    Attributes:
        source: who told it.
        event_id: names the event there; the same one is kept once.
        about: what of ours it is about, by the provider's name.
        reference: what names the effect that it shows.
        newness: orders events about the same by what they say; the greatest is the newest.
        facts: what it shows, without secrets or personal data.
        thread_id, user_id: whose it is; None while no step is known that it is of.
    """

    source: str
    event_id: str
    about: str
    reference: str
    newness: str
    facts: Mapping[str, Any]
    thread_id: str | None = None
    user_id: str | None = None


@dataclass(frozen=True)
class Owner:
    """The step that an effect is of."""

    thread_id: str
    user_id: str
    op: str
    gen: int
    plan_id: str


class OutsideEvents:
    """Keep and find what providers told, of one tenant."""

    def __init__(self, pool: Pool, tenant_id: str) -> None:
        self._pool = pool
        self._tenant_id = tenant_id

    async def keep(self, event: OutsideEvent) -> bool:
        """Keep an event; return whether it is a new one."""
        about = {
            **asdict(event),
            "tenant_id": self._tenant_id,
            "facts": Confidential(dict(event.facts)),
        }
        kept = await row_of(self._pool, _SQL["keep"], about)
        return kept is not None

    async def newest(self, source: str, about: str) -> OutsideEvent | None:
        """Return the newest that was told about something; None if nothing was."""
        given = {"source": source, "about": about}
        row = await row_of(self._pool, _SQL["newest"], given)
        return None if row is None else _event(row)

    async def left(self, sources: Sequence[str], most: int) -> list[OutsideEvent]:
        """Return what nobody has taken up yet, oldest first."""
        about = {"sources": list(sources), "most": most}
        rows = await rows_of(self._pool, _SQL["left"], about)
        return [_event(row) for row in rows]

    async def owned(self, event: OutsideEvent, owner: Owner, *, is_taken: bool) -> None:
        """Write down whose an event is, and whether it was taken up."""
        about = {
            "source": event.source,
            "event_id": event.event_id,
            "thread_id": owner.thread_id,
            "is_taken": is_taken,
        }
        await run_of(self._pool, _SQL["owned"], about)

    async def owner(self, names: Namespace, reference: str) -> Owner | None:
        """Return the step that an effect is of, by what names it; None if there is none."""
        about = {**asdict(names), "reference": hashed(reference)}
        row = await row_of(self._pool, _SQL["owner"], about)
        return None if row is None else Owner(**row)


def _event(row: DictRow) -> OutsideEvent:
    return OutsideEvent(**row)
