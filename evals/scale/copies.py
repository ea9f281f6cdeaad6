"""Copy a thread many times: each copy has names of its own, and a chain that verifies.

A thread that was really brought somewhere is read as Postgres writes it, and its names are found in
the text, in that of binary columns too; a copy is the same text with other names. What is hashed
over them (payloads, entries) is hashed anew, in the order of the chain.
"""

from __future__ import annotations

import hashlib
import random
import re
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow, dict_row

from daybook.checkpoints.ledger.chain import COVERED
from daybook.state.effects.keys import canonical

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

_CHUNK = 500
_ISO, _TOLD = "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%d %H:%M:%S.%f"
_ENTRIES = """
select e.*, p.salt, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %s order by e.seq
"""
_COLUMNS = """
select column_name::text as name from information_schema.columns
where table_schema = 'daybook' and table_name = %s order by ordinal_position
"""


class _Text:
    """A text with the places of the names that change in it, as they are or in hexadecimals."""

    def __init__(self, text: str, names: Sequence[str]) -> None:
        plain = {name: at for at, name in enumerate(names)}
        hexed = {name.encode().hex(): at for at, name in enumerate(names)}
        longest_first = sorted({*plain, *hexed}, key=len, reverse=True)
        self._parts: list[str] = []
        self._named: list[tuple[int, bool]] = []
        end = 0
        for match in re.finditer("|".join(map(re.escape, longest_first)), text):
            self._parts.append(text[end : match.start()])
            is_hexed = match[0] not in plain
            self._named.append(((hexed if is_hexed else plain)[match[0]], is_hexed))
            end = match.end()
        self._rest = text[end:]

    def with_names(self, names: Sequence[str]) -> str:
        out: list[str] = []
        for part, (at, is_hexed) in zip(self._parts, self._named, strict=True):
            out += (part, names[at].encode().hex() if is_hexed else names[at])
        return "".join((*out, self._rest))


@dataclass(frozen=True)
class _Entry:
    """An entry of the chain, as it is hashed; its hash and its payload's by their places."""

    covered: _Text
    hash: int
    body: _Text
    salt: bytes
    payload_hash: int | None


@dataclass(frozen=True)
class Template:
    """A thread that is copied.

    Attributes:
        names: the thread's id, its user, other ids, times, and from `hashes` on hashes.
        plans: which of them name plans.
        until: which of them say when its question expires, and in which form.
    """

    names: Sequence[str]
    plans: frozenset[int]
    until: Sequence[tuple[int, str]]
    tables: Mapping[str, tuple[Sequence[str], _Text]]
    entries: Sequence[_Entry]
    hashes: int

    def named(self, user: str, chance: random.Random, until: datetime | None) -> list[str]:
        """Name everything of one copy, and hash its chain.

        Args:
            user: a name as long as the template's.
            until: when the copy's question expires; None: as the template's.
        """
        assert len(user) == len(self.names[1]), "binary columns tell the length of a name"
        names = [*self.names]
        names[1] = user
        for at in (0, *range(2, self.hashes - len(self.until))):
            bits = chance.getrandbits(128)
            names[at] = (
                f"{bits:032x}"[:24] if at in self.plans else str(uuid.UUID(int=bits, version=4))
            )
        for at, form in self.until:
            names[at] = until.strftime(form) if until is not None else names[at]
        before = b""
        for entry in self.entries:
            if entry.payload_hash is not None:
                body = entry.body.with_names(names).encode()
                names[entry.payload_hash] = hashlib.sha256(entry.salt + body).hexdigest()
            linked = hashlib.sha256(before + entry.covered.with_names(names).encode())
            names[entry.hash], before = linked.hexdigest(), linked.digest()
        return names


async def template_of(
    conn: AsyncConnection[DictRow], thread_id: str, user: str, cart: str
) -> Template:
    """Read a thread that is to be copied.

    Args:
        conn: to its database, as the owner; its sessions write times in UTC.
        cart: the id of its cart, which its checkouts are named after.
    """
    entries = await (await conn.execute(_ENTRIES, (thread_id,))).fetchall()
    plans = {one["plan_id"] for one in entries if one["plan_id"]}
    ids = {uuid_ for one in entries if one["op"] for uuid_ in _UUIDS.findall(one["op"])}
    until = {one["deadline_at"].astimezone(UTC) for one in entries if one["event"] == "opened"}
    names = [thread_id, user, *sorted({*ids, *_UUIDS.findall(cart)}), *sorted(plans)]
    first_plan = len(names) - len(plans)
    plan_places = frozenset(range(first_plan, len(names)))
    times: list[tuple[int, str]] = []
    for at in until:
        # As the chain and the question write it, and as Postgres does.
        for form, written in ((_ISO, at.strftime(_ISO)), (_TOLD, at.strftime(_TOLD).rstrip("0"))):
            times.append((len(names), form))
            names.append(written)
    hashes = len(names)
    for one in entries:
        names.append(bytes(one["hash"]).hex())
        if one["payload_hash"] is not None:
            names.append(bytes(one["payload_hash"]).hex())
    place = {name: at for at, name in enumerate(names)}
    chain = [
        _Entry(
            covered=_Text(canonical({name: _plain(one[name]) for name in COVERED}), names),
            hash=place[bytes(one["hash"]).hex()],
            body=_Text(canonical(one["payload"]), names),
            salt=bytes(one["salt"] or b""),
            payload_hash=place[bytes(one["payload_hash"]).hex()] if one["payload_hash"] else None,
        )
        for one in entries
    ]
    tables = {table: await _read(conn, table, thread_id, names) for table in TABLES}
    return Template(names, plan_places, times, tables, chain, hashes)


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
        copies = [template.named(user, chance, until) for user in users[first : first + _CHUNK]]
        async with conn.transaction():
            await conn.execute("set local session_replication_role = replica")
            for table, (columns, text) in template.tables.items():
                into = sql.SQL("copy {} ({}) from stdin").format(
                    sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
                )
                async with conn.cursor() as cursor, cursor.copy(into) as copying:
                    for names in copies:
                        await copying.write(text.with_names(names))
        threads += [names[0] for names in copies]
    return threads


@asynccontextmanager
async def as_owner(url: str) -> AsyncIterator[AsyncConnection[DictRow]]:
    """Connect to a database as its owner, who sees every row and writes times in UTC."""
    async with await AsyncConnection.connect(url, autocommit=True, row_factory=dict_row) as conn:
        await conn.execute("set timezone to 'UTC'")
        await conn.execute("set search_path to daybook")
        yield conn


_UUIDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


async def _read(
    conn: AsyncConnection[DictRow], table: str, thread_id: str, names: Sequence[str]
) -> tuple[Sequence[str], _Text]:
    rows = await (await conn.execute(_COLUMNS, (table,))).fetchall()
    columns = [row["name"] for row in rows]
    query = sql.SQL("copy (select {} from {} where thread_id = {}) to stdout").format(
        sql.SQL(", ").join(map(sql.Identifier, columns)),
        sql.Identifier(table),
        sql.Literal(thread_id),
    )
    text = ""
    async with conn.cursor() as cursor, cursor.copy(query) as copying:
        async for part in copying:
            text += bytes(part).decode()
    return columns, _Text(text, names)


def _plain(value: Any) -> Any:
    """Write a value as the chain does."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else value
