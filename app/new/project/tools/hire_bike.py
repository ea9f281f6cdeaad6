"""A plan: the model calls it once, its steps are fixed, and one approval covers them all."""

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
    # The business operation, from which the keys are made: if requested twice, it is done once.
    hire = f"hire/{bike}/{day}/{ctx.session.user_id}"
    price = {"amount": found["amount"], "currency": found["currency"]}
    return ActionDraft(
        tool="hire_bike",
        args={"bike": bike, "day": day},
        title=f"Hire the {bike} bike on {day}",
        total=Money(**price),
        steps=(
            StepDraft("hold", "hold_bike", f"{hire}/hold", {"bike": bike, "day": day}),
            # The pivot: if it fails, the steps before it are undone.
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
