"""Send parcels: tools that pass on whatever the model writes, beside tools that know their types."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, TypeAlias

from pydantic import WithJsonSchema

from daybook.state.agent import AgentState
from daybook.state.context import EffectContext, PlanContext, ReadContext
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Outcome
from daybook.state.errors import ToolRefused
from daybook.state.flow import FlowTable
from daybook.tools.domain import Change, Domain, Prompt, State
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import change, plan, read, write
from daybook.tools.registry import Registry
from daybook.tools.services.http import HttpService

Reading: TypeAlias = ReadContext[HttpService]
Planning: TypeAlias = PlanContext[HttpService]
Acting: TypeAlias = EffectContext[HttpService]

KEYED = Guarantees(
    honours_key=True,
    stores_failures=True,
    retention=timedelta(days=1),
    settle=timedelta(seconds=1),
)

TO = {"type": "object", "properties": {"to": {"type": "string"}}}


class ParcelsState(AgentState, total=False):
    """The state of a thread that sends parcels."""

    notes: list[str]


@read()
async def look(*, ctx: Reading, **arguments: Any) -> Any:
    """See what the depot has done so far."""
    return await ctx.services.get("/done")


@change
async def note(text: str, *, ctx: Reading) -> dict[str, Any]:
    """Note something."""
    return {"type": "noted", "text": text}


@read()
async def notes(*, ctx: Reading) -> Any:
    """Read the notes."""
    return {"notes": list(ctx.state["notes"])}


@write(guarantees=KEYED, approval="never", makes_stale=("done",))
async def send(*, ctx: Acting, **arguments: Annotated[Any, WithJsonSchema(TO)]) -> Outcome:
    """Send a parcel as it is described."""
    return await ctx.services.post("/send", arguments, key=ctx.key, deadline=ctx.deadline)


@write(guarantees=KEYED)
async def insure(*, ctx: Acting, **arguments: Any) -> Outcome:
    """Insure a parcel. Asks for approval."""
    return await ctx.services.post("/insure", arguments, key=ctx.key, deadline=ctx.deadline)


@write(
    guarantees=KEYED,
    approval="never",
    operation=lambda args: f"parcel/{args['parcel']}/return",
)
async def give_back(
    parcel: str, details: dict[str, Any] | None = None, copies: int = 1, *, ctx: Acting
) -> Outcome:
    """Give a parcel back."""
    body = {"parcel": parcel, "details": details, "copies": copies}
    return await ctx.services.post("/give_back", body, key=ctx.key, deadline=ctx.deadline)


@plan
async def collect(parcel: str, words: str = "", *, ctx: Planning) -> ActionDraft:
    """Have a parcel collected."""
    if parcel == "none":
        raise ToolRefused("There is no such parcel.")
    step = StepDraft(
        "collect",
        "insure",
        f"parcel/{parcel}/collect",
        {"words": words, "parcel": parcel},
        pivot=True,
    )
    given = {"parcel": parcel, "words": words}
    return ActionDraft("collect", given, f"Collect {parcel}", (step,))


def apply(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    """Take a note."""
    return Change(update={"notes": [*state["notes"], event["text"]]}, text=f"noted {event['text']}")


HERE = "here"
PARCELS = Domain(
    name="parcels",
    state=ParcelsState,
    registry=Registry(offered=(look, note, notes, send, insure, give_back, collect)),
    flow=FlowTable(
        start=HERE,
        moves={},
        offered={
            HERE: frozenset({"look", "note", "notes", "send", "insure", "give_back", "collect"})
        },
    ),
    prompt=Prompt(system="You send parcels."),
    initial=lambda session, turn_id, services: {"notes": []},
    apply=apply,
)
