"""What a release's statements meet in the database, kept in tests/fixtures.

`python -m tests.stored_shape FILE` writes that of this release. Do so once, when it is released: the next
one comes up beside it, and may add to it, but take nothing away.
"""

import asyncio
import gzip
import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.checkpoints.migrate import ROLE, migrate

_READ = {
    "called": """
select p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ') returns '
    || pg_get_function_result(p.oid)
from pg_proc p
where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
  and has_function_privilege(%(role)s, p.oid, 'execute')
""",
    "used": """
select format('%%s %%s.%%s', word, c.table_name, c.column_name)
from information_schema.columns c, unnest(array['select', 'insert', 'update']) word
where c.table_schema = 'public' and has_column_privilege(
    %(role)s, format('public.%%I', c.table_name)::regclass, c.column_name, word)
""",
    "deleted": """
select relname from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
  and has_table_privilege(%(role)s, oid, 'delete')
""",
    # ON CONFLICT names the columns of one.
    "unique": """
select format('%%s (%%s)', indrelid::regclass, (
    select string_agg(pg_get_indexdef(indexrelid, n, true), ', ' order by n)
    from generate_series(1, indnkeyatts) n))
from pg_index join pg_class on pg_class.oid = indrelid
where indisunique and relnamespace = 'public'::regnamespace
""",
    "needed": """
select table_name || '.' || column_name from information_schema.columns
where table_schema = 'public' and is_nullable = 'NO' and column_default is null
  and is_identity = 'NO' and is_generated = 'NEVER'
""",
}

Shape = Mapping[str, list[str]]


async def shape_of(conn: psycopg.AsyncConnection[Any]) -> Shape:
    """Read what the application's role may call, read and write, and what each row needs."""
    return {
        what: sorted(
            {one for (one,) in await (await conn.execute(read, {"role": ROLE})).fetchall()}
        )
        for what, read in _READ.items()
    }


def missed(former: Shape, now: Shape) -> list[str]:
    """Say what a former release would miss: what is gone, and what its rows lack."""
    gone = [
        f"{what}: {one}"
        for what in ("called", "used", "deleted", "unique")
        for one in sorted({*former[what]} - {*now[what]})
    ]
    written = {one.split()[1].split(".")[0] for one in former["used"] if one.startswith("insert ")}
    lacking = [
        f"needed: {one}"
        for one in sorted({*now["needed"]} - {*former["needed"]})
        if one.split(".")[0] in written
    ]
    return gone + lacking


async def fresh() -> Shape:
    """Read the shape of a database that this release has made."""
    with tempfile.TemporaryDirectory() as folder, embedded_postgres(Path(folder)) as server:
        await migrate(server.url)
        async with await psycopg.AsyncConnection.connect(server.url, autocommit=True) as conn:
            return await shape_of(conn)


if __name__ == "__main__":
    shape = json.dumps(asyncio.run(fresh()), indent=1)
    Path(sys.argv[1]).write_bytes(gzip.compress(shape.encode(), mtime=0))
