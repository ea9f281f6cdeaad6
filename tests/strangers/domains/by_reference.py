"""Buy from a service by reference: what the domains of several services share."""

from collections.abc import Callable
from typing import Any

from daybook.state.effects.bind import take
from daybook.state.effects.outcome import Outcome
from daybook.state.flow import FlowTable
from daybook.tools.domain import Domain, Prompt
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import Undo, hybrid, plan, write
from daybook.tools.registry import Registry
from daybook.tools.services.contract import Contract
from daybook.tools.services.http import HttpService

PAID = {"charge_id": take("charge", "id")}
BACK = Undo("refund", lambda args, result: {"charge_id": result["id"]}, frozenset({"refunded"}))


def reaching(contract: Contract) -> Callable[[str], HttpService]:
    """Return what opens a client of the service at an address."""
    return lambda url: HttpService(url, contract=contract)


async def post(path: str, ctx: Any, **body: Any) -> Outcome:
    named = {**body, "customer": ctx.session.user_id, "reference": ctx.key}
    return await ctx.services.post(path, named, key=ctx.key, deadline=ctx.deadline)


def found_at(path: str) -> Any:
    async def probe(args: Any, *, ctx: Any) -> Any:
        return (await ctx.services.get(path, reference=ctx.key))["matches"]

    return probe


def buying(contract: Contract) -> Domain:
    """Make the domain that buys from a service under its contract."""
    known: dict[str, Any] = {
        "guarantees": contract.guarantees,
        "reference": "id",
        "owner": "customer",
    }

    @hybrid(**known, probe=found_at("/charges"), evidence=dict, undo=BACK)
    async def charge(amount: int, currency: str, *, ctx: Any) -> Outcome:
        """Charge the customer."""
        return await post("/charges", ctx, amount=amount, currency=currency)

    @write(**known, probe=found_at("/refunds"))
    async def refund(charge_id: str, *, ctx: Any) -> Outcome:
        """Give the money back."""
        return await post("/refunds", ctx, charge_id=charge_id)

    @write(**known, probe=found_at("/orders"))
    async def order(item: str, charge_id: str, *, ctx: Any) -> Outcome:
        """Order what was paid."""
        return await post("/orders", ctx, item=item, charge_id=charge_id)

    @plan
    async def buy(item: str, amount: int, *, ctx: Any) -> ActionDraft:
        """Buy an item. Asks for approval."""
        op, money = f"buy/{ctx.turn_id}", {"amount": amount, "currency": "USD"}
        steps = (
            StepDraft("charge", "charge", f"{op}/charge", money),
            StepDraft("order", "order", f"{op}/order", {"item": item}, PAID, pivot=True),
        )
        return ActionDraft("buy", {"item": item, "amount": amount}, f"Buy {item}", steps)

    return Domain(
        name=contract.name,
        registry=Registry(offered=(buy,), steps=(charge, refund, order)),
        flow=FlowTable("ready", {}, {"ready": frozenset({"buy"})}),
        prompt=Prompt(system="You buy what people ask for."),
    )
