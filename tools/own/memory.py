"""Remember and forget what a person says about themselves, across their threads."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from daybook.state.context import ReadContext
from daybook.state.people.facts import Kind, fact_of, forgotten, subject_of
from daybook.tools.kinds import change

Subject = Annotated[str, Field(description="what it is about, such as shoe size")]


@change
async def remember(
    subject: Subject,
    value: Annotated[str, Field(description="what the person says of it, in a few words")],
    kind: Annotated[
        Kind, Field(description="what is so, what they like, or what must be kept to")
    ] = "fact",
    *,
    ctx: ReadContext[Any],
) -> dict[str, Any]:
    """Remember what the person says about themselves, for this and later conversations.

    A later word on the same subject takes the place of the earlier one. Never a card number, a
    password or an address.
    """
    fact = fact_of(subject, value, kind, ctx.session.thread_id, ctx.clock.now())
    return {"type": "remember", **fact.model_dump(mode="json")}


@change
async def forget(subject: Subject, *, ctx: ReadContext[Any]) -> dict[str, Any]:
    """Forget what is known of the person on one subject, when they ask for it."""
    # Refused here, where what is known can be named.
    forgotten(ctx.state.get("facts", ()), subject)
    return {"type": "forget", "subject": subject_of(subject)}
