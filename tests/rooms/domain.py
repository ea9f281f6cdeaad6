"""Arrange meetings: find a room, hold it, book it, order coffee.

Everything that Daybook is told about this domain stands here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from daybook.state.agent import AgentState
from daybook.state.context import EffectContext, PlanContext, ReadContext
from daybook.state.effects.bind import take
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Outcome
from daybook.state.errors import ToolRefused
from daybook.state.flow import FlowTable
from daybook.state.ledger.plan import Action
from daybook.state.session import Session
from daybook.tools.domain import Change, Domain, Prompt, State, Update
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import Undo, change, hybrid, plan, read, write
from daybook.tools.outcomes import outcome_line
from daybook.tools.registry import Registry
from daybook.tools.services.contract import Contract
from daybook.tools.services.http import HttpService
from daybook.tools.signature import checked

Room = Annotated[str, Field(description="name of a room", min_length=1, max_length=40)]
People = Annotated[int, Field(description="how many come", ge=1, le=100)]

Reading: TypeAlias = ReadContext[HttpService]
Planning: TypeAlias = PlanContext[HttpService]
Acting: TypeAlias = EffectContext[HttpService]


# -- state -----------------------------------------------------------------------------------------


class Meeting(BaseModel):
    """The meeting that is being arranged."""

    model_config = ConfigDict(frozen=True)

    day: Annotated[date, Field(description="when")]
    people: People
    booking_id: Annotated[str | None, Field(description="of the office, once booked")] = None


class RoomsState(AgentState, total=False):
    """The state of a thread that arranges meetings."""

    meeting: Annotated[Meeting | None, Field(title="Meeting", description="what is arranged")]


# -- tools -----------------------------------------------------------------------------------------


@read(lifetime=300, tags=("rooms:{day}",))
async def free_rooms(day: date, people: People, *, ctx: Reading) -> Any:
    """List the rooms that are free on a day and have enough seats."""
    return await ctx.services.get("/rooms", day=day.isoformat(), people=people)


@change
async def note_meeting(day: date, people: People, *, ctx: Reading) -> dict[str, Any]:
    """Note which meeting is to be arranged."""
    return Meeting(day=day, people=people).model_dump()


def found_at(path: str) -> Callable[..., Awaitable[list[Mapping[str, Any]]]]:
    """Make the probe of an effect: all that the office shows under its key."""

    async def probe(args: Mapping[str, Any], *, ctx: Acting) -> list[Mapping[str, Any]]:
        found = await ctx.services.get(path, reference=ctx.key)
        matches: list[Mapping[str, Any]] = found["matches"]
        return matches

    return probe


async def post(path: str, body: Mapping[str, Any], ctx: Acting) -> Outcome:
    """Send one effect to the office, once, with its key as reference."""
    return await ctx.services.post(
        path, {**body, "reference": ctx.key}, key=ctx.key, deadline=ctx.deadline
    )


# The office shows a hold at most a second after whoever asked for it has given up.
PROVABLE = Guarantees(settle=timedelta(seconds=1))
KEYED = Guarantees(
    honours_key=True, stores_failures=True, retention=timedelta(days=1), settle=timedelta(seconds=1)
)

# What the office's answers prove: these two noes are final, and "busy" is said before the effect.
OFFICE = Contract(
    name="the office",
    guarantees=KEYED,
    declined={"full", "no_hold"},
    not_done={"busy"},
    code=(("error",),),
    message=(("message",),),
)


@hybrid(
    guarantees=PROVABLE,
    probe=found_at("/holds"),
    reference="id",
    evidence=lambda args: {"room": args["room"], "day": args["day"]},
    undo=Undo(
        tool="release_room",
        args=lambda args, result: {"hold_id": result["id"]},
        settled_by=frozenset({"no_hold"}),
    ),
)
async def hold_room(room: Room, day: date, *, ctx: Acting) -> Outcome:
    """Hold a room for a while."""
    return await post("/holds", {"room": room, "day": day.isoformat()}, ctx)


@write(guarantees=KEYED, probe=found_at("/releases"), reference="id")
async def release_room(hold_id: str, *, ctx: Acting) -> Outcome:
    """Give a held room back."""
    return await post("/releases", {"hold_id": hold_id}, ctx)


@write(guarantees=KEYED, probe=found_at("/bookings"), reference="id", makes_stale=("rooms:{day}",))
async def book(hold_id: str, day: date, title: str, *, ctx: Acting) -> Outcome:
    """Book the room that is held."""
    return await post("/bookings", {"hold_id": hold_id, "title": title}, ctx)


async def order_coffee(
    room: Room, cups: Annotated[int, Field(ge=1, le=100)], *, ctx: Acting
) -> Outcome:
    """Order coffee to a room."""
    return await post("/coffee", {"room": room, "cups": cups}, ctx)


@plan
async def book_room(
    room: Room, title: Annotated[str, Field(max_length=80)] = "Meeting", *, ctx: Planning
) -> ActionDraft:
    """Book a room for the meeting that was noted. Asks for approval."""
    meeting: Meeting | None = ctx.state["meeting"]
    if meeting is None:
        raise ToolRefused("No meeting is noted yet. Note day and number of people first.")
    day = meeting.day
    business = f"room/{room}/{day}/{ctx.session.user_id}"
    return ActionDraft(
        tool="book_room",
        args={"room": room, "title": title},
        title=f"Book {room} on {day}",
        summary=(f"for {meeting.people} people", f"as “{title}”"),
        steps=(
            StepDraft("hold", "hold_room", f"{business}/hold", {"room": room, "day": day}),
            StepDraft(
                "book",
                "book",
                f"{business}/book",
                {"day": day, "title": title},
                binds={"hold_id": take("hold", "id")},
                pivot=True,
            ),
        ),
    )


# -- what events and finished plans do to the state ------------------------------------------------


def apply(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    """Take a meeting, from the model's tool or from the office's calendar page."""
    meeting = Meeting.model_validate(checked(Meeting, event))
    return Change(
        update={"meeting": meeting},
        text=f"meeting: {meeting.people} people on {meeting.day}",
        trigger="meeting.noted",
    )


def settled(state: State, action: Action) -> Update:
    """Keep the number of a booking."""
    if action.tool != "book_room" or not action.succeeded:
        return {}
    return {"meeting": state["meeting"].model_copy(update={"booking_id": _number(action)})}


# -- what the model is told ------------------------------------------------------------------------


def shown_read(tool: str, handle: int, result: Any, hidden: Sequence[str]) -> str:
    """Render a read."""
    rooms = [f"{room['room']} ({room['seats']} seats)" for room in result["rooms"]]
    return f"r{handle} {tool}: {', '.join(rooms) or 'no room is free'}"


def shown_state(state: State, session: Session) -> list[str]:
    """Render what changes with every call."""
    meeting: Meeting | None = state["meeting"]
    return [f"meeting: {meeting.model_dump_json() if meeting else 'none'}"]


def done(action: Action) -> str:
    """Say what was reached, in one line."""
    if action.tool == "order_coffee":
        return f"{action.args['cups']} cups to {action.args['room']}"
    return f"{action.args['room']} is booked, number {_number(action)}"


def _number(action: Action) -> str:
    """Return the office's number, or what a person gave who had to say that it happened."""
    booked = action.step("book").result or {}
    return str(booked.get("id") or booked.get("reference") or "unknown")


# -- the domain ------------------------------------------------------------------------------------

ARRANGING, BOOKING, BOOKED = "arranging", "booking", "booked"

ROOMS = Domain(
    name="rooms",
    state=RoomsState,
    registry=Registry(
        offered=(free_rooms, note_meeting, book_room, order_coffee),
        steps=(hold_room, release_room, book),
    ),
    flow=FlowTable(
        start=ARRANGING,
        moves={
            (ARRANGING, "meeting.noted"): ARRANGING,
            (BOOKED, "meeting.noted"): ARRANGING,
            (ARRANGING, "book_room.opened"): BOOKING,
            (BOOKING, "book_room.succeeded"): BOOKED,
            (BOOKING, "book_room.failed"): ARRANGING,
        },
        offered={
            ARRANGING: frozenset({"free_rooms", "note_meeting", "book_room", "order_coffee"}),
            BOOKING: frozenset({"free_rooms"}),
            BOOKED: frozenset({"free_rooms", "note_meeting", "order_coffee"}),
        },
    ),
    prompt=Prompt(
        system="You arrange meetings: find a room, note the meeting, book it, order coffee.",
        read=shown_read,
        tail=shown_state,
    ),
    initial=lambda session, turn_id, services: {"meeting": None},
    apply=apply,
    settled=settled,
    outcome=lambda action: outcome_line(action, done),
)
