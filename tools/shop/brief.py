"""Changes of the brief: how the interview begins, is noted down, and is handed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from daybook.state.errors import ToolRefused
from daybook.state.misfits import faults_of
from daybook.state.shop.brief import (
    MOST_MUST_HAVES,
    Brief,
    Goal,
    Slug,
    Wish,
    Words,
    described,
    noted,
)
from daybook.tools.domain import Change, State
from daybook.tools.kinds import change
from daybook.tools.shop.catalog import Context
from daybook.tools.shop.positions import AT_REST, INTERVIEWING

BRIEF_EVENTS = ("interview", "brief", "hand_over")
"""Types of the events that change the brief."""

MustHave = Annotated[list[Words], Field(max_length=MOST_MUST_HAVES)]


class Interviewed(BaseModel):
    """An interview was begun: a new goal, and nothing is known of it yet."""

    type: Literal["interview"] = "interview"
    goal: Goal


class Noted(BaseModel):
    """Slots of the brief were filled."""

    type: Literal["brief"] = "brief"
    goal: Goal | None = None
    category: Slug | None = None
    max_price: int | None = Field(default=None, gt=0)
    size: Words | None = None
    for_whom: Words | None = None
    must_have: MustHave | None = None


class HandedOver(BaseModel):
    """The brief was handed over, filled or because the customer would not say more."""

    type: Literal["hand_over"] = "hand_over"
    declined: bool = False
    wish: Words = ""


_EVENT: TypeAdapter[Interviewed | Noted | HandedOver] = TypeAdapter(
    Annotated[Interviewed | Noted | HandedOver, Field(discriminator="type")]
)


@change
async def start_interview(
    goal: Annotated[Goal, Field(description="what the customer wants, in a few words")],
    *,
    ctx: Context,
) -> dict[str, Any]:
    """Let the interviewer ask what is needed; also when the goal changes. A new brief begins."""
    return Interviewed(goal=goal).model_dump(mode="json")


@change
async def note_brief(
    goal: Annotated[Goal | None, Field(description="only where it changed")] = None,
    category: Annotated[Slug | None, Field(description="a slug of list_categories")] = None,
    max_price: Annotated[int | None, Field(gt=0, description="in integer cents")] = None,
    size: Words | None = None,
    for_whom: Annotated[Words | None, Field(description="if it is for somebody else")] = None,
    must_have: Annotated[
        MustHave | None, Field(description="all of them, each in a word or two")
    ] = None,
    *,
    ctx: Context,
) -> dict[str, Any]:
    """Note down what the customer answered; what is given takes the place of what was noted."""
    slots = Noted(
        goal=goal,
        category=category,
        max_price=max_price,
        size=size,
        for_whom=for_whom,
        must_have=must_have,
    ).model_dump(mode="json", exclude_none=True)
    if slots.keys() == {"type"}:
        raise ToolRefused("Nothing was given to note. Name at least one slot.")
    if category:
        await _check_category(category, ctx)
    return slots


@change
async def hand_over(
    declined: Annotated[bool, Field(description="the customer will not say more")] = False,
    wish: Annotated[
        Words, Field(description="what the customer asks for instead, in a few words")
    ] = "",
    *,
    ctx: Context,
) -> dict[str, Any]:
    """Hand over to the shopper: goal and category are known, or the customer will not say more."""
    return HandedOver(declined=declined, wish=wish).model_dump(mode="json")


def apply(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    """Apply an event of the brief.

    Raises:
        ToolRefused: it is none, or the flow stands where it cannot happen.
    """
    try:
        happened = _EVENT.validate_python({k: v for k, v in event.items() if k != "id"})
    except ValidationError as error:
        raise ToolRefused(f"This is no event of a brief: {faults_of(error, 'event')}.") from error
    before: Brief = state.get("brief", Brief())
    currency = state["cart"].currency
    match happened:
        case Interviewed(goal=goal):
            _check_at(state, AT_REST, "An interview can begin while nothing else is under way.")
            if not goal:
                raise ToolRefused("An interview has a goal. Say what the customer wants.")
            brief = Brief(goal=goal)
            return Change({"brief": brief}, f"interview: goal={goal}", "interview.started")
        case Noted():
            _check_at(state, (INTERVIEWING,), "The brief is noted down in an interview.")
            slots = happened.model_dump(exclude={"type"})
            brief = noted(before, **slots)
            told = described(noted(Brief(), **slots), currency)
            return Change({"brief": brief}, f"brief: {told or 'a slot was emptied'}")
        case HandedOver(declined=declined, wish=wish):
            _check_at(state, (INTERVIEWING,), "There is no interview to hand over.")
            if before.missing and not (declined or wish):
                raise ToolRefused(
                    f"The brief has no {' and no '.join(before.missing)} yet. Ask for it, or hand "
                    "over with declined=true where the customer will not say more."
                )
            asked = Wish(text=wish, turn_id=turn_id) if wish else None
            brief = before.model_copy(update={"wish": asked})
            return Change({"brief": brief}, "brief handed over to the shopper", "brief.filled")


_SLOTS: Mapping[str, str] = {"size": "size", "budget": "max_price", "price": "max_price"}
"""A word of a subject to the slot of the brief that holds it."""


def forgets(state: State, subject: str) -> dict[str, Any]:
    """Empty the slots of the brief that hold a subject which the user wants forgotten."""
    brief: Brief = state.get("brief", Brief())
    empty = Brief()
    slots = {_SLOTS[word] for word in subject.split() if word in _SLOTS}
    left = brief.model_copy(update={slot: getattr(empty, slot) for slot in slots})
    return {} if left == brief else {"brief": left}


def _check_at(state: State, positions: tuple[str, ...], sentence: str) -> None:
    if state["flow"] not in positions:
        raise ToolRefused(f"{sentence} The flow stands at {state['flow']}. Nothing was changed.")


async def _check_category(category: str, ctx: Context) -> None:
    """Refuse a category that the shop does not have: a search by it would find nothing."""
    found = await ctx.services.shop.get("/categories")
    known = [one["slug"] for one in found["categories"]]
    if category not in known:
        raise ToolRefused(
            f"There is no category {category}; there are: {', '.join(known)}.", code="not_found"
        )
