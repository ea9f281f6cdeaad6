"""What the embedded model answers in conversations on the real graph."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from daybook.checkpoints.postgres import Postgres
from daybook.nodes.prompt.proof import past_prompts
from daybook.nodes.prompt.spoken import known_in
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.tools.domain import Domain
from daybook.tools.said.check import Denial
from daybook.tools.said.known import Known
from daybook.tools.shop.domain import SHOP
from evals.said.answers import Answer, nothing
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
    async for one in given_in(thread_id, state, SHOP, postgres):
        # What the model said first, where it was not let through.
        unsaid = one.payload.get("unsaid")
        text = unsaid[0]["text"] if unsaid else one.payload["text"]
        yield Answer(text, one.known, True, "embedded model", thread_id, one.denied)


@dataclass(frozen=True)
class Given:
    """An answer as it was given.

    Attributes:
        payload: of its decision: `text`, and `unsaid` where something was not let through.
        denied: what its domain itself knows; nothing of any but the last, whose state is there.
    """

    payload: Mapping[str, Any]
    known: Known
    denied: Denial = nothing


async def given_in(
    thread_id: str, state: dict[str, Any], domain: Domain, postgres: Postgres
) -> AsyncIterator[Given]:
    """Yield the answers of a thread, in order, each with what was known when it was given.

    Args:
        state: of the thread, as it is now.
    """
    past = await past_prompts(thread_id, domain, postgres)
    newest = max((one.seq for one in past.entries if one.event is Event.DECIDED), default=0)
    for entry in past.entries:
        payload = entry.payload or {}
        if entry.event is not Event.DECIDED or payload.get("calls") or not payload.get("text"):
            continue
        shown = await past.of(entry)
        if shown.prompt is None:
            continue
        plans = _plans(list(past.entries), entry.seq)
        known = known_in(shown.prompt, plans, entry.turn_id or "", domain)
        # The state as it is now is that of the last answer alone.
        denied = partial(domain.denied, state) if entry.seq == newest else nothing
        yield Given(payload, known, denied)


def _plans(entries: list[Entry], until: int) -> list[Plan]:
    """Fold the plans as they stood before an entry."""
    plans: dict[str, Plan] = {}
    for entry in entries:
        if entry.seq >= until or entry.plan_id is None:
            continue
        if entry.event is Event.OPENED:
            plans[entry.plan_id] = Plan(entry.plan_id, entry.turn_id or "")
        if entry.plan_id in plans:
            plans[entry.plan_id].apply(entry)
    return list(plans.values())
