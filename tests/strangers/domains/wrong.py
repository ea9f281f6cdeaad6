"""Buy from the service whose answers are wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any

from state.bind import take
from state.flow import FlowTable
from state.guarantees import Guarantees
from state.outcome import Outcome
from tests.strangers.domains.declared import referring
from tools.domain import Domain, Prompt
from tools.draft import ActionDraft, StepDraft
from tools.kinds import Undo, hybrid, plan, write
from tools.registry import Registry

SHOWN_AT_ONCE = Guarantees(settle=timedelta(seconds=0.5), late_sender="accepted")


def found_at(path: str) -> Callable[..., Awaitable[Any]]:
    """Look an effect up by the reference that we gave it."""

    async def probe(args: Mapping[str, Any], *, ctx: Any) -> Any:
        return (await ctx.services.get(path, reference=ctx.key))["matches"]

    return probe


async def post(path: str, body: dict[str, Any], ctx: Any) -> Outcome:
    """Send one effect."""
    named = {**body, "reference": ctx.key}
    return await ctx.services.post(path, named, key=ctx.key, deadline=ctx.deadline)


@hybrid(
    **referring("id", owner="customer"),
    guarantees=SHOWN_AT_ONCE,
    probe=found_at("/charges"),
    evidence=lambda args: {"amount": args["amount"], "currency": args["currency"]},
    undo=Undo(
        "refund",
        lambda args, result: {"charge_id": result["id"]},
        settled_by=frozenset({"charge_already_refunded"}),
    ),
)
async def charge(amount: int, currency: str, card: str, *, ctx: Any) -> Outcome:
    """Charge a card."""
    body = {"amount": amount, "currency": currency, "card": card}
    return await post("/charges", {**body, "customer": ctx.session.user_id}, ctx)


@write(**referring("id"), guarantees=SHOWN_AT_ONCE, probe=found_at("/refunds"))
async def refund(charge_id: str, *, ctx: Any) -> Outcome:
    """Give the money back."""
    return await post("/refunds", {"charge_id": charge_id}, ctx)


@write(**referring("id"), guarantees=SHOWN_AT_ONCE, probe=found_at("/orders"))
async def order(item: str, charge_id: str, *, ctx: Any) -> Outcome:
    """Order what was paid."""
    body = {"item": item, "charge_id": charge_id, "customer": ctx.session.user_id}
    return await post("/orders", body, ctx)


@plan
async def buy(item: str, amount: int, currency: str = "USD", *, ctx: Any) -> ActionDraft:
    """Buy an item. Asks for approval."""
    op, money = f"buy/{ctx.turn_id}", {"amount": amount, "currency": currency}
    paid = {"charge_id": take("charge", "id")}
    steps = (
        StepDraft("charge", "charge", f"{op}/charge", {**money, "card": "4242424242424242"[-4:]}),
        StepDraft("order", "order", f"{op}/order", {"item": item}, paid, pivot=True),
    )
    return ActionDraft("buy", {"item": item, **money}, f"Buy {item}", steps)


DOMAIN = Domain(
    name="wrong",
    registry=Registry(offered=(buy,), steps=(charge, refund, order)),
    flow=FlowTable("ready", {}, {"ready": frozenset({"buy"})}),
    prompt=Prompt(system="You buy what people ask for."),
)
