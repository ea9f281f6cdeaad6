"""The worlds: each a copy of the same database, with a log of what was executed in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
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
    """The tables of `db.json`, and its text as it is hashed.

    Args:
        path: of the file, whose order of keys counts.
    """

    def __init__(self, path: Path) -> None:
        self.tables: dict[Table, dict[str, Record]] = json.loads(path.read_text(encoding="utf-8"))
        self._places: dict[tuple[Table, str], tuple[int, int]] = {}
        self._text = self._written()

    def sha256(self, changed: Changed) -> str:
        """Hash a world's whole database; the records that did not change are not written anew."""
        text, done, hashed = memoryview(self._text), 0, hashlib.sha256()
        for place in sorted(changed, key=self._places.__getitem__):
            begins, ends = self._places[place]
            hashed.update(text[done:begins])
            hashed.update(canonical(changed[place]).encode())
            done = ends
        hashed.update(text[done:])
        return hashed.hexdigest()

    def _written(self) -> bytes:
        """Write the whole database, and note where in it each record stands."""
        text = bytearray(b"{")
        for table in _TABLES:
            text += f'"{table}":{{'.encode()
            for key in sorted(self.tables[table]):
                text += f"{canonical(key)}:".encode()
                record = canonical(self.tables[table][key]).encode()
                self._places[table, key] = len(text), len(text) + len(record)
                text += record + b","
            text[-1:] = b"},"
        text[-1:] = b"}"
        return bytes(text)


class Overlay:
    """Give the records of one world: the base, and what changed (`records.Tables`)."""

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


@dataclass(frozen=True)
class Written:
    """The answer to a write.

    Attributes:
        is_refused: nothing was changed.
    """

    text: str
    is_refused: bool


@dataclass
class World:
    """One world.

    Attributes:
        changed: its records that are not those of the base.
        executions: writes that were executed, refused ones too, in order; nothing is ever removed.
        repeats: writes that were answered by their key.
        is_armed: its reads are away.
    """

    changed: dict[tuple[Table, str], Record] = field(default_factory=dict)
    executions: list[dict[str, Any]] = field(default_factory=list)
    repeats: int = 0
    reads: int = 0
    is_armed: bool = False

    def under(self, key: str) -> dict[str, Any] | None:
        """Return what was executed under a key."""
        return next((one for one in self.executions if one["key"] == key), None)


class Worlds:
    """Keep the worlds in memory. Called by one thread, so that one call follows another."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._worlds: dict[str, World] = {}

    def open(self, name: str) -> None:
        """Begin a world; one that is there stays as it is."""
        self._worlds.setdefault(name, World())

    def drop(self, name: str) -> None:
        """Forget a world, if it is there."""
        self._worlds.pop(name, None)

    def world(self, name: str) -> World:
        """Return a world.

        Raises:
            NoWorld: it is not there.
        """
        if name not in self._worlds:
            raise NoWorld(name)
        return self._worlds[name]

    def read(self, name: str, tool: str, args: Mapping[str, Any]) -> str:
        """Answer a read, and count it.

        Raises:
            NoWorld: it is not there.
        """
        world = self.world(name)
        world.reads += 1
        return answered(tool, Overlay(self._base, world.changed), args).text

    def write(self, name: str, tool: str, args: Mapping[str, Any], key: str | None) -> Written:
        """Execute a write and log it; under a key that came before, answer what was answered then.

        Raises:
            NoWorld: it is not there.
            KeyReused: the key came before with another call.
        """
        world = self.world(name)
        if key is not None and (before := world.under(key)) is not None:
            if (before["tool"], before["args"]) != (tool, args):
                raise KeyReused
            world.repeats += 1
            return Written(before["text"], before["text"].startswith(ERROR))
        tables = Overlay(self._base, world.changed)
        answer = answered(tool, tables, args)
        world.executions.append(
            {
                "n": len(world.executions) + 1,
                "tool": tool,
                "args": args,
                "key": key,
                "text": answer.text,
                "changed": any(tables.differs(*put) for put in answer.puts),
            }
        )
        world.changed |= {(table, of): record for table, of, record in answer.puts}
        return Written(answer.text, answer.text.startswith(ERROR))

    def executions(self, name: str, key: str) -> list[dict[str, Any]]:
        """Return what was done under a key, and not refused.

        Raises:
            NoWorld: it is not there.
        """
        found = self.world(name).under(key)
        if found is None or found["text"].startswith(ERROR):
            return []
        return [{"text": found["text"], "key": key}]

    def log(self, name: str) -> dict[str, Any]:
        """Return all that was executed, in order, and how often nothing was.

        Raises:
            NoWorld: it is not there.
        """
        world = self.world(name)
        return {"executions": world.executions, "repeats": world.repeats, "reads": world.reads}

    def sha256(self, name: str) -> str:
        """Hash the whole database of a world.

        Raises:
            NoWorld: it is not there.
        """
        return self._base.sha256(self.world(name).changed)
