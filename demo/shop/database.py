"""The shop's file: one connection, one transaction at a time, and its initial data."""

import asyncio
import json
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from daybook.demo.shop import people
from daybook.demo.shop.catalogue import PRODUCTS, SEED

SCHEMA = Path(__file__).with_name("schema.sql")
SCHEMA_VERSION = 1

T = TypeVar("T")


class Database:
    """Keep the shop's SQLite file: one connection, used by one thread, one transaction at a time.

    The single thread is what makes "check the stock, then take it" safe without further locks,
    and it keeps the disk's waiting out of the event loop.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="shop-database")
        self._connection: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Open the file, and create and seed it when it is new.

        Raises RuntimeError when the file was written by another version of the schema.
        """
        loop = asyncio.get_running_loop()
        self._connection = await loop.run_in_executor(self._thread, connect, self._path)

    async def transact(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in one transaction: all of it is durable when this returns, or none."""
        connection = self._connection
        if connection is None:
            raise RuntimeError("the database is not open")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, in_transaction, connection, work)

    async def close(self) -> None:
        """Finish what is running and close the file."""
        connection, self._connection = self._connection, None
        if connection is not None:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, connection.close)
        self._thread.shutdown()


def connect(path: Path) -> sqlite3.Connection:
    """Open the file at `path` so that a committed effect survives a power cut.

    Raises RuntimeError when the file was written by another version of the schema.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None, timeout=10)
    connection.row_factory = sqlite3.Row
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("pragma foreign_keys = on")
    version = connection.execute("pragma user_version").fetchone()[0]
    if version == 0:
        create(connection)
    elif version != SCHEMA_VERSION:
        connection.close()
        raise RuntimeError(f"{path} has schema version {version}, this shop reads {SCHEMA_VERSION}")
    if shop_id(connection) == 0:
        connection.execute(f"pragma application_id = {secrets.randbelow(2**31 - 1) + 1}")
    return connection


def shop_id(connection: sqlite3.Connection) -> int:
    """Return what tells this shop from every other one; it stays with the file."""
    (number,) = connection.execute("pragma application_id").fetchone()
    return int(number)


def create(connection: sqlite3.Connection) -> None:
    """Create the tables and the seeded rows in one transaction: killed halfway, nothing stands."""
    connection.executescript(f"begin immediate;\n{SCHEMA.read_text(encoding='utf-8')}")
    seed(connection)
    connection.execute(f"pragma user_version = {SCHEMA_VERSION}")
    connection.execute("commit")


def in_transaction(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    """Run `work` between begin and commit; roll back and raise again when it raises."""
    connection.execute("begin immediate")
    try:
        result = work(connection)
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")
    return result


def reset(connection: sqlite3.Connection, sells: Sequence[str] = ()) -> None:
    """Bring every table back to the seeded state; `sells` as in `keep`.

    Ids go on where they were: whoever keeps books keeps them by ids, and one that names a second
    effect is taken for a service gone wrong.
    """
    connection.execute("pragma defer_foreign_keys = on")
    tables = connection.execute(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
        " and name <> 'ucp_key'"
    ).fetchall()
    for (table,) in tables:
        connection.execute(f"delete from {table}")
    connection.execute("delete from sqlite_sequence where name = 'effect'")
    seed(connection)
    keep(connection, sells)


def keep(connection: sqlite3.Connection, sells: Sequence[str]) -> None:
    """Leave the products of some categories alone; where none is named, all of them."""
    if sells:
        named = ", ".join("?" * len(sells))
        others = f"select sku from product where category not in ({named})"
        connection.execute(f"delete from review where sku in ({others})", [*sells])
        connection.execute(f"delete from product where sku in ({others})", [*sells])


def seed(connection: sqlite3.Connection) -> None:
    """Fill empty tables with the catalogue and the people that every shop starts with."""
    connection.executemany(
        "insert into product (sku, category, name, brand, description, attributes, price, stock)"
        " values (:sku, :category, :name, :brand, :description, :attributes, :price, :stock)",
        ({**one, "attributes": json.dumps(one["attributes"])} for one in PRODUCTS),
    )
    connection.executemany(
        "insert into review (sku, author, rating, title, text)"
        " values (:sku, :author, :rating, :title, :text)",
        (review for product in PRODUCTS for review in product["reviews"]),
    )
    for person in SEED["people"]:
        people.insert(connection, person)
