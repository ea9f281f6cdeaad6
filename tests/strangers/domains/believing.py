"""Buy from a service of which somebody declares what they believe."""

from typing import Any

from daybook.state.effects.bind import take
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Outcome
from daybook.state.flow import FlowTable
from daybook.tools.domain import Domain, Prompt
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import Undo, hybrid, plan, write
from daybook.tools.registry import Registry
from daybook.tools.services.contract import Contract
from daybook.tools.services.http import HttpService

DECLINES = {"card_declined", "sold_out", "no_such_charge", "refunded"}


def reach(url: str, believed: Guarantees) -> HttpService:
    """Reach the service, with a contract that says what is believed of it."""
    return HttpService(url, contract=Contract(name="it", guarantees=believed, declined=DECLINES))


async def post(path: str, ctx: Any, **body: Any) -> Outcome:
    named = {**body, "customer": ctx.session.user_id, "reference": ctx.key}
    return await ctx.services.post(path, named, key=ctx.key, deadline=ctx.deadline)


def domain(believed: Guarantees, *, reference: Any = "id", asks: str = "reference") -> Domain:
    """Make the domain.

    Args:
        reference: what is believed to name a charge.
        asks: the filter by which it is believed that a charge can be looked up.
    """

    async def found(args: Any, *, ctx: Any) -> Any:
        shown = await ctx.services.get("/charges", **{asks: ctx.key})
        return shown.get("matches", shown.get("data"))

    back = Undo("refund", lambda args, result: {"charge_id": result["id"]}, frozenset({"refunded"}))

    @hybrid(guarantees=believed, reference=reference, owner="customer", probe=found, undo=back)
    async def charge(amount: int, currency: str, *, ctx: Any) -> Outcome:
        """Charge the customer."""
        return await post("/charges", ctx, amount=amount, currency=currency)

    @write(guarantees=believed)
    async def refund(charge_id: str, *, ctx: Any) -> Outcome:
        """Give the money back."""
        return await post("/refunds", ctx, charge_id=charge_id)

    @write(guarantees=believed)
    async def order(item: str, charge_id: str, *, ctx: Any) -> Outcome:
        """Order what was paid."""
        return await post("/orders", ctx, item=item, charge_id=charge_id)

    @plan
    async def buy(item: str, amount: int, *, ctx: Any) -> ActionDraft:
        """Buy an item. Asks for approval."""
        op, money = f"buy/{ctx.turn_id}", {"amount": amount, "currency": "USD"}
        paid = {"charge_id": take("charge", "id")}
        steps = (
            StepDraft("charge", "charge", f"{op}/charge", money),
            StepDraft("order", "order", f"{op}/order", {"item": item}, paid, pivot=True),
        )
        return ActionDraft("buy", {"item": item, "amount": amount}, f"Buy {item}", steps)

    return Domain(
        name="believing",
        registry=Registry(offered=(buy,), steps=(charge, refund, order)),
        flow=FlowTable("ready", {}, {"ready": frozenset({"buy"})}),
        prompt=Prompt(system="You buy what people ask for."),
    )
