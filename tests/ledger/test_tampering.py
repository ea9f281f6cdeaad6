"""What is changed behind the triggers shows."""

import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.state.errors import ChainBroken
from tests.ledger.book import opened, someone
from tests.unit.paper import ORDER

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    "tampering",
    [
        "update ledger_event set user_id = 'eve' where seq = 2",
        "update ledger_event set author = 'eve' where seq = 3",
        "update ledger_event set at = at + interval '1 microsecond' where seq = 2",
        'update ledger_event set detail = detail || \'{"bound_to": "x"}\' where seq = 3',
        "update ledger_event set hash = '\\x00' where seq = 2",
        "delete from ledger_event where seq = 2",
        "delete from ledger_event where seq = 1",
        "delete from ledger_event where seq = 3",
        "delete from ledger_event",
        "update ledger_event set seq = 9 where seq = 2; update ledger_event set seq = 2 where seq = 3;"
        "update ledger_event set seq = 3 where seq = 9",
        "update ledger_event set seq = seq + 1 where seq = 3",
        'update ledger_payload set body = \'{"args": {"amount": 1}}\' where seq = 2',
        "update ledger_payload set salt = '\\x00' where seq = 2",
        "update thread_head set seq = 2",
        "update thread_head set hash = '\\x00'",
        "delete from thread_head",
    ],
)
async def test_what_a_superuser_changes_behind_the_triggers_shows(ledger, owner, tampering):
    ada = someone()
    await opened(ledger, ada, ORDER)
    await owner.execute("set session_replication_role = replica")
    await owner.execute(tampering)
    with pytest.raises(ChainBroken):
        await ledger.verify(ada.thread_id)


async def test_an_erased_payload_and_a_thread_that_nobody_used_verify(ledger: Ledger, owner):
    ada = someone()
    await opened(ledger, ada, ORDER)
    await owner.execute("delete from ledger_payload")
    assert await ledger.verify(ada.thread_id) == 3
    assert await ledger.verify("nobody") == 0


async def test_tampering_with_one_thread_leaves_the_others_whole(ledger: Ledger, owner):
    ada, bea = someone(), someone("bea")
    await opened(ledger, ada, ORDER)
    await opened(ledger, bea, ORDER)
    await owner.execute("set session_replication_role = replica")
    await owner.execute("update ledger_event set role = 'x' where thread_id = %s", (ada.thread_id,))
    with pytest.raises(ChainBroken):
        await ledger.verify(ada.thread_id)
    assert await ledger.verify(bea.thread_id) == 3
