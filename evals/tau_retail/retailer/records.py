"""What the rules work on: records by table and key, and what a call comes to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

Record: TypeAlias = dict[str, Any]
Table: TypeAlias = Literal["orders", "products", "users"]
Put: TypeAlias = tuple[Table, str, Record]


class Tables(Protocol):
    """Give the records of one world. They are shared: whoever changes one copies it first."""

    def find(self, table: Table, key: Any) -> Record | None:
        """Return a record, or None.

        Raises:
            TypeError: the key is a list or an object.
        """

    def all(self, table: Table) -> Iterator[tuple[str, Record]]:
        """Return keys and records in the order of the table."""


@dataclass(frozen=True)
class Answer:
    """What a call comes to.

    Attributes:
        text: for the model.
        puts: records that take the place of those under their keys.
    """

    text: str
    puts: tuple[Put, ...] = ()


class Refused(Exception):
    """Refuse a call: nothing is changed. Its text is that of the answer, without `Error: `."""


def shown(record: Any) -> str:
    """Write a record as a result shows it: keys in their stored order, ASCII."""
    return json.dumps(record)


def found(tables: Tables, table: Table, key: Any) -> Record:
    """Return a record.

    Raises:
        Refused: there is none under the key.
        TypeError: the key is a list or an object.
    """
    record = tables.find(table, key)
    if record is None:
        raise Refused(f"{table.removesuffix('s')} not found")
    return record
