"""Titles by which people tell conversations apart: what is bought, or what was said first."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from daybook.app.console import house
from daybook.checkpoints.ledger.search import ThreadSeen

NOTHING_YET = "New conversation"
_LONGEST = 70


async def titles_of(threads: Iterable[ThreadSeen]) -> Mapping[str, str]:
    """Name conversations by what they are about; those without a plan by their first words."""
    seen = [*threads]
    nameless = [one for one in seen if not one.about and one.status != "closed"]
    # Read one by one and not all at once: others need connections too.
    words = await _first_words(nameless)
    said = {one.thread_id: text for one, text in zip(nameless, words, strict=True)}
    return {one.thread_id: one.about or said.get(one.thread_id, NOTHING_YET) for one in seen}


async def title_of(thread_id: str, owner: str) -> str:
    """Name one conversation, of which something else is shown."""
    found = await house.search().threads(house.names(), owner, 1, named=thread_id)
    return (await titles_of(found)).get(thread_id, NOTHING_YET)


async def _first_words(threads: Sequence[ThreadSeen]) -> list[str]:
    turns = asyncio.Semaphore(2)

    async def of(thread: ThreadSeen) -> str:
        async with turns:
            state = await house.state_of(thread.thread_id, house.domain_named(thread.domain))
        return first_words(state.values.get("messages", ()))

    return await asyncio.gather(*(of(thread) for thread in threads))


def first_words(messages: Iterable[Any]) -> str:
    """Return what a person said first, cut to a line."""
    text = next((m.text for m in messages if m.type == "human"), "")
    line = " ".join(text.split())
    cut = f"{line[:_LONGEST].rsplit(' ', 1)[0]}\N{HORIZONTAL ELLIPSIS}"
    return (line if len(line) <= _LONGEST else cut) or NOTHING_YET
