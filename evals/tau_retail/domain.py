"""The domain of tau-bench retail: sixteen tools of another retailer, on the nodes of every domain.

The tools are what `tools.json` says, and no more is known of them than that text. What is wrong
with a call is for the retailer to say, so that its words are those that the model would have read:
no argument is validated here, and every text reaches the model as it is.

People and addresses in these data are invented. Results hold them, and so do the ledger's payloads.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeAlias

from daybook import (
    Domain,
    EffectContext,
    FlowTable,
    Guarantees,
    HttpService,
    Outcome,
    Prompt,
    ReadContext,
    Registry,
    ServiceUnavailable,
)
from daybook.domain import Action, Contract, outcome_line, resource
from daybook.state.effects.deadline import Deadline
from daybook.tools.kinds import EffectTool, ReadTool, effect_of
from daybook.tools.signature import passed_through
from evals.tau_retail.data import ToolSpec

UNAVAILABLE = "Error: 503 Service Unavailable"
"""What the model reads where the retailer's reads are away."""

# The retailer executes what arrives at once and keeps keys for as long as its world; a second is
# what the network may still carry.
KEYED = Guarantees(
    honours_key=True,
    stores_failures=True,
    retention=timedelta(days=365),
    settle=timedelta(seconds=1),
)

RETAILER = Contract(
    name="the retailer",
    guarantees=KEYED,
    declined={"refused"},
    turned_away={"malformed", "no_world", "no_write"},
    key_reused={"key_reused"},
    code=(("error",),),
    message=(("message",),),
)
"""What its answers prove (retailer/application.py)."""

_READ_TAGS: Mapping[str, tuple[str, ...]] = {
    "find_user_id_by_name_zip": ("addresses",),
    "get_order_details": ("order:{order_id}",),
    "get_user_details": ("user:{user_id}", "balances"),
}
"""What makes a read stale; a product never changes."""

_ORDER = ("order:{order_id}",)
# Whose gift card it is stands in the order and not among the arguments; a conversation is about
# one person.
_ORDER_AND_MONEY = (*_ORDER, "balances")

_MAKES_STALE: Mapping[str, tuple[str, ...]] = {
    "cancel_pending_order": _ORDER_AND_MONEY,
    "exchange_delivered_order_items": _ORDER,
    "modify_pending_order_address": _ORDER,
    "modify_pending_order_items": _ORDER_AND_MONEY,
    "modify_pending_order_payment": _ORDER_AND_MONEY,
    "modify_user_address": ("user:{user_id}", "addresses"),
    "return_delivered_order_items": _ORDER,
}

SERVING = "serving"
"""The one position of the flow: the policy is words, and every tool is offered always."""


@dataclass(frozen=True)
class Retailer:
    """Reach one world of the retailer: the services of one thread.

    Attributes:
        world: its name; threads have worlds of their own.
    """

    service: HttpService
    world: str

    async def read(self, tool: str, args: Mapping[str, Any]) -> str:
        """Return what a read answers, its errors included.

        Raises:
            ServiceUnavailable: it cannot be reached, or is away; in the words that the model reads.
        """
        path = resource("worlds", self.world, "reads", tool)
        try:
            answer = await self.service.get(path, args=json.dumps(args))
        except ServiceUnavailable as error:
            if error.status != 503:
                raise
            raise ServiceUnavailable(UNAVAILABLE, status=503) from error
        text: str = answer["text"]
        return text

    async def write(
        self, tool: str, args: Mapping[str, Any], *, key: str, deadline: Deadline
    ) -> Outcome:
        """Send a write, once: its text, or the text that it was refused with."""
        path = resource("worlds", self.world, "writes", tool)
        return await self.service.post(path, args, key=key, deadline=deadline)

    async def executed(self, key: str) -> list[Mapping[str, Any]]:
        """Return what was done under a key."""
        found = await self.service.get(resource("worlds", self.world, "executions"), key=key)
        matches: list[Mapping[str, Any]] = found["matches"]
        return matches


Reading: TypeAlias = ReadContext[Retailer]
Acting: TypeAlias = EffectContext[Retailer]


def retail_domain(tools: Sequence[ToolSpec], policy: str) -> Domain:
    """Make the domain of the tools and the instructions as the benchmark gives them.

    Args:
        tools: of `tools.json`.
        policy: of `policy.md`, which is the whole of the agent's instructions.
    """
    known = frozenset(spec.name for spec in tools)

    def refused(tool: str, words: str) -> str:
        if tool not in known:
            return f"Unknown action {tool}"
        return words.removeprefix(f"{tool} refused: ")

    return Domain(
        name="tau_retail",
        registry=Registry([_write(spec) if spec.is_write else _read(spec) for spec in tools]),
        flow=FlowTable(start=SERVING, moves={}, offered={SERVING: known}),
        prompt=Prompt(
            system=policy, read=lambda tool, handle, result, hidden: str(result), refused=refused
        ),
        outcome=outcome,
    )


def outcome(action: Action) -> str:
    """Return the text that the retailer answered a write with, done or refused."""
    if action.succeeded:
        result = action.step(action.tool).result or {}
        return str(result["text"])
    return action.reason or str(outcome_line(action))


def _read(spec: ToolSpec) -> ReadTool:
    async def run(*, ctx: Reading, **args: Any) -> str:
        return await ctx.services.read(spec.name, args)

    # Without a lifetime: a row that is repeated could differ from what the retailer says by now.
    return ReadTool(
        spec.name,
        spec.description,
        passed_through(spec.name, spec.parameters),
        run,
        tags=_READ_TAGS.get(spec.name, ()),
    )


def _write(spec: ToolSpec) -> EffectTool:
    async def run(*, ctx: Acting, **args: Any) -> Outcome:
        return await ctx.services.write(spec.name, args, key=ctx.key, deadline=ctx.deadline)

    async def probe(args: Mapping[str, Any], *, ctx: Acting) -> list[Mapping[str, Any]]:
        return await ctx.services.executed(ctx.key)

    # No approval: by the policy the customer confirms in words, before the model calls. And no
    # operation: a model that decides the same write again wants it again, and reads its answer.
    return effect_of(
        "write",
        spec.name,
        spec.description,
        passed_through(spec.name, spec.parameters),
        run,
        {
            "guarantees": KEYED,
            "probe": probe,
            "reference": "key",
            "approval": "never",
            "makes_stale": _MAKES_STALE[spec.name],
        },
    )
