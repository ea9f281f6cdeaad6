"""Buy from a service like Stripe's API v2: keys, and no failure is stored under them."""

from typing import Any

from daybook.state.effects.bind import take
from daybook.state.effects.outcome import Outcome
from daybook.state.flow import FlowTable
from daybook.tools.domain import Domain, Prompt
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import Undo, hybrid, plan, write
from daybook.tools.registry import Registry
from daybook.tools.services.contract import STRIPE_V2
from daybook.tools.services.http import HttpService

KNOWN = {"guarantees": STRIPE_V2.guarantees, "reference": "id", "owner": "customer"}
PAID = {"charge_id": take("charge", "id")}
BACK = Undo(
    "refund",
    lambda args, result: {"charge_id": result["id"]},
    frozenset({"charge_already_refunded"}),
)


def reach(url: str) -> HttpService:
    return HttpService(
        url, contract=STRIPE_V2, headers={"Authorization": "Bearer sk_test_strangers"}
    )


async def post(path: str, ctx: Any, **body: Any) -> Outcome:
    named = {**body, "customer": ctx.session.user_id}
    return await ctx.services.post(path, named, key=ctx.key, deadline=ctx.deadline)


@hybrid(**KNOWN, evidence=dict, undo=BACK)
async def charge(amount: int, currency: str, *, ctx: Any) -> Outcome:
    """Charge the customer."""
    return await post("/v2/charges", ctx, amount=amount, currency=currency)


@write(**KNOWN)
async def refund(charge_id: str, *, ctx: Any) -> Outcome:
    """Give the money back."""
    return await post("/v2/refunds", ctx, charge_id=charge_id)


@write(**KNOWN)
async def order(item: str, charge_id: str, *, ctx: Any) -> Outcome:
    """Order what was paid."""
    return await post("/v2/orders", ctx, item=item, charge_id=charge_id)


@plan
async def buy(item: str, amount: int, *, ctx: Any) -> ActionDraft:
    """Buy an item. Asks for approval."""
    op, money = f"buy/{ctx.turn_id}", {"amount": amount, "currency": "USD"}
    steps = (
        StepDraft("charge", "charge", f"{op}/charge", money),
        StepDraft("order", "order", f"{op}/order", {"item": item}, PAID, pivot=True),
    )
    return ActionDraft("buy", {"item": item, "amount": amount}, f"Buy {item}", steps)


DOMAIN = Domain(
    name="stripe_v2",
    registry=Registry(offered=(buy,), steps=(charge, refund, order)),
    flow=FlowTable("ready", {}, {"ready": frozenset({"buy"})}),
    prompt=Prompt(system="You buy what people ask for."),
)
