"""The worlds: each a copy of the same database, with a log of what was executed in it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evals.tau_retail.retailer.base import Base, Changed, Overlay
from evals.tau_retail.retailer.calls import ERROR, answered
from evals.tau_retail.retailer.database import transaction
from evals.tau_retail.retailer.records import Answer


class NoWorld(Exception):
    """There is no world of that name."""


class KeyReused(Exception):
    """Refuse a key that came before with another call; nothing was executed."""


@dataclass(frozen=True)
class Written:
    """The answer to a write.

    Attributes:
        is_refused: nothing was changed.
    """

    text: str
    is_refused: bool


class Worlds:
    """Keep the worlds in a file. Called by one thread, so that one call follows another."""

    def __init__(self, connection: sqlite3.Connection, base: Base) -> None:
        self._connection = connection
        self._base = base

    def open(self, name: str) -> None:
        """Begin a world; one that is there stays as it is."""
        self._connection.execute("insert or ignore into world (name) values (?)", (name,))

    def drop(self, name: str) -> None:
        """Forget a world and its name, if it is there. Its log stays in the file."""
        with transaction(self._connection):
            self._connection.execute(
                "delete from record where world in (select id from world where name = ?)", (name,)
            )
            self._connection.execute("delete from world where name = ?", (name,))

    def is_armed(self, name: str) -> bool:
        """Tell whether the reads of a world are away.

        Raises:
            NoWorld: it is not there.
        """
        return bool(self._world(name)["is_armed"])

    def arm(self, name: str, armed: bool) -> None:
        """Let the reads of a world be away, or be there again.

        Raises:
            NoWorld: it is not there.
        """
        world = self._world(name)["id"]
        self._connection.execute("update world set is_armed = ? where id = ?", (armed, world))

    def read(self, name: str, tool: str, args: Mapping[str, Any]) -> str:
        """Answer a read, and count it.

        Raises:
            NoWorld: it is not there.
        """
        world = self._world(name)["id"]
        self._connection.execute("update world set reads = reads + 1 where id = ?", (world,))
        return answered(tool, self._tables(world), args).text

    def write(self, name: str, tool: str, args: Mapping[str, Any], key: str | None) -> Written:
        """Execute a write and log it; under a key that came before, answer what was answered then.

        Raises:
            NoWorld: it is not there.
            KeyReused: the key came before with another call.
        """
        with transaction(self._connection):
            world = self._world(name)["id"]
            if key is not None and (before := self._under(world, key)) is not None:
                if (before["tool"], json.loads(before["args"])) != (tool, args):
                    raise KeyReused
                self._connection.execute(
                    "update world set repeats = repeats + 1 where id = ?", (world,)
                )
                return Written(before["text"], bool(before["refused"]))
            tables = self._tables(world)
            answer = answered(tool, tables, args)
            changes = [put for put in answer.puts if tables.differs(*put)]
            refused = answer.text.startswith(ERROR)
            self._connection.execute(
                "insert into execution (world, tool, args, key, text, changed, refused)"
                " values (?, ?, ?, ?, ?, ?, ?)",
                (world, tool, json.dumps(args), key, answer.text, bool(changes), refused),
            )
            self._put(world, answer)
            return Written(answer.text, refused)

    def executions(self, name: str, key: str) -> list[dict[str, Any]]:
        """Return what was done under a key, and not refused.

        Raises:
            NoWorld: it is not there.
        """
        row = self._under(self._world(name)["id"], key)
        return [{"text": row["text"], "key": key}] if row is not None and not row["refused"] else []

    def log(self, name: str) -> dict[str, Any]:
        """Return all that was executed, in order, and how often nothing was.

        Raises:
            NoWorld: it is not there.
        """
        world = self._world(name)
        rows = self._connection.execute(
            "select * from execution where world = ? order by n", (world["id"],)
        )
        executions = [
            {
                "n": n,
                "tool": row["tool"],
                "args": json.loads(row["args"]),
                "key": row["key"],
                "text": row["text"],
                "changed": bool(row["changed"]),
            }
            for n, row in enumerate(rows, 1)
        ]
        return {"executions": executions, "repeats": world["repeats"], "reads": world["reads"]}

    def sha256(self, name: str) -> str:
        """Hash the whole database of a world.

        Raises:
            NoWorld: it is not there.
        """
        return self._base.sha256(self._changed(self._world(name)["id"]))

    def _world(self, name: str) -> sqlite3.Row:
        row: sqlite3.Row | None = self._connection.execute(
            "select * from world where name = ?", (name,)
        ).fetchone()
        if row is None:
            raise NoWorld(name)
        return row

    def _under(self, world: int, key: str) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._connection.execute(
            "select * from execution where world = ? and key = ?", (world, key)
        ).fetchone()
        return row

    def _tables(self, world: int) -> Overlay:
        return Overlay(self._base, self._changed(world))

    def _changed(self, world: int) -> Changed:
        rows = self._connection.execute(
            "select table_name, key, body from record where world = ?", (world,)
        )
        return {(row["table_name"], row["key"]): json.loads(row["body"]) for row in rows}

    def _put(self, world: int, answer: Answer) -> None:
        self._connection.executemany(
            "insert or replace into record (world, table_name, key, body) values (?, ?, ?, ?)",
            [(world, table, key, json.dumps(record)) for table, key, record in answer.puts],
        )
