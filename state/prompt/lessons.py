"""Lessons: failures of a tenant's users, counted by tool, flow position and error code.

A lesson holds codes and counts, and nothing that a user wrote. Only the prompt reads lessons:
nothing executes from them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

MOST_SHOWN = 3
"""Lessons in one prompt."""

_LEARNT_AT, _LEARNT_OF = 3, 2
"""Failures, and users that they happened to, before a lesson is shown."""

_CODE = re.compile(r"(?=.{1,50}$)[a-z]+(_([a-z]+|[0-9]{1,3}))*")
"""The table `lesson` checks the same form."""


class Lesson(BaseModel):
    """One class of failures, of a tenant and of no user."""

    model_config = ConfigDict(frozen=True)

    tool: str = Field(description="name in the registry")
    flow: str = Field(description="flow position of the call")
    error: str = Field(description="code of the failure: out_of_stock, declined:card_declined")
    count: int = Field(description="how often it happened")
    people: int = Field(default=0, description="users that it happened to, at least")
    helped: int = Field(default=0, description="successes of the tool after it was shown")
    missed: int = Field(default=0, description="failures of its kind after it was shown")
    retired_at: datetime | None = Field(default=None, description="UTC; from then on not shown")

    @property
    def is_learnt(self) -> bool:
        """Tell whether it happened often enough, and to enough users, to be shown."""
        return self.count >= _LEARNT_AT and self.people >= _LEARNT_OF


def line_of(lesson: Lesson) -> str:
    """Write a lesson for the prompt."""
    return f"{lesson.tool} failed {lesson.count} times here with {lesson.error}"


def applicable(
    lessons: Iterable[Lesson], flow: str, offered: Collection[str]
) -> tuple[Lesson, ...]:
    """Choose the lessons for a prompt: the most frequent, of equals the first.

    Args:
        lessons: those that are not retired.
        offered: tools that the model may call at the flow position.
    """
    here = [one for one in lessons if one.flow == flow and one.tool in offered and one.is_learnt]
    return tuple(sorted(here, key=lambda one: -one.count)[:MOST_SHOWN])


def error_code(given: object, otherwise: str) -> str:
    """Return a code as a lesson keeps it, or `otherwise` where it has not the form of one.

    Words in lower case with underscores, such as `card_declined` or `smtp_550`: a sentence, an id
    or an address has not that form, so none of them gets into a lesson.
    """
    code = given.lower() if isinstance(given, str) else ""
    return code if _CODE.fullmatch(code) else otherwise
