"""The database that every world begins with, and the hash of one that differs in a few records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from evals.tau_retail.retailer.records import Record, Table

Changed: TypeAlias = Mapping[tuple[Table, str], Record]
"""The records of a world that are not those of the base."""

_TABLES: tuple[Table, ...] = ("orders", "products", "users")
"""Sorted, as the hash is."""


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
