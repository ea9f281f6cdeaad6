"""`daybook lessons` as a command."""

import psycopg

from daybook.checkpoints.postgres import Postgres
from tests.apart.test_cli import Terminal, terminal
from tests.integration.test_lessons_kept import a_lesson, happened

__all__ = ["terminal"]


async def begun_by_two(postgres_url: str) -> None:
    """Open a thread of one person, and one of another."""
    async with await psycopg.AsyncConnection.connect(postgres_url) as conn:
        await conn.execute("set daybook.tenant = 'default'")
        await conn.execute(
            "insert into thread (thread_id, tenant_id, user_id) "
            "values ('t-0', 'default', 'ada'), ('t-1', 'default', 'ben')"
        )


async def test_the_command_lists_them_and_retires_by_hand(
    postgres: Postgres, postgres_url: str, terminal: Terminal
):
    out, err, code = terminal.run("lessons")
    assert "Nothing was learnt yet" in out
    await begun_by_two(postgres_url)
    for number in range(3):
        thread = f"t-{number % 2}"
        await postgres.lessons.count(a_lesson(), happened(f"0.{number}", thread=thread))
    await postgres.lessons.count(a_lesson(error="too soon"), happened("0.7"))
    out, err, code = terminal.run("lessons")
    assert (err, code) == ("", 0)
    assert "no luck" in out
    assert "where it applies" in out
    assert "not yet" in out
    assert "t-1" in out
    out, err, code = terminal.run("lessons", "drop", "checkout", "--error", "no luck")
    assert out.strip() == "Retired: checkout at shopping: no luck"
    out, _, _ = terminal.run("lessons")
    assert "retired" in out
    out, err, code = terminal.run("lessons", "drop", "nothing")
    assert code == 1
    assert "No lesson of nothing is shown" in err
    assert len(await postgres.lessons.all()) == 2
