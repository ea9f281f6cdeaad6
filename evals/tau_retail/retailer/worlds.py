"""The worlds, each a copy of the same database with a log of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias

from evals.tau_retail.retailer.calls import ERROR, answered
from evals.tau_retail.retailer.rules import Record, Table

Changed: TypeAlias = Mapping[tuple[Table, str], Record]
"""The records of a world that are not those of the base."""

_TABLES: tuple[Table, ...] = ("orders", "products", "users")
"""Sorted, as the hash is."""


class NoWorld(Exception):
    """There is no world of that name."""


class KeyReused(Exception):
    """Refuse a key that came before with another call; nothing was executed."""


class Base:
    """The tables of `db.json`, and their texts as they are hashed.

    Args:
        path: of the file, whose order of keys counts.
    """

    def __init__(self, path: Path) -> None:
        self.tables: dict[Table, dict[str, Record]] = json.loads(path.read_text(encoding="utf-8"))
        self._texts = {
            (table, key): canonical(record)
            for table in _TABLES
            for key, record in sorted(self.tables[table].items())
        }

    def sha256(self, changed: Changed) -> str:
        """Hash a world's whole database; the records that did not change are not written anew."""
        texts = self._texts | {place: canonical(record) for place, record in changed.items()}
        rows: dict[Table, list[str]] = {table: [] for table in _TABLES}
        for (table, key), text in texts.items():
            rows[table].append(f"{canonical(key)}:{text}")
        tables = (f'"{table}":{{{",".join(some)}}}' for table, some in rows.items())
        return hashlib.sha256(f"{{{','.join(tables)}}}".encode()).hexdigest()


class Overlay:
    """Give the records of one world: the base, and what changed (`rules.Tables`)."""

    def __init__(self, base: Base, changed: Changed) -> None:
        self._base = base
        self.changed = changed

    def find(self, table: Table, key: Any) -> Record | None:
        """Return a record, or None.

        Raises:
            TypeError: the key is a list or an object.
        """
        return self.changed.get((table, key)) or self._base.tables[table].get(key)

    def all(self, table: Table) -> Iterator[tuple[str, Record]]:
        """Return keys and records in the order of the table."""
        for key, record in self._base.tables[table].items():
            yield key, self.changed.get((table, key), record)

    def differs(self, table: Table, key: str, record: Record) -> bool:
        """Tell whether a record would change the world; the order of its keys is no matter."""
        return canonical(self.find(table, key)) != canonical(record)


def canonical(value: Any) -> str:
    """Write a value as it is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass
class World:
    """One world.

    Attributes:
        changed: its records that are not those of the base.
        executions: writes that were executed, refused ones too, in order; nothing is ever removed.
        repeats: writes that were answered by their key.
        is_away: its reads fail, and do nothing.
    """

    changed: dict[tuple[Table, str], Record] = field(default_factory=dict)
    executions: list[dict[str, Any]] = field(default_factory=list)
    repeats: int = 0
    reads: int = 0
    is_away: bool = False

    def under(self, key: str) -> dict[str, Any] | None:
        """Return what was executed under a key."""
        return next((one for one in self.executions if one["key"] == key), None)


class Worlds:
    """Keep the worlds in memory; all raise `NoWorld` where one is not there."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._worlds: dict[str, World] = {}
        self._lock = Lock()

    def begin(self, name: str) -> None:
        """Make a world, fresh; one that is there already is made anew."""
        self._worlds[name] = World()

    def end(self, name: str) -> None:
        """Forget a world."""
        del self._worlds[name]

    def world(self, name: str) -> World:
        """Return a world."""
        if name not in self._worlds:
            raise NoWorld(name)
        return self._worlds[name]

    def sha256(self, name: str) -> str:
        """Hash the whole database of a world, as `final_db_sha256` is made."""
        return self._base.sha256(self.world(name).changed)

    def read(self, name: str, tool: str, args: Mapping[str, Any]) -> str:
        """Answer a read, and count it."""
        world = self.world(name)
        world.reads += 1
        return answered(tool, Overlay(self._base, world.changed), args).text

    def write(self, name: str, tool: str, args: Mapping[str, Any], key: str) -> str:
        """Execute a write and log it; under a key that came before, answer what was answered then.

        Raises:
            KeyReused: the key came before with another call.
        """
        world = self.world(name)
        with self._lock:
            if key and (before := world.under(key)) is not None:
                if (before["tool"], before["args"]) != (tool, args):
                    raise KeyReused
                world.repeats += 1
                return str(before["text"])
            tables = Overlay(self._base, world.changed)
            answer = answered(tool, tables, args)
            changed = any(tables.differs(*put) for put in answer.puts)
            about = {"tool": tool, "args": args, "key": key, "text": answer.text}
            world.executions.append({**about, "changed": changed})
            world.changed |= {(table, of): record for table, of, record in answer.puts}
            return answer.text

    def found(self, name: str, key: str) -> list[dict[str, Any]]:
        """Return what was done under a key, and not refused."""
        found = self.world(name).under(key)
        if found is None or is_refused(found["text"]):
            return []
        return [{"text": found["text"], "key": key}]


def is_refused(text: str) -> bool:
    """Tell whether a call was refused, by its text: nothing was changed then."""
    return text.startswith(ERROR)
