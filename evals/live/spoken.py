"""What reached the person, each answer held against what was known when it was given."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from textwrap import shorten
from typing import Any

from daybook.app.grading.steps.background import plans_before
from daybook.checkpoints.postgres import Postgres
from daybook.nodes.prompt.proof import past_prompts
from daybook.nodes.prompt.spoken import known_in
from daybook.state.ledger.recovery import Event
from daybook.tools.domain import Domain
from daybook.tools.said.check import untrue_in
from evals.live.judging import Spoken
from evals.said.answers import nothing

_SHOWN = 160
"""Characters of an answer that are told of it."""


async def spoken_in(
    thread_id: str, state: Mapping[str, Any], domain: Domain, postgres: Postgres
) -> list[Spoken]:
    """Return the answers of a thread, in order.

    Args:
        state: of the thread, as it is now.
    """
    past = await past_prompts(thread_id, domain, postgres)
    newest = max((one.seq for one in past.entries if one.event is Event.DECIDED), default=0)
    spoken = []
    for entry in past.entries:
        payload = entry.payload or {}
        if entry.event is not Event.DECIDED or payload.get("calls") or not payload.get("text"):
            continue
        prompt = (await past.of(entry)).prompt
        if prompt is None:
            continue
        plans = plans_before(past.entries, entry.seq)
        known = known_in(prompt, plans, entry.turn_id or "", domain)
        # The state as it is now is that of the last answer alone.
        denied = partial(domain.denied, state) if entry.seq == newest else nothing
        unsaid = payload.get("unsaid", ())
        spoken.append(
            Spoken(
                payload["text"],
                untrue=[
                    _told(found.text, found.so)
                    for found in untrue_in(payload["text"], known, denied)
                ],
                withheld=[_told(one["text"], why) for one in unsaid for why in one["why"]],
                # It was asked once more, and stood by it.
                is_set_right=len(unsaid) > 1,
            )
        )
    return spoken


def _told(said: str, so: str) -> str:
    return f"“{shorten(said, _SHOWN, placeholder=' ...')}”, but: {so}"
