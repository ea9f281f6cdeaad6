"""One database: the pool, and what stands on it."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from psycopg import AsyncConnection, Error, OperationalError
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from daybook.checkpoints.encryption import Cipher
from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.outside import OutsideEvents
from daybook.checkpoints.ledger.steps import Steps
from daybook.checkpoints.migrate import READER, ROLE, migrate
from daybook.checkpoints.people.history import History
from daybook.checkpoints.people.lessons import Lessons
from daybook.checkpoints.people.memory import Memory
from daybook.checkpoints.people.rules import ToolRules
from daybook.checkpoints.people.threads import Threads
from daybook.checkpoints.pool import Pool
from daybook.checkpoints.reach import bounded, named, not_allowed, unavailable
from daybook.checkpoints.runs.progress import Documents
from daybook.checkpoints.runs.reads import Reads
from daybook.checkpoints.runs.runners import Runners
from daybook.checkpoints.runs.saver import FencedSaver
from daybook.checkpoints.runs.stalled import StalledThreads
from daybook.checkpoints.runs.thread_leases import LEASED, ThreadLeases
from daybook.checkpoints.runs.thread_lock import LEASE, ThreadLocks
from daybook.state.clock import SYSTEM, Clock

_WAIT_SECONDS = 10.0

_KNOWS_TRANSACTION_TIMEOUT = 170_000

_CONFIGURE = """
select set_config(name, value, false)
from unnest(%(names)s::text[], %(values)s::text[]) it (name, value)
"""


class Postgres:
    """One tenant's open database.

    Attributes:
        ledger, reads, threads, rules, steps: our tables.
        saver: LangGraph's checkpointer on the same pool.
        outside: events that providers sent by themselves.
        locks, runners: one runner a thread.
        history: a user's own history, queried in SQL.
        memory: what is known of people, across threads.
        lessons: what was learnt from failures.
        stalled: what nobody finishes.
        tenant_id: every row that is seen or written belongs to it.
        clock: of this process.
        process: by this name (application_name) the server knows the sessions of this process.
    """

    def __init__(
        self,
        url: str,
        pool: Pool,
        tenant_id: str,
        stored_types: Sequence[type],
        process: str,
        lease: timedelta,
        cipher: Cipher,
        clock: Clock = SYSTEM,
        is_pooled: bool = False,
    ) -> None:
        self.url = url
        self.tenant_id = tenant_id
        self.process = process
        self.clock = clock
        self.pool = pool
        serde = cipher.serializer(stored_types)
        self.ledger = Ledger(pool, cipher, clock)
        self.threads = Threads(pool, serde)
        self.documents = Documents(pool)
        self.rules = ToolRules(pool)
        self.steps = Steps(pool)
        self.outside = OutsideEvents(pool, tenant_id)
        self.history = History(pool)
        self.lessons = Lessons(pool)
        self.locks = (
            ThreadLeases(pool, tenant_id, process, lease, clock)
            if is_pooled
            else ThreadLocks(url, tenant_id, process, lease, clock)
        )
        self.runners = Runners(pool, self.locks, process)
        self.memory = Memory(pool, tenant_id, cipher, self.runners)
        self.stalled = StalledThreads(pool)
        self.saver = FencedSaver(pool, self.runners, serde, cipher)
        self.reads = Reads(pool, self.saver)

    async def drop_broken(self) -> None:
        """Throw away the idle connections that an end of the server has broken.

        Else each of them would fail a run of its own, after the server is back.
        """
        await self.pool.check()


@asynccontextmanager
async def open_postgres(
    url: str,
    *,
    tenant_id: str,
    stored_types: Sequence[type],
    size: int = 7,
    lease: timedelta = LEASE,
    key: bytes | None = None,
    older_keys: Sequence[bytes] = (),
    clock: Clock = SYSTEM,
    is_pooled: bool = False,
) -> AsyncIterator[Postgres]:
    """Migrate a database and open it for one tenant.

    Args:
        url: a libpq URL; migrations run as its user, everything else as `daybook_app`.
        tenant_id: every row that is seen or written belongs to it (row-level security).
        stored_types: models and enums of the state that are restored from checkpoints.
        size: connections at most.
        lease: how long a process may be silent before what it holds is taken over.
        key: 16, 24 or 32 bytes: what threads hold is encrypted with it (see
            `daybook.checkpoints.encryption`).
        older_keys: what was written with these is read, and nothing more written.
        clock: of this process, for what waits in it; statements go by `daybook_now()`.
        is_pooled: a pooler stands between, which lends sessions for a transaction each.

    Raises:
        DatabaseUnavailable: the database cannot be reached.
        CannotDecrypt: what it holds was encrypted with another key.
        ConfigurationError: its user may not prepare it, or may not run as `daybook_app`.
    """
    process = f"{LEASED if is_pooled else 'daybook-'}{uuid.uuid4()}"
    url = named(bounded(url), process)
    cipher = Cipher(key, older_keys)

    async def configure(conn: AsyncConnection[Any]) -> None:
        # A claim of a limited tool locks its rule for all threads: not longer than this, even if
        # its process is suspended there. What it claimed is rolled back, and was not sent.
        # (The older limit is not kept after a pipeline; servers from 17 on know the other one.)
        limits = ["idle_in_transaction_session_timeout"]
        if conn.info.server_version >= _KNOWS_TRANSACTION_TIMEOUT:
            limits.append("transaction_timeout")
        # Statements here are short, and Postgres guesses some of them to be long: to compile such a
        # one takes longer than to run it.
        named = {"role": ROLE, "daybook.tenant": tenant_id, "jit": "off"}
        named |= dict.fromkeys(limits, "30s")
        await conn.execute(_CONFIGURE, {"names": [*named], "values": [*named.values()]})
        cipher.use(conn)

    try:
        await migrate(url, clock=clock)
        # The pool would try a connection that it cannot configure again and again, and not say why.
        async with await AsyncConnection.connect(url, autocommit=True) as conn:
            await configure(conn)
            await cipher.prove(conn, tenant_id)
    except OperationalError as error:
        raise unavailable(error) from error
    except Error as error:
        raise not_allowed(error, ROLE, READER) from error

    pool: Pool = AsyncConnectionPool(
        url,
        min_size=1,
        max_size=size,
        timeout=_WAIT_SECONDS,
        # Given up soon: an attempt of its own then follows when a connection is asked for, and not
        # after the pauses of the last one, which double each time.
        reconnect_timeout=_WAIT_SECONDS,
        open=False,
        configure=configure,
        # A statement that is prepared stands in a session, which the next one may not have.
        kwargs={
            "autocommit": True,
            "row_factory": dict_row,
            **({"prepare_threshold": None} if is_pooled else {}),
        },
    )
    async with pool:
        postgres = Postgres(
            url,
            pool,
            tenant_id,
            stored_types,
            process,
            lease,
            cipher,
            clock,
            is_pooled,
        )
        try:
            yield postgres
        finally:
            await postgres.memory.close()
            await postgres.locks.close()
