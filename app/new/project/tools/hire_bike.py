"""A plan: the model asks for it by one call, its steps are fixed, and one question shows them."""

from __future__ import annotations

from datetime import date

from daybook import Money, ToolRefused, plan
from daybook.domain import ActionDraft, StepDraft, take

from tools.desk import Planning


@plan
async def hire_bike(bike: str, day: date, *, ctx: Planning) -> ActionDraft:
    """Hire a bike for a day: hold it and charge the card. Asks for approval."""
    free = (await ctx.services.get("/bikes", day=day.isoformat()))["bikes"]
    found = next((one for one in free if one["bike"] == bike), None)
    if found is None:
        raise ToolRefused(f"The bike {bike} is not free on {day}. Nothing was done.")
    # Names the business operation, and so the key: asked for twice, it is hired once.
    hire = f"hire/{bike}/{day}/{ctx.session.user_id}"
    price = {"amount": found["amount"], "currency": found["currency"]}
    return ActionDraft(
        tool="hire_bike",
        args={"bike": bike, "day": day},
        title=f"Hire the {bike} bike on {day}",
        total=Money(**price),
        steps=(
            StepDraft("hold", "hold_bike", f"{hire}/hold", {"bike": bike, "day": day}),
            # The pivot: what was done before it is given back if it fails.
            StepDraft(
                "charge",
                "charge",
                f"{hire}/charge",
                price,
                binds={"hold": take("hold", "id")},
                pivot=True,
            ),
        ),
    )
