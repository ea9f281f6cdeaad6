"""Copy a thread many times: each copy has names of its own, and a chain that verifies.

A thread that was really brought somewhere is read as JSON, and its names are found in the text, in
that of binary columns too; a copy is the same text with other names, and its chain is hashed anew.
"""

from __future__ import annotations

import json
import random
import re
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb

from daybook.checkpoints.ledger.chain import link
from daybook.state.effects.keys import salted

TABLES = (
    "thread",
    "thread_head",
    "ledger_event",
    "ledger_payload",
    "open_step",
    "read_call",
    "runner",
    "checkpoints",
    "checkpoint_blobs",
    "checkpoint_writes",
)
"""All that a thread has rows in."""

Rows = dict[str, list[dict[str, Any]]]
"""The rows of a thread, by table."""

_CHUNK = 500
_UUIDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DATES = ("at", "deadline_at", "settle_at")
_INTO = sql.SQL("insert into {0} select * from jsonb_populate_recordset(null::{0}, %s)")


@dataclass(frozen=True)
class Template:
    """A thread that is copied.

    Attributes:
        text: its rows as JSON.
        names: its user first, then all ids that a copy has others of.
        until: when its question expires, in each form in which that is written.
    """

    text: str
    names: Sequence[str]
    until: Sequence[str]

    def copy(self, user: str, chance: random.Random, until: datetime | None) -> Rows:
        """Make the rows of a copy.

        Args:
            user: a name as long as the template's.
            until: when the copy's question expires; None: as the template's.
        """
        assert len(user) == len(self.names[0]), "binary columns tell the length of a name"
        names = {old: _another(old, chance) for old in self.names[1:]} | {self.names[0]: user}
        if until is not None:
            names |= dict.fromkeys(self.until, _iso(until))
        # Binary columns are written in hexadecimals.
        names |= {old.encode().hex(): new.encode().hex() for old, new in names.items()}
        longest_first = sorted(names, key=len, reverse=True)
        found = re.compile("|".join(map(re.escape, longest_first)))
        rows: Rows = json.loads(found.sub(lambda match: names[match[0]], self.text))
        _link(rows)
        return rows


def _another(name: str, chance: random.Random) -> str:
    bits = chance.getrandbits(128)
    is_uuid = _UUIDS.fullmatch(name)
    return str(uuid.UUID(int=bits, version=4)) if is_uuid else f"{bits:032x}"[: len(name)]


def _link(rows: Rows) -> None:
    """Hash payloads and entries anew, in the order of the chain."""
    payloads = {one["seq"]: one for one in rows["ledger_payload"]}
    hash_ = b""
    for entry in sorted(rows["ledger_event"], key=lambda one: int(one["seq"])):
        if (payload := payloads.get(entry["seq"])) is not None:
            entry["payload_hash"] = _hex(salted(payload["body"], _bytes(payload["salt"]) or b""))
        dates = {name: _iso(entry[name]) for name in _DATES if entry[name]}
        covered = {**entry, **dates, "payload_hash": _bytes(entry["payload_hash"])}
        hash_ = link(covered, hash_)
        entry["hash"] = _hex(hash_)
    rows["thread_head"][0]["hash"] = _hex(hash_)


async def template_of(
    conn: AsyncConnection[DictRow], thread_id: str, user: str, cart: str
) -> Template:
    """Read a thread that is to be copied.

    Args:
        conn: to its database, as the owner; its sessions write times in UTC.
        cart: the id of its cart, which its checkouts are named after.
    """
    rows: Rows = {}
    for table in TABLES:
        query = sql.SQL("select to_jsonb(t) as row from {} t where thread_id = %s")
        found = await conn.execute(query.format(sql.Identifier(table)), (thread_id,))
        rows[table] = [one["row"] for one in await found.fetchall()]
    entries = rows["ledger_event"]
    plans = {one["plan_id"] for one in entries if one["plan_id"]}
    operations = " ".join(one["op"] or "" for one in entries)
    ids = {thread_id, *_UUIDS.findall(operations), *_UUIDS.findall(cart), *plans}
    until = {one["deadline_at"] for one in entries if one["event"] == "opened"}
    return Template(json.dumps(rows), [user, *sorted(ids)], sorted({*until, *map(_iso, until)}))


async def put(
    conn: AsyncConnection[DictRow],
    template: Template,
    users: Sequence[str],
    chance: random.Random,
    until: datetime | None = None,
) -> list[str]:
    """Write one copy for each user; return their threads.

    Triggers and foreign keys are left out: what is written was let in by them once.

    Args:
        conn: as a superuser.
    """
    threads: list[str] = []
    for first in range(0, len(users), _CHUNK):
        copies = [template.copy(user, chance, until) for user in users[first : first + _CHUNK]]
        async with conn.transaction():
            await conn.execute("set local session_replication_role = replica")
            for table in TABLES:
                rows = [row for one in copies for row in one[table]]
                await conn.execute(_INTO.format(sql.Identifier(table)), (Jsonb(rows),))
        threads += [one["thread"][0]["thread_id"] for one in copies]
    return threads


@asynccontextmanager
async def as_owner(url: str) -> AsyncIterator[AsyncConnection[DictRow]]:
    """Connect to a database as its owner, who sees every row and writes times in UTC."""
    async with await AsyncConnection.connect(url, autocommit=True, row_factory=dict_row) as conn:
        await conn.execute("set timezone to 'UTC'")
        await conn.execute("set search_path to daybook")
        yield conn


def _iso(at: str | datetime) -> str:
    """Write a time as the chain does."""
    date = datetime.fromisoformat(at) if isinstance(at, str) else at
    return date.astimezone(UTC).isoformat(timespec="microseconds")


def _bytes(written: str | None) -> bytes | None:
    return bytes.fromhex(written[2:]) if written else None


def _hex(value: bytes) -> str:
    return rf"\x{value.hex()}"
