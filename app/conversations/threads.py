"""List conversations: where each stands, for whom it waits, and what is kept until when."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime

from rich import box
from rich.table import Table
from rich.text import Text

from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.output import tell_json
from daybook.checkpoints.people.threads import standing
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.clock import SYSTEM
from daybook.state.errors import UnknownUser
from daybook.state.people.lifecycle import Lifecycle, lifecycle

_COLUMNS = ("thread", "user", "stands", "waits for", "until", "cache", "holds", "kept until")


async def threads(
    settings: Settings, terminal: Terminal, *, user: str | None, as_json: bool
) -> None:
    """Print the conversations of a person, or of all.

    Args:
        as_json: one JSON object a line instead of a table.

    Raises:
        UnknownUser: nobody of that name has begun one.
    """
    keep = {part.value: period for part, period in settings.keep.items()}
    now, domain = SYSTEM.now(), served_by(settings).domain
    async with open_database(settings) as postgres:
        found = await standing(postgres.pool, domain.name, user_id=user)
        if user is not None and not found and not await postgres.threads.knows(user):
            raise UnknownUser(user)
    shown = [lifecycle(one, keep, now) for one in found]
    if as_json:
        for one in shown:
            tell_json(json.dumps(asdict(one), default=lambda at: at.isoformat()))
    elif shown:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in _COLUMNS:
            table.add_column(name, overflow="fold")
        for one in shown:
            table.add_row(*map(Text, _row(one)))
        terminal.table(table)
    else:
        terminal.note("There is no conversation.")


def _row(one: Lifecycle) -> tuple[str, ...]:
    kept = min(one.kept.items(), key=lambda part: part[1], default=None)
    return (
        one.thread_id,
        one.user_id,
        one.status,
        one.waits_for,
        _at(one.until),
        _at(one.cache_until) or "cold",
        _at(one.holds_until) or "none",
        f"{_at(kept[1])} ({kept[0]})" if kept else "as long as it stands",
    )


def _at(at: datetime | None) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if at is not None else ""
