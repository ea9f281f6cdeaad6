"""Stop what is under way in a thread, whoever runs it."""

from __future__ import annotations

import uuid
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig

from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.graph.settings.environment import Settings
from daybook.graph.stop import stop_thread
from daybook.state.errors import ThreadBusy
from daybook.state.session import Person


async def stop(
    settings: Settings, terminal: Terminal, *, thread: str, user: str | None, role: str
) -> None:
    """Stop a thread's plan, say where it stands, and go on with it: what is done is undone.

    Args:
        user: who stops it; None is who the domain says.

    Raises:
        DaybookError: nothing is under way, or it is not this person's to stop.
    """
    served = served_by(settings)
    person = Person(user or served.domain.user, role)
    config: RunnableConfig = {
        "configurable": {"thread_id": thread, "user_id": person.user_id, "role": person.role}
    }
    async with served.open() as opened:
        domain, resources = opened.graph.domain, opened.resources
        terminal.note(await stop_thread(resources, domain, thread, person, str(uuid.uuid4())))
        known = _said(await opened.graph.aget_state(config))
        try:
            with terminal.working():
                await opened.graph.ainvoke({"events": []}, config)
        except ThreadBusy:
            terminal.note("Another process works on it right now, and goes on from there.")
            return
        told = _said(await opened.graph.aget_state(config))
    for message_id, text in told.items():
        if message_id not in known:
            terminal.say(text)


def _said(snapshot: Any) -> dict[str, str]:
    """Return what was answered so far, by message id."""
    messages = snapshot.values.get("messages", ())
    return {str(one.id): one.text for one in messages if isinstance(one, AIMessage)}
