"""Idempotency keys: what is stored under one, and one request at a time per key."""

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

from daybook.demo.shop.clock import stamp
from daybook.demo.shop.faults import Abandoned, Refusal
from daybook.demo.shop.settings import KeyRule

PERFORMED = 201


@dataclass(frozen=True)
class Keyed:
    """Name one keyed request: its endpoint, its key and the hash of what it asks for."""

    endpoint: str
    key: str
    fingerprint: str


@dataclass(frozen=True)
class Answer:
    """Carry what a request is answered with, and whether it is a replay of an earlier answer."""

    status: int
    body: dict[str, Any]
    replayed: bool = False


def fingerprint(body: dict[str, Any]) -> str:
    """Return the same hash for the same fields, in whatever order they were sent."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def perform(connection: sqlite3.Connection, act: Callable[[], dict[str, Any]]) -> Answer:
    """Perform inside the open transaction; a refusal takes back all that it may have written."""
    connection.execute("savepoint act")
    try:
        return Answer(PERFORMED, act())
    except Refusal as refusal:
        connection.execute("rollback to act")
        return Answer(refusal.status, refusal.body)


def once(
    connection: sqlite3.Connection,
    keyed: Keyed,
    rule: KeyRule,
    at: datetime,
    act: Callable[[], Answer],
    *,
    keeps: Callable[[Answer], bool],
    reused: Answer,
) -> Answer:
    """Act unless this key was seen before and is not forgotten; then replay the stored answer.

    The key is stored in the transaction of the effect: a shop that is killed knows both or
    neither. `keeps` tells which answers are stored; `reused` is the answer to a key that is stored
    for another request.
    """
    row = connection.execute(
        "select fingerprint, status, body from idempotency_key"
        " where endpoint = ? and key = ? and stored_at > ?",
        (keyed.endpoint, keyed.key, stamp(at - timedelta(seconds=rule.retention_seconds))),
    ).fetchone()
    if row is not None:
        replayed = Answer(row["status"], json.loads(row["body"]), replayed=True)
        return replayed if row["fingerprint"] == keyed.fingerprint else reused
    answer = act()
    if keeps(answer):
        connection.execute(
            "insert or replace into idempotency_key"
            " (endpoint, key, fingerprint, status, body, stored_at) values (?, ?, ?, ?, ?, ?)",
            (*vars(keyed).values(), answer.status, json.dumps(answer.body), stamp(at)),
        )
    return answer


class Turns:
    """Let one request at a time work on an idempotency key."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def take(self, endpoint: str, key: str, gone: asyncio.Event) -> AsyncIterator[None]:
        """Wait for the turn of this request.

        Raises Abandoned when the caller goes first: a request that nobody waits for any more must
        not be performed long after its connection closed.
        """
        lock = self._locks.setdefault((endpoint, key), asyncio.Lock())
        acquiring = asyncio.ensure_future(lock.acquire())
        leaving = asyncio.ensure_future(gone.wait())
        await asyncio.wait({acquiring, leaving}, return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if not acquiring.done():
            acquiring.cancel()
            raise Abandoned
        try:
            yield
        finally:
            lock.release()
