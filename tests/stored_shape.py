"""What a release's statements meet in the database, kept in tests/fixtures/commits/<commit>.

`python -m tests.stored_shape` prints that of this release. Do so once, when it is released: the next
one comes up beside it, and may add to it, but take nothing away.
"""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

import psycopg

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.checkpoints.migrate import ROLE, migrate

_READ = {
    # An overload with more arguments, all with defaults, would serve too; nothing here has one.
    "functions": """
select p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ') returns '
    || pg_get_function_result(p.oid)
from pg_proc p
where p.pronamespace = 'public'::regnamespace and has_function_privilege(%(role)s, p.oid, 'execute')
""",
    "columns": """
select format('%%s %%s.%%s', word, c.table_name, c.column_name)
from information_schema.columns c, unnest(array['select', 'insert', 'update']) word
where c.table_schema = 'public' and has_column_privilege(
    %(role)s, format('public.%%I', c.table_name)::regclass, c.column_name, word)
""",
    "rows": """
select 'delete ' || relname from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
  and has_table_privilege(%(role)s, oid, 'delete')
""",
    # ON CONFLICT names the columns of one.
    "keys": """
select format('%%s (%%s)', indrelid::regclass, (
    select string_agg(pg_get_indexdef(indexrelid, n, true), ', ' order by n)
    from generate_series(1, indnkeyatts) n))
from pg_index join pg_class on pg_class.oid = indrelid
where indisunique and relnamespace = 'public'::regnamespace
""",
}

_WANTED = """
select table_name || '.' || column_name from information_schema.columns
where table_schema = 'public' and is_nullable = 'NO' and column_default is null
  and is_identity = 'NO' and is_generated = 'NEVER'
"""

Shape = dict[str, list[str]]


async def shape_of(conn: psycopg.AsyncConnection[Any]) -> Shape:
    """Read what the application's role may call, read and write, and by which keys."""
    return {
        what: sorted({one for (one,) in await (await conn.execute(read, {"role": ROLE})).fetchall()})
        for what, read in _READ.items()
    }


async def wanted_by(conn: psycopg.AsyncConnection[Any]) -> set[str]:
    """Read which columns have to be written in every new row."""
    return {one for (one,) in await (await conn.execute(_WANTED)).fetchall()}


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder, embedded_postgres(Path(folder)) as server:
        await migrate(server.url)
        async with await psycopg.AsyncConnection.connect(server.url, autocommit=True) as conn:
            shape = await shape_of(conn) | {"wanted": sorted(await wanted_by(conn))}
    print(json.dumps(shape, indent=1))


if __name__ == "__main__":
    asyncio.run(main())
