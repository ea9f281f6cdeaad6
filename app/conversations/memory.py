"""Show what is known of a person, and let them change it or have it forgotten."""

from __future__ import annotations

from datetime import UTC

from rich import box
from rich.table import Table
from rich.text import Text

from daybook.app.conversations.terminal import Terminal
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.clock import SYSTEM
from daybook.state.errors import DaybookError, UnknownUser
from daybook.state.people.facts import fact_of, forgotten, line_of, refuse_one_more
from daybook.state.run_input import checked_id

_SOURCE = "daybook memory"

_COPIES = (
    "Threads in which it was said still hold the words, until they are erased (daybook forget, "
    "daybook retention); a turn that is under way ends with what it began with."
)


async def show(settings: Settings, terminal: Terminal, user: str, *, is_named: bool) -> None:
    """Print what is known of a person: about what, of what kind, from which thread, since when.

    Args:
        is_named: somebody named the person; else it is who the domain says.

    Raises:
        UnknownUser: nobody of that name was ever here.
    """
    checked_id(user, "a user")
    async with open_database(settings) as postgres:
        facts = await postgres.memory.of(user)
        if not facts and is_named and not await postgres.threads.knows(user):
            raise UnknownUser(user)
    if not facts:
        terminal.note(f"Nothing is remembered of {user}.")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("Subject", "Value", "Kind", "From", "When (UTC)"):
        table.add_column(heading, overflow="fold")
    for fact in facts:
        when = fact.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
        cells = (fact.subject, fact.value, fact.kind, fact.source, when)
        table.add_row(*map(Text, cells))
    terminal.table(table)


async def remember(
    settings: Settings, terminal: Terminal, user: str, subject: str, value: str, kind: str
) -> None:
    """Remember a fact in the place of an earlier one on its subject.

    Raises:
        ToolRefused: it cannot be kept; the sentence says why.
    """
    checked_id(user, "a user")
    fact = fact_of(subject, value, kind, _SOURCE, SYSTEM.now())
    async with open_database(settings) as postgres:
        refuse_one_more(await postgres.memory.of(user), fact)
        await postgres.memory.put(user, fact)
    terminal.note(f"Remembered of {user}: {line_of(fact)} ({fact.kind}).")


async def forget(settings: Settings, terminal: Terminal, user: str, subject: str | None) -> None:
    """Forget what is known of a person on one subject, or all of it where none is named.

    Raises:
        DaybookError: nothing is known of that.
    """
    checked_id(user, "a user")
    async with open_database(settings) as postgres:
        memory = postgres.memory
        if subject is None:
            count = await memory.forget_all(user)
            if count == 0:
                raise DaybookError(f"Nothing is remembered of {user}. Nothing was done.")
            terminal.note(f"Forgotten: all {count} facts of {user}. {_COPIES}")
            return
        forgotten(await memory.of(user), subject)
        await memory.forget(user, subject)
    terminal.note(f"Forgotten of {user}: {subject}. {_COPIES}")
