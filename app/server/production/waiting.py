"""A question that waits, told to Aegra: it lets nobody answer one that no run of its own has put.

It writes down that a question waits when the run that asked has ended. That run may have been
killed, and its turn been finished by our worker; or another process asked, as a terminal does. The
ledger knows all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.app.server.database import looked_up, postgres
from daybook.checkpoints.ledger.questions import Questions


async def note(thread_id: str, command: Mapping[str, Any] | None) -> None:
    """Let Aegra take an answer, where a question waits for one.

    Args:
        command: what a client asks to run, which may be an answer.

    Raises:
        DatabaseUnavailable: the ledger cannot be asked now.
    """
    from aegra_api.core.orm import get_session_maker
    from aegra_api.services.run_status import set_thread_status

    if "resume" not in (command or {}):
        return
    if await looked_up(Questions(postgres().pool).names([thread_id])):
        async with get_session_maker()() as session:
            await set_thread_status(session, thread_id, "interrupted")
            await session.commit()
