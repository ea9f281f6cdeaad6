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
    nameless = [one.thread_id for one in seen if not one.about and one.status != "closed"]
    # Read one by one and not all at once: others need connections too.
    said = dict(zip(nameless, await _first_words(nameless), strict=True))
    return {one.thread_id: one.about or said.get(one.thread_id, NOTHING_YET) for one in seen}


async def _first_words(thread_ids: Sequence[str]) -> list[str]:
    turns = asyncio.Semaphore(2)

    async def of(thread_id: str) -> str:
        async with turns:
            state = await house.state_of(thread_id)
        return first_words(state.values.get("messages", ()))

    return await asyncio.gather(*(of(thread_id) for thread_id in thread_ids))


def first_words(messages: Iterable[Any]) -> str:
    """Return what a person said first, cut to a line."""
    text = next((m.text for m in messages if m.type == "human"), "")
    line = " ".join(text.split())
    cut = f"{line[:_LONGEST].rsplit(' ', 1)[0]}\N{HORIZONTAL ELLIPSIS}"
    return (line if len(line) <= _LONGEST else cut) or NOTHING_YET
