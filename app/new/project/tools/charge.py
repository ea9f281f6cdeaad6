"""A write: an effect at a service, recorded before and after it is sent."""

from __future__ import annotations

from daybook import Outcome, write

from tools.desk import KEYED, Acting, looked_up


@write(
    guarantees=KEYED,
    probe=looked_up("/charges"),
    reference="id",
    evidence=lambda args: {"amount": args["amount"], "currency": args["currency"]},
    money=("amount", "currency"),
)
async def charge(hold: str, amount: int, currency: str, *, ctx: Acting) -> Outcome:
    """Charge the card for a held bike; the amount is in cents."""
    body = {"hold": hold, "amount": amount, "currency": currency, "reference": ctx.key}
    return await ctx.services.post("/charges", body, key=ctx.key, deadline=ctx.deadline)
