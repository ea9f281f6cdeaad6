"""`daybook lessons` as a command."""

import psycopg

from daybook.checkpoints.postgres import Postgres
from tests.apart.test_cli import Terminal, terminal
from tests.integration.test_lessons_kept import occurred

__all__ = ["terminal"]


async def begun_by_two(postgres_url: str) -> None:
    """Open a thread of one user, and one of another."""
    async with await psycopg.AsyncConnection.connect(postgres_url) as conn:
        await conn.execute("set daybook.tenant = 'default'")
        await conn.execute(
            "insert into thread (thread_id, tenant_id, user_id) "
            "values ('t-0', 'default', 'ada'), ('t-1', 'default', 'ben')"
        )


async def test_the_command_lists_lessons_and_retires_them(
    postgres: Postgres, postgres_url: str, terminal: Terminal
):
    out, err, code = terminal.run("lessons")
    assert ("no lessons" in out, code) == (True, 0)
    await begun_by_two(postgres_url)
    for number in range(3):
        await postgres.lessons.count(occurred(f"0.{number}", thread=f"t-{number % 2}"))
    await postgres.lessons.count(occurred("0.7", error="too_soon"))
    out, err, code = terminal.run("lessons")
    assert (err, code) == ("", 0)
    assert "no_luck" in out
    assert "not yet" in out
    out, err, code = terminal.run("lessons", "drop", "checkout", "--error", "no_luck")
    assert out.strip() == "Retired: checkout at shopping: no_luck"
    out, _, _ = terminal.run("lessons")
    assert "retired" in out
    out, err, code = terminal.run("lessons", "drop", "nothing")
    assert code == 1
    assert "no lesson of nothing" in err
    assert len(await postgres.lessons.all()) == 2
