"""Tell Aegra of a question that waits: it takes answers only to those of its own runs.

It records that a question waits when the run that asked has ended. That run may have been killed,
and its turn finished by our worker; or another process asked, as a terminal does. The ledger knows
all of them.
"""

from __future__ import annotations

from daybook.app.server.database import available, postgres
from daybook.checkpoints.ledger.steps import Questions


async def note_open_question(thread_id: str, whose: str) -> None:
    """Let Aegra take an answer, where a question waits for one.

    Before Aegra itself begins on the request: it keeps one of its few connections until the end of
    it, and whoever asks for a second one meanwhile may wait for ever.

    Args:
        whose: by whose name Aegra looks for the thread; nothing is noted in anybody else's.

    Raises:
        DatabaseUnavailable: the ledger cannot be asked now.
    """
    from aegra_api.core.orm import Thread, get_session_maker

    if not await available(Questions(postgres().pool).names([thread_id])):
        return
    async with get_session_maker()() as session:
        thread = await session.get(Thread, thread_id)
        if thread is not None and thread.user_id == whose:
            thread.status = "interrupted"
            await session.commit()
