"""A domain without a shop: one read, one write that policy approves, one that a person approves.

That `daybook.graph.build` runs it as it is shows that no node knows the shop.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, TypeAlias

from daybook.state.context import EffectContext, ReadContext
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Outcome
from daybook.state.flow import FlowTable
from daybook.state.ledger.plan import Action
from daybook.tools.domain import Domain, Prompt
from daybook.tools.kinds import read, write
from daybook.tools.registry import Registry
from evals.bench.script import PacedModel
from evals.bench.world import Kind, World

SYSTEM = "You fetch, note and post texts by their numbers."

_KEYED = Guarantees(
    honours_key=True,
    stores_failures=True,
    retention=timedelta(days=1),
    settle=timedelta(seconds=1),
    late_sender="harmless",
)

Effect: TypeAlias = EffectContext[World]


@read(lifetime=600, tags=("text:{number}",))
async def fetch(number: int, *, ctx: ReadContext[World]) -> Any:
    """Fetch the text of a number."""
    return {"text": ctx.services.look_up(number)}


@write(approval="never", guarantees=_KEYED)
async def note(number: int, *, ctx: Effect) -> Outcome:
    """Note the text of a number."""
    return Confirmed({"text": ctx.services.perform(ctx.key, number)})


@write(guarantees=_KEYED)
async def post(number: int, *, ctx: Effect) -> Outcome:
    """Post the text of a number, once a person has approved it."""
    return Confirmed({"text": ctx.services.perform(ctx.key, number)})


def bench_domain(model: PacedModel) -> Domain:
    """Build the bench's domain around a model."""
    return Domain(
        name="bench",
        registry=Registry(offered=(fetch, note, post)),
        flow=FlowTable(start="working", moves={}, offered={"working": frozenset(Kind)}),
        prompt=Prompt(system=SYSTEM, read=_shown_read),
        outcome=_shown_outcome,
        embedded_model=lambda: model,
    )


def _shown_read(tool: str, handle: int, result: Any, hidden: Sequence[str]) -> str:
    return f"r{handle} {tool} ok\n{result['text']}"


def _shown_outcome(action: Action) -> str:
    (step,) = action.steps
    return f"{action.tool} ok\n{(step.result or {})['text']}"
