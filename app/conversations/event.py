"""Let something happen on a thread outside the chat, as a page of one's own would."""

from __future__ import annotations

import json
import uuid
from typing import Any

from langchain_core.runnables import RunnableConfig

from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.graph.settings.environment import Settings
from daybook.nodes.running.identity import session_of
from daybook.state.errors import InputRefused


async def happen(
    settings: Settings, terminal: Terminal, *, thread: str, user: str | None, event: str
) -> None:
    """Give an event to a thread and show what the domain shows afterwards. No model is asked.

    Args:
        user: whose thread it is; None is who the domain says.
        event: a JSON object with a "type"; without an "id" it gets one, and then counts as new
            each time.

    Raises:
        DaybookError: it cannot be taken, or another process works on the thread.
    """
    given = {"events": [{"id": str(uuid.uuid4()), **_read(event)}]}
    served = served_by(settings)
    user = user or served.domain.user
    config: RunnableConfig = {"configurable": {"thread_id": thread, "user_id": user}}
    async with served.open() as opened:
        postgres = opened.resources.postgres
        if not await postgres.threads.admits(
            session_of(config, postgres.tenant_id), opened.graph.domain, opened.resources.world
        ):
            raise InputRefused(
                f"There is no thread {thread} here. Nothing was changed; `daybook chat` prints the "
                "id of its thread."
            )
        await opened.graph.ainvoke(given, config)
        snapshot = await opened.graph.aget_state(config)
    for panel in served.domain.panels(snapshot.values):
        if panel.told:
            terminal.panel(panel)


def _read(event: str) -> dict[str, Any]:
    try:
        read = json.loads(event)
    except ValueError as error:
        raise InputRefused(f"The event is no JSON ({error}). Nothing was changed.") from error
    if not isinstance(read, dict):
        raise InputRefused('An event is a JSON object with a "type". Nothing was changed.')
    return read
