"""The outbox of notifications: Postgres records open questions, and workers send them.

A trigger on the work list notes questions in the transaction that asks or ends them
(sql/schema.sql). Nothing here is believed of a question: what waits stands in the work list.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from psycopg.rows import DictRow

from daybook.checkpoints.pool import Pool, each_of, row_of, rows_of, run_of
from daybook.checkpoints.statements import statements
from daybook.state.session import ROLES, Person

_SQL = statements("notifications.sql")

MOST_TRIES = 10
"""The attempts of one delivery, over half an hour."""


@dataclass(frozen=True)
class Noted:
    """A row of the outbox that is not routed yet.

    Attributes:
        kind: question, doubt, settled or expired.
        question: the plan that is to be decided, or the step in doubt.
        tool: of the first step that waits.
        role: the least that someone must be to answer.
    """

    notification_id: str
    kind: str
    thread_id: str
    plan_id: str
    question: str
    tool: str
    role: str


@dataclass(frozen=True)
class Delivery:
    """One claimed delivery, with the facts of its notification.

    Attributes:
        kind: question, doubt, settled, expired, reminder or escalation.
        deadline, at: UTC; when a question expires, and when it happened.
        outcome: of one that is over, as the ledger names it; author: who decided it.
        waits: the question waits now.
        earlier: by which names the receiver knows what it got of the question before.
    """

    delivery_id: str
    route: str
    kind: str
    tries: int
    program: str | None
    thread_id: str
    user_id: str
    plan_id: str
    question: str
    tool: str
    role: str
    deadline: datetime | None
    outcome: str
    author: str | None
    at: datetime
    waits: bool
    earlier: Sequence[str]


class Notifications:
    """The outbox of one tenant."""

    def __init__(self, pool: Pool, tenant_id: str) -> None:
        self._pool = pool
        self._tenant_id = tenant_id

    async def keep_on(self, program: str) -> None:
        """Have the questions of a program noted for a day, and those that wait already now."""
        about = {"tenant_id": self._tenant_id, "program": program}
        await run_of(self._pool, _SQL["keep_on"], about)
        await each_of(self._pool, (_SQL["note_waiting"], about))
        for old in ("purge", "forget_requests", "forget_presence"):
            await run_of(self._pool, _SQL[old])

    async def unrouted(self, program: str, most: int) -> list[Noted]:
        """Return what no route was chosen for yet, the oldest first."""
        rows = await rows_of(self._pool, _SQL["unrouted"], {"program": program, "most": most})
        return [Noted(**row) for row in rows]

    async def note_presence(self, person: Person) -> None:
        """Note that someone of the staff has the inbox before them, once in 20 seconds at most."""
        about = {"tenant_id": self._tenant_id, "user_id": person.user_id, "role": person.role}
        await run_of(self._pool, _SQL["note_presence"], about)

    async def is_attended(self, noted: Noted, people: Collection[str] = ()) -> bool:
        """Tell whether someone who may answer has the inbox before them, and is not its owner.

        What customers are asked about their own purchases is theirs alone to see to.

        Args:
            people: who alone may answer; none if everybody of the role may.
        """
        if noted.kind == "question" and noted.role == "customer":
            return False
        roles = [*ROLES[ROLES.index(noted.role) :]] if noted.role in ROLES else []
        about = {"notification_id": noted.notification_id, "roles": roles, "people": [*people]}
        (row,) = await rows_of(self._pool, _SQL["attended"], about)
        return bool(row["is_attended"])

    async def route(self, noted: Noted, chosen: Collection[tuple[str, str, float]]) -> None:
        """Write what is sent of a question: its routes, each with a kind and seconds until then."""
        routes, kinds, afters = zip(*chosen, strict=True) if chosen else ((), (), ())
        about = {"routes": [*routes], "kinds": [*kinds], "afters": [*map(float, afters)]}
        await run_of(self._pool, _SQL["route"], {**about, "notification_id": noted.notification_id})

    async def route_end(self, noted: Noted, routes: Collection[str]) -> None:
        """Write that a question is over to those of some routes that may have got it."""
        about = {"notification_id": noted.notification_id, "routes": [*routes]}
        await run_of(self._pool, _SQL["route_end"], about)

    async def claim(
        self, program: str, most: int, lease: timedelta, held: Collection[str] = ()
    ) -> list[Delivery]:
        """Claim what is due, for as long as the lease; after that another sender takes it.

        Args:
            held: routes that are left alone.
        """
        about = {"program": program, "most": most, "lease": lease, "held": [*held]}
        return [Delivery(**row) for row in await rows_of(self._pool, _SQL["claim"], about)]

    async def sent(self, delivery: Delivery, reference: str | None, *, over: bool = False) -> None:
        """Write that a delivery was sent, or that what it was about is over."""
        about = {
            "delivery_id": delivery.delivery_id,
            "reference": reference,
            "state": "over" if over else "sent",
        }
        await run_of(self._pool, _SQL["sent"], about)

    async def failed(self, delivery: Delivery, error: str, after: float) -> None:
        """Write that a delivery failed; it is tried again, at last `MOST_TRIES` times in all.

        Args:
            after: seconds for which it is not tried at least.
        """
        about = {
            "delivery_id": delivery.delivery_id,
            "error": error,
            "after": after,
            "most_tries": MOST_TRIES,
        }
        await run_of(self._pool, _SQL["failed"], about)

    async def revive(self) -> int:
        """Have all dead deliveries tried again; count them."""
        return await run_of(self._pool, _SQL["revive"])

    async def counted(self) -> list[DictRow]:
        """Count deliveries by route and state, with an error of each."""
        return await rows_of(self._pool, _SQL["counted"])

    async def dead(self) -> int:
        """Count dead deliveries."""
        (row,) = await rows_of(self._pool, _SQL["dead"])
        return int(row["dead"])

    async def delivered(self, delivery_id: str, routes: Collection[str]) -> DictRow | None:
        """Return the thread and question of a delivery about an approval, by one of some routes."""
        about = {"delivery_id": delivery_id, "routes": [*routes]}
        return await row_of(self._pool, _SQL["delivered"], about)

    async def use(self, digest: bytes) -> bool:
        """Use a signed request; False if it was used before."""
        about = {"tenant_id": self._tenant_id, "digest": digest}
        return await run_of(self._pool, _SQL["use_request"], about) == 1
