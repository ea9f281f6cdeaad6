"""What the embedded model answers in conversations on the real graph."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

from daybook.app.grading.steps.background import plans_before
from daybook.checkpoints.postgres import Postgres
from daybook.nodes.prompt.proof import past_prompts
from daybook.nodes.prompt.spoken import known_in
from daybook.state.ledger.recovery import Event
from daybook.tools.shop.domain import SHOP
from evals.said.answers import Answer
from evals.steps.conversations import conversation
from evals.steps.world import open_world, played


async def held(first: int, count: int) -> list[Answer]:
    """Hold conversations, and return what was answered in them as the model had said it.

    Args:
        first: seed of the first of `count` conversations.
    """
    answers = list[Answer]()
    with tempfile.TemporaryDirectory(prefix="daybook-said-") as folder:
        async with open_world(Path(folder)) as world:
            for seed in range(first, first + count):
                thread_id = await played(world.graph, f"person-{seed}", conversation(seed))
                about: Any = {"configurable": {"thread_id": thread_id}}
                state = (await world.graph.aget_state(about)).values
                answers += [one async for one in _answers(thread_id, state, world.postgres)]
    return answers


async def _answers(
    thread_id: str, state: dict[str, Any], postgres: Postgres
) -> AsyncIterator[Answer]:
    past = await past_prompts(thread_id, SHOP, postgres)
    newest = max((one.seq for one in past.entries if one.event is Event.DECIDED), default=0)
    for entry in past.entries:
        payload = entry.payload or {}
        if entry.event is not Event.DECIDED or payload.get("calls") or not payload.get("text"):
            continue
        shown = await past.of(entry)
        if shown.prompt is None:
            continue
        plans = plans_before(past.entries, entry.seq)
        known = known_in(shown.prompt, plans, entry.turn_id or "", SHOP)
        # What the model said first, where it was not let through.
        text = payload["unsaid"][0]["text"] if payload.get("unsaid") else payload["text"]
        answer = Answer(text, known, True, "embedded model", thread_id)
        if entry.seq == newest:
            # The state as it is now is that of the last answer alone.
            answer = Answer(
                text, known, True, "embedded model", thread_id, partial(SHOP.denied, state)
            )
        yield answer
