"""Lease a slot of a service that gives its numbers again, and order it."""

from datetime import timedelta
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

SERVICE = Contract(
    name="reusing",
    guarantees=Guarantees(settle=timedelta(seconds=1.5)),
    declined={"card_declined", "sold_out", "no_such_charge", "lease_over"},
)
KNOWN = {"guarantees": SERVICE.guarantees, "owner": "customer"}
LEASED = {"slot": take("lease", "slot"), "lease": take("lease", "lease")}
BACK = Undo(
    "release",
    lambda args, result: {"slot": result["slot"], "lease": result["lease"]},
    frozenset({"lease_over"}),
)


def reach(url: str) -> HttpService:
    return HttpService(url, contract=SERVICE)


async def post(path: str, ctx: Any, **body: Any) -> Outcome:
    named = {**body, "customer": ctx.session.user_id, "reference": ctx.key}
    return await ctx.services.post(path, named, key=ctx.key, deadline=ctx.deadline)


async def found_lease(args: Any, *, ctx: Any) -> Any:
    return (await ctx.services.get("/leases", reference=ctx.key))["matches"]


async def found_order(args: Any, *, ctx: Any) -> Any:
    return (await ctx.services.get("/orders", reference=ctx.key))["matches"]


@hybrid(**KNOWN, reference=("slot", "lease"), probe=found_lease, undo=BACK)
async def lease(*, ctx: Any) -> Outcome:
    """Lease a slot."""
    return await post("/leases", ctx)


@write(guarantees=SERVICE.guarantees)
async def release(slot: str, lease: str, *, ctx: Any) -> Outcome:
    """Give the slot back."""
    return await post("/releases", ctx, slot=slot, lease=lease)


@write(**KNOWN, reference="id", probe=found_order)
async def order(item: str, slot: str, lease: str, *, ctx: Any) -> Outcome:
    """Order what goes into the slot."""
    return await post("/orders", ctx, item=item, slot=slot, lease=lease)


@plan
async def buy(item: str, amount: int, *, ctx: Any) -> ActionDraft:
    """Buy an item. Asks for approval."""
    op = f"buy/{ctx.turn_id}"
    steps = (
        StepDraft("lease", "lease", f"{op}/charge", {}),
        StepDraft("order", "order", f"{op}/order", {"item": item}, LEASED, pivot=True),
    )
    return ActionDraft("buy", {"item": item, "amount": amount}, f"Buy {item}", steps)


DOMAIN = Domain(
    name="reusing",
    registry=Registry(offered=(buy,), steps=(lease, release, order)),
    flow=FlowTable("ready", {}, {"ready": frozenset({"buy"})}),
    prompt=Prompt(system="You buy what people ask for."),
)
