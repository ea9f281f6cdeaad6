"""One database: the pool, and everything that uses it."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from psycopg import AsyncConnection, Error, OperationalError, ProgrammingError
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from daybook.checkpoints.cluster import Cluster
from daybook.checkpoints.encryption import Cipher
from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.outside import OutsideEvents
from daybook.checkpoints.ledger.steps import Steps
from daybook.checkpoints.migrate import KNOWS_SET, ROLE, SCHEMA, migrate
from daybook.checkpoints.pending_writes import Unstored
from daybook.checkpoints.people.history import History
from daybook.checkpoints.people.memory import Lessons, Memory
from daybook.checkpoints.people.notifications import Notifications
from daybook.checkpoints.people.rules import ToolRules
from daybook.checkpoints.people.threads import Threads, asks_whose
from daybook.checkpoints.people.usage import ModelUsage
from daybook.checkpoints.pool import (
    AnyPool,
    Conn,
    Place,
    Pool,
    configure,
    connected,
    connected_at,
)
from daybook.checkpoints.reach import bounded, not_allowed, unavailable, with_application_name
from daybook.checkpoints.runs.overdue import StalledThreads
from daybook.checkpoints.runs.reads import Documents, Reads
from daybook.checkpoints.runs.runners import LEASE, SHARES, Runners, ThreadLeases
from daybook.checkpoints.runs.saver import FencedSaver
from daybook.state.clock import SYSTEM, Clock
from daybook.state.errors import ConfigurationError
from daybook.state.ledger.plan import Plan

_WAIT_SECONDS = 10.0


@dataclass(frozen=True)
class Stands:
    """Where a thread stands when it is taken.

    Attributes:
        whose: its row, for `is_admitted`; None for one that nobody has begun.
        questions: at its head; without the state, which may be large.
        plan: the open one, as it stood at `now` (UTC).
    """

    whose: Mapping[str, Any] | None
    questions: Sequence[Any]
    plan: Plan | None
    now: datetime


class Postgres:
    """One tenant's open database.

    Attributes:
        ledger, reads, threads, rules, steps: Daybook's tables.
        saver: LangGraph's checkpointer on the same pool.
        cluster: which database the ledger belongs to.
        outside: events that providers sent unasked.
        locks, runners: the lease that allows one runner per thread.
        history: a user's own history, queried in SQL.
        memory: facts about users, across threads.
        lessons: lessons from failed calls.
        notifications: notifications of open questions.
        stalled: threads that no process finishes.
        usage: tokens that models used.
        unstored: writes that runs of this process still have to store.
        tenant_id: the tenant of every row that is read or written.
        url: the URL of the database.
        place: the schema of the tables in it.
        clock: the clock of this process.
        process: the application_name of this process's sessions.
    """

    def __init__(
        self,
        where: str | AnyPool,
        url: str,
        pool: Pool,
        stored_types: Sequence[type],
        process: str,
        lease: timedelta,
        cipher: Cipher,
        clock: Clock = SYSTEM,
        *,
        ignores_timeline: bool = False,
        marks: Path | None = None,
    ) -> None:
        self._where = where
        self.url = url
        self.place = pool.place
        self.tenant_id = tenant_id = pool.place.tenant_id
        self.process = process
        self.clock = clock
        self.pool = pool
        serde = cipher.serializer(stored_types)
        self.cluster = Cluster(
            pool, self.as_owner, clock, ignores_timeline=ignores_timeline, marks=marks
        )
        self.is_encrypted = cipher.is_on
        self.unstored = unstored = Unstored()
        self.ledger = Ledger(pool, cipher, clock, cluster=self.cluster, unstored=unstored)
        self.threads = Threads(pool, serde)
        self.documents = Documents(pool)
        self.rules = ToolRules(pool)
        self.steps = Steps(pool)
        self.outside = OutsideEvents(pool, tenant_id)
        self.history = History(pool)
        self.lessons = Lessons(pool)
        self.notifications = Notifications(pool, tenant_id)
        self.locks = ThreadLeases(pool, self.as_owner, process, lease, clock)
        self.runners = Runners(pool, self.locks, process, unstored)
        self.memory = Memory(pool, tenant_id, cipher, self.runners)
        self.stalled = StalledThreads(pool)
        self.usage = ModelUsage(pool)
        self.saver = FencedSaver(pool, self.runners, serde, cipher, unstored)
        self.reads = Reads(pool, unstored)

    @asynccontextmanager
    async def as_owner(self, to: str = "do this") -> AsyncIterator[Conn]:
        """Connect with the rights of the user that the database was opened as.

        It sees this tenant's rows: row-level security is forced on the owner too. What is encrypted
        is read as it is stored.

        Args:
            to: what only the owner may do, for the error message.

        Raises:
            psycopg.OperationalError: the database cannot be reached.
            ConfigurationError: its user does not own the tables.
        """
        place = Place(self.place.schema, self.tenant_id)
        try:
            async with connected_at(self._where, place) as conn:
                yield conn
        except InsufficientPrivilege as error:
            raise ConfigurationError(
                f"The user in DATABASE_URL may not {to}: only the owner of the tables may. "
                "Earlier commits are kept; run this with the owner's URL."
            ) from error

    @asynccontextmanager
    async def hold(self, thread_id: str, token_id: str | None = None) -> AsyncIterator[Stands]:
        """Hold a thread for the length of the block (see `ThreadLeases.hold`), and read of it.

        Args:
            token_id: the token with which the user signed in.
        """
        asked = (
            asks_whose(thread_id, token_id),
            self.saver.asks_questions(thread_id),
            self.ledger.asks_open_plan(thread_id),
        )
        async with self.locks.hold(thread_id, *asked) as (whose, waiting, entries):
            questions = [
                one for asked in self.saver.questions_in(waiting).values() for one in asked
            ]
            plan, now = self.ledger.plan_in(entries)
            yield Stands(whose[0] if whose else None, questions, plan, now)

    async def drop_broken(self) -> None:
        """Discard the idle connections that a stop of the server has broken.

        Otherwise each of them would fail one run after the server is back.
        """
        await self.pool.check()


@asynccontextmanager
async def open_postgres(
    where: str | AnyPool,
    *,
    tenant_id: str,
    stored_types: Sequence[type],
    size: int = 7,
    lease: timedelta = LEASE,
    key: bytes | None = None,
    older_keys: Sequence[bytes] = (),
    clock: Clock = SYSTEM,
    is_pooled: bool = False,
    schema: str = SCHEMA,
    ignores_timeline: bool = False,
    marks: Path | None = None,
) -> AsyncIterator[Postgres]:
    """Migrate a database and open it for one tenant.

    Args:
        where: a libpq URL, or an open pool of an application, whose connections are given back with
            the settings that they came with. Migrations run as its user, everything else as
            `daybook_app` where that role can be had.
        tenant_id: the tenant of all rows that are read and written (row-level security).
        stored_types: models and enums of the state that are restored from checkpoints.
        size: connections at most, by URL.
        lease: how long a runner lease lasts without renewal.
        key: 16, 24 or 32 bytes: what threads hold is encrypted with it (see
            `daybook.checkpoints.encryption`).
        older_keys: earlier keys, used only for reading.
        clock: of this process, for what waits in it; statements go by `daybook_now()`.
        is_pooled: the URL leads to a pooler in transaction mode.
        schema: the schema of all tables, ours and those of the libraries; created if missing.
        ignores_timeline: a promoted replica lacks no commits, so it may send without reconciling.
        marks: the folder on this host that reveals a restored disk snapshot.

    Raises:
        DatabaseUnavailable: the database cannot be reached.
        CannotDecrypt: it is encrypted with another key.
        ConfigurationError: its user may not prepare it, or it cannot be used.
    """
    has_own_sessions = isinstance(where, str) and not is_pooled
    process = f"{'daybook-' if has_own_sessions else SHARES}{uuid.uuid4()}"
    if isinstance(where, str):
        try:
            where = with_application_name(bounded(where), process)
        except ProgrammingError:
            # Its message quotes what it cannot read, with the password in it.
            raise ConfigurationError(
                "The database URL is invalid; it may contain a password, so it is not shown. "
                "Write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with special characters "
                "encoded (%40), and no driver after `postgresql`."
            ) from None
    elif is_pooled:
        raise ConfigurationError(
            "Behind a pooler in transaction mode a session keeps no settings, so Daybook cannot "
            "share an application's pool. Nothing was opened; pass a URL."
        )
    cipher = Cipher(key, older_keys)
    try:
        await migrate(where, clock=clock, schema=schema)
        # The pool would try a connection that it cannot configure again and again, and not say why.
        async with connected(where) as conn:
            place = Place(schema, tenant_id, await _role(conn, schema), cipher)
            url = make_conninfo(conn.info.dsn, password=conn.info.password)
        async with connected_at(where, place) as conn:
            await cipher.prove(conn, tenant_id)
    except OperationalError as error:
        raise unavailable(error) from error
    except Error as error:
        raise not_allowed(error, schema) from error
    async with AsyncExitStack() as stack:
        if isinstance(where, str):
            url = where
            ours = await stack.enter_async_context(_pool(where, place, size, is_pooled))
            pool = Pool(ours, place)
        else:
            pool = Pool(where, place, is_adopted=True)
        postgres = Postgres(
            where,
            url,
            pool,
            stored_types,
            process,
            lease,
            cipher,
            clock,
            ignores_timeline=ignores_timeline,
            marks=marks,
        )
        try:
            await postgres.cluster.begin()
            yield postgres
        finally:
            await postgres.locks.close()


def _pool(url: str, place: Place, size: int, is_pooled: bool) -> AnyPool:
    async def set_up(conn: AsyncConnection[Any]) -> None:
        await configure(conn, place)

    return AsyncConnectionPool(
        url,
        min_size=1,
        max_size=size,
        timeout=_WAIT_SECONDS,
        # Given up soon: an attempt of its own then follows when a connection is asked for, and not
        # after the pauses of the last one, which double each time.
        reconnect_timeout=_WAIT_SECONDS,
        open=False,
        configure=set_up,
        # A statement that is prepared stands in a session, which the next one may not have.
        kwargs={
            "autocommit": True,
            "row_factory": dict_row,
            **({"prepare_threshold": None} if is_pooled else {}),
        },
    )


async def _role(conn: Conn, schema: str) -> str | None:
    """Return the role to run as; None if it cannot be had, or has no rights in the schema."""
    right = "set" if conn.info.server_version >= KNOWS_SET else "member"
    about = {"role": ROLE, "right": right, "schema": schema}
    row = await (await conn.execute(_RUNS_AS, about)).fetchone()
    return ROLE if row is not None else None


_RUNS_AS = """
select from pg_roles
where rolname = %(role)s and pg_has_role(oid, %(right)s)
  and has_schema_privilege(oid, %(schema)s, 'usage')
"""
