"""What reached the person, each answer held against what was known when it was given."""

from __future__ import annotations

from typing import Any

from daybook.checkpoints.postgres import Postgres
from daybook.graph.guarded import GuardedGraph
from daybook.tools.domain import Domain
from daybook.tools.said.check import untrue_in
from evals.live.judging import Spoken
from evals.said.held import Given, given_in


async def spoken_in(
    graph: GuardedGraph, thread_id: str, domain: Domain, postgres: Postgres
) -> list[Spoken]:
    """Return the answers of a thread, in order."""
    about: Any = {"configurable": {"thread_id": thread_id}}
    state = (await graph.aget_state(about)).values
    return [_held(one) async for one in given_in(thread_id, state, domain, postgres)]


def _held(one: Given) -> Spoken:
    unsaid = one.payload.get("unsaid", ())
    text = one.payload["text"]
    return Spoken(
        text,
        untrue=[found.so for found in untrue_in(text, one.known, one.denied)],
        withheld=[why for refused in unsaid for why in refused["why"]],
        # It was asked once more, and stood by it.
        is_set_right=len(unsaid) > 1,
    )
