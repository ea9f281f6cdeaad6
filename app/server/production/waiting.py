"""A question that waits, told to Aegra: it lets nobody answer one that no run of its own has put.

It writes down that a question waits when the run that asked has ended. That run may have been
killed, and its turn been finished by our worker; or another process asked, as a terminal does. The
ledger knows all of them.
"""

from __future__ import annotations

from daybook.app.server.database import looked_up, postgres
from daybook.checkpoints.ledger.questions import Questions


async def note(thread_id: str) -> None:
    """Let Aegra take an answer, where a question waits for one.

    Before Aegra itself begins on the request: it keeps one of its few connections until the end of
    it, and whoever asks for a second one meanwhile may wait for ever.

    Raises:
        DatabaseUnavailable: the ledger cannot be asked now.
    """
    from aegra_api.core.orm import get_session_maker
    from aegra_api.services.run_status import set_thread_status

    if not await looked_up(Questions(postgres().pool).names([thread_id])):
        return
    async with get_session_maker()() as session:
        try:
            await set_thread_status(session, thread_id, "interrupted")
        except ValueError:
            # Aegra knows no such thread, and says so to whoever asks for it.
            return
        await session.commit()
