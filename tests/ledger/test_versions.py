"""A ledger that a later release has written to: nothing is folded, everything can be looked at."""

import pytest
import pytest_asyncio

from daybook.checkpoints.ledger import page as pages
from daybook.checkpoints.ledger.ledger import Ledger
from daybook.state.errors import UnknownLedgerVersion
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.session import Session
from evals.protocol.parts import ORDER
from tests.ledger.book import opened, someone

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def ada(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> tuple[Session, str]:
    """Let a later release open a plan on a thread that this one began."""
    ada = someone()
    async with ledger.page(ada) as page:
        page.write(Entry(Event.RECEIVED, turn_id="t"))
    monkeypatch.setattr(pages, "LEDGER_VERSION", 2)
    plan_id = await opened(ledger, ada, ORDER)
    monkeypatch.undo()
    return ada, plan_id


async def test_it_cannot_be_folded(ledger: Ledger, ada: tuple[Session, str]):
    session, plan_id = ada
    with pytest.raises(UnknownLedgerVersion, match="has ledger version 2"):
        await ledger.plan(session.thread_id, plan_id)
    with pytest.raises(UnknownLedgerVersion):
        await ledger.entries(session.thread_id)


async def test_nothing_can_be_written_to_its_plan_and_its_rows_can_be_looked_at(ledger, ada):
    session, plan_id = ada
    with pytest.raises(UnknownLedgerVersion):
        async with ledger.page(session, plan_id) as page:
            page.write(Entry(Event.ENDED, plan_id=plan_id))
    assert await ledger.verify(session.thread_id) == 4
    rows = await ledger.stored(session.thread_id)
    assert [row["ledger_version"] for row in rows] == [1, 2, 2, 2]
    assert [row["event"] for row in rows] == ["received", "opened", "intended", "decision"]
