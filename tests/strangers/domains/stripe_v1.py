"""Buy from a service like Stripe's API v1: forms, keys, stored errors, a search that lags."""

from typing import Any

from daybook.state.effects.bind import take
from daybook.state.effects.outcome import Outcome
from daybook.state.flow import FlowTable
from daybook.tools.domain import Domain, Prompt
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import Undo, hybrid, plan, write
from daybook.tools.registry import Registry
from daybook.tools.services.contract import STRIPE_V1
from daybook.tools.services.http import HttpService

KNOWN = {"guarantees": STRIPE_V1.guarantees, "reference": "id", "owner": "customer"}
PAID = {"charge_id": take("charge", "id")}
BACK = Undo(
    "refund",
    lambda args, result: {"charge_id": result["id"]},
    frozenset({"charge_already_refunded"}),
)


def reach(url: str) -> HttpService:
    return HttpService(
        url, contract=STRIPE_V1, headers={"Authorization": "Bearer sk_test_strangers"}
    )


async def post(path: str, ctx: Any, **body: Any) -> Outcome:
    named = {**body, "customer": ctx.session.user_id, "metadata": {"reference": ctx.key}}
    return await ctx.services.post(path, named, key=ctx.key, deadline=ctx.deadline)


async def found_charge(args: Any, *, ctx: Any) -> Any:
    query = f"metadata['reference']:'{ctx.key}'"
    return (await ctx.services.get("/v1/charges/search", query=query))["data"]


@hybrid(**KNOWN, probe=found_charge, evidence=lambda args: {"amount": args["amount"]}, undo=BACK)
async def charge(amount: int, currency: str, *, ctx: Any) -> Outcome:
    """Charge the customer's card."""
    return await post("/v1/charges", ctx, amount=amount, currency=currency, source="tok_visa")


@write(**KNOWN)
async def refund(charge_id: str, *, ctx: Any) -> Outcome:
    """Give the money back."""
    return await post("/v1/refunds", ctx, charge=charge_id)


@write(**KNOWN)
async def order(item: str, charge_id: str, *, ctx: Any) -> Outcome:
    """Order what was paid."""
    return await post("/v1/orders", ctx, item=item, charge=charge_id)


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
    name="stripe_v1",
    registry=Registry(offered=(buy,), steps=(charge, refund, order)),
    flow=FlowTable("ready", {}, {"ready": frozenset({"buy"})}),
    prompt=Prompt(system="You buy what people ask for."),
)
