"""`daybook retention` prints what is due, and erases it when told to."""

from tests.apart.test_cli import Terminal, terminal
from tests.conftest import Agent
from tests.integration.test_retention import CHECKPOINTS, idle_for, kept
from tests.purchases import with_boots

__all__ = ["terminal"]


async def test_retention_prints_what_is_due_and_erases_it_when_told_to(
    agent: Agent, terminal: Terminal, postgres_url: str
):
    talk = await with_boots(agent)
    await idle_for(postgres_url, talk.thread_id, 31)
    out, err, code = terminal.run("retention")
    assert (err, code) == ("", 0)
    assert "DAYBOOK_KEEP_PAYLOADS" in out
    assert "Due in 1 threads, rows: " in out
    assert CHECKPOINTS & await kept(postgres_url, talk.thread_id)
    out, err, code = terminal.run("retention", "--apply")
    assert (err, code) == ("", 0)
    assert "Erased in 1 threads, rows: " in out
    assert await kept(postgres_url, talk.thread_id) == {"ledger_payload"}
