"""What is known of people, across their threads: kept in LangGraph's Postgres store.

One item a subject, in a namespace of the tenant and the person. With a key values are sealed, and
the subject, by which an item is found, is a blind index.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from urllib.parse import quote

from langgraph.store.base import PutOp
from langgraph.store.postgres.aio import AsyncPostgresStore
from psycopg import AsyncCursor
from psycopg.rows import DictRow

from daybook.checkpoints.encryption import Cipher
from daybook.checkpoints.people.lessons import LESSONS
from daybook.checkpoints.pool import Pool
from daybook.checkpoints.runs.fence import fenced
from daybook.checkpoints.runs.runners import Runners
from daybook.checkpoints.statements import statements
from daybook.state.effects.keys import storable
from daybook.state.people.facts import Fact, ordered, subject_of
from daybook.state.prompt.lessons import Lesson

_SQL = statements("memory.sql")

_ROOT = "memory"


_told_in: ContextVar[str | None] = ContextVar("thread in which it was told", default=None)


class _FencedStore(AsyncPostgresStore):
    """LangGraph's store; what a run of this process writes is fenced as its checkpoints are."""

    def __init__(self, pool: Pool, runners: Runners) -> None:
        super().__init__(pool)
        self._pool = pool
        self._runners = runners

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        """Open a cursor for the base class."""
        thread_id = _told_in.get()
        epoch = self._runners.epoch_of(thread_id) if thread_id is not None else None
        if thread_id is None or epoch is None:
            async with super()._cursor(pipeline=pipeline) as cursor:
                yield cursor
            return
        async with fenced(self._pool, thread_id, epoch) as cursor:
            yield cursor


class Memory:
    """Keep and find what is known of one tenant's people."""

    def __init__(
        self,
        pool: Pool,
        tenant_id: str,
        cipher: Cipher,
        runners: Runners,
    ) -> None:
        self._pool = pool
        self._tenant_id = tenant_id
        self._cipher = cipher
        self._store = _FencedStore(pool, runners)

    async def of(self, user_id: str) -> tuple[Fact, ...]:
        """Return what is known of a person, in the order in which it was said."""
        async with self._pool.connection() as conn:
            found = await conn.execute(_SQL["facts"], self._place(user_id))
            return _facts(await found.fetchall())

    async def count(self, user_id: str) -> int:
        """Return how many facts are known of a person."""
        return len(await self.of(user_id))

    async def at_turn(self, user_id: str) -> tuple[tuple[Fact, ...], tuple[Lesson, ...]]:
        """Return what is known of a person, and the lessons that live: one round trip."""
        async with self._pool.connection() as conn, conn.pipeline():
            facts = await conn.execute(_SQL["facts"], self._place(user_id))
            lessons = await conn.execute(LESSONS["live"])
            learnt = tuple(Lesson(**row) for row in await lessons.fetchall())
            return _facts(await facts.fetchall()), learnt

    async def put(self, user_id: str, fact: Fact, *, told_in: str | None = None) -> None:
        """Remember a fact in the place of an earlier one on its subject; again changes nothing.

        Args:
            told_in: the thread whose run remembers it; None outside of a run.

        Raises:
            TakenOver: another process runs that thread by now, or it was erased.
        """
        namespace = self._namespace(user_id)
        found_by, *before = self._cipher.blinded(fact.subject)
        value = self._cipher.sealed(storable(fact.model_dump(mode="json")))
        # What was kept in the clear, or by another key, goes with the same commit.
        gone = {fact.subject, *before} - {found_by}
        clear = [PutOp(namespace, key, None) for key in sorted(gone)]
        with _telling(told_in):
            await self._store.abatch([*clear, PutOp(namespace, found_by, value)])

    async def forget(self, user_id: str, subject: str, *, told_in: str | None = None) -> bool:
        """Forget what is known on a subject; tell whether anything was. Again changes nothing.

        Args:
            told_in: the thread whose run forgets it; None outside of a run.

        Raises:
            TakenOver: another process runs that thread by now, or it was erased.
        """
        about = subject_of(subject)
        there = any(fact.subject == about for fact in await self.of(user_id))
        namespace = self._namespace(user_id)
        keys = {about, *self._cipher.blinded(about)}
        with _telling(told_in):
            await self._store.abatch([PutOp(namespace, key, None) for key in sorted(keys)])
        return there

    async def forget_all(self, user_id: str) -> int:
        """Forget all that is known of a person, and return how many facts there were."""
        async with self._pool.connection() as conn:
            gone = await conn.execute(_SQL["forget_all"], self._place(user_id))
            return len(await gone.fetchall())

    async def close(self) -> None:
        """End the store's background task, which collects calls that are not made here."""
        if (task := self._store._task) is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def _namespace(self, user_id: str) -> tuple[str, ...]:
        return namespace_of(self._tenant_id, user_id)

    def _place(self, user_id: str) -> dict[str, str]:
        return {"prefix": prefix_of(self._tenant_id, user_id)}


@contextmanager
def _telling(thread_id: str | None) -> Iterator[None]:
    """Say for the length of the block in which thread it is told."""
    token = _told_in.set(thread_id)
    try:
        yield
    finally:
        _told_in.reset(token)


def namespace_of(tenant_id: str, user_id: str) -> tuple[str, ...]:
    """Return the namespace of a person's facts.

    The store writes it with dots between its parts, which ids may hold: they are escaped.
    """
    return (_ROOT, _escaped(tenant_id), _escaped(user_id))


def prefix_of(tenant_id: str, user_id: str) -> str:
    """Return a person's namespace as the column `prefix` of the store holds it."""
    return ".".join(namespace_of(tenant_id, user_id))


def _escaped(part: str) -> str:
    return quote(part, safe="").replace(".", "%2E")


def _facts(rows: list[DictRow]) -> tuple[Fact, ...]:
    # Two of one subject where one was stored before a key was set: the later word counts.
    facts = ordered(tuple(Fact.model_validate(row["value"]) for row in rows))
    return ordered(tuple({fact.subject: fact for fact in facts}.values()))
