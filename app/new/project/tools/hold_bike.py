"""A hybrid: an effect that must be undone if the rest of its plan fails."""

from __future__ import annotations

from datetime import date

from daybook import Outcome, Undo, hybrid, write

from tools.desk import FOUND, KEYED, Acting, looked_up


@write(guarantees=KEYED, probe=looked_up("/releases"), reference="id")
async def give_back(hold: str, *, ctx: Acting) -> Outcome:
    """Release a held bike."""
    body = {"hold": hold, "reference": ctx.key}
    return await ctx.services.post("/releases", body, key=ctx.key, deadline=ctx.deadline)


@hybrid(
    guarantees=FOUND,
    probe=looked_up("/holds"),
    reference="id",
    evidence=lambda args: {"bike": args["bike"], "day": args["day"]},
    undo=Undo(
        tool="give_back",
        args=lambda args, result: {"hold": result["id"]},
        settled_by=frozenset({"no_hold"}),
    ),
    makes_stale=("bikes:{day}",),
)
async def hold_bike(bike: str, day: date, *, ctx: Acting) -> Outcome:
    """Hold a bike for a day."""
    body = {"bike": bike, "day": day.isoformat(), "reference": ctx.key}
    return await ctx.services.post("/holds", body, key=ctx.key, deadline=ctx.deadline)
