"""Changes of the brief: how the interview begins, notes answers, and is handed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, ValidationError

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

_NOTED = frozenset(Brief.model_fields) - {"wish"}

BRIEF_EVENTS = ("interview", "brief", "hand_over")
"""Types of the events that change the brief."""

MustHave = Annotated[list[Words], Field(max_length=MOST_MUST_HAVES)]


@change
async def start_interview(
    goal: Annotated[Goal, Field(description="what the customer wants, in a few words")],
    *,
    ctx: Context,
) -> dict[str, Any]:
    """Let the interviewer ask what is needed; also when the goal changes. A new brief begins."""
    return {"type": "interview", "goal": goal}


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
    """Note what the customer answered; a given slot replaces what was noted before."""
    given = {
        "goal": goal,
        "category": category,
        "max_price": max_price,
        "size": size,
        "for_whom": for_whom,
        "must_have": must_have,
    }
    slots = {name: value for name, value in given.items() if value is not None}
    if not slots:
        raise ToolRefused("Give at least one slot.")
    if category:
        await _check_category(category, ctx)
    return {"type": "brief", **slots}


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
    return {"type": "hand_over", "declined": declined, "wish": wish}


def apply(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    """Apply an event of the brief.

    Raises:
        ToolRefused: it does not fit, or the flow stands where it cannot happen.
    """
    try:
        return _applied(state, event, turn_id)
    except ValidationError as error:
        raise ToolRefused(f"The brief event is invalid: {faults_of(error, 'event')}.") from error


def _applied(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    before: Brief = state.get("brief", Brief())
    if event["type"] == "interview":
        _check_at(state, AT_REST, "An interview can only begin while nothing else is in progress.")
        brief = Brief(goal=event.get("goal", ""))
        if not brief.goal:
            raise ToolRefused("An interview needs a goal. Say what the customer wants.")
        return Change({"brief": brief}, f"interview: goal={brief.goal}", "interview.started")
    if event["type"] == "brief":
        _check_at(state, (INTERVIEWING,), "The brief can be changed only in an interview.")
        slots = {name: event[name] for name in _NOTED if name in event}
        brief = noted(before, **slots)
        told = described(noted(Brief(), **slots), state["cart"].currency)
        return Change({"brief": brief}, f"brief: {told or 'a slot was emptied'}")
    _check_at(state, (INTERVIEWING,), "There is no interview to hand over.")
    if before.missing and not (event.get("declined") or event.get("wish")):
        raise ToolRefused(
            f"The brief has no {' and no '.join(before.missing)} yet. Ask for it, or hand over "
            "with declined=true if the customer will not say more."
        )
    wish = Wish(text=event["wish"], turn_id=turn_id) if event.get("wish") else None
    brief = before.model_copy(update={"wish": wish})
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
        raise ToolRefused(f"{sentence} The flow position is {state['flow']}. Nothing was changed.")


async def _check_category(category: str, ctx: Context) -> None:
    """Refuse a category that the shop does not have: a search by it would find nothing."""
    found = await ctx.services.shop.get("/categories")
    known = [one["slug"] for one in found["categories"]]
    if category not in known:
        raise ToolRefused(
            f"Unknown category {category}; known are: {', '.join(known)}.", code="not_found"
        )
