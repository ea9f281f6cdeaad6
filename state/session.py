"""Who is at work where: the identity that every row and every call carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

# typing.TypedDict makes the server's schemas null on Python 3.11 (held in tests/contract).
from typing_extensions import TypedDict

ROLES = ("customer", "clerk", "operator")
"""What a person can be; each may what those before it may."""


@dataclass(frozen=True)
class Person:
    """Name who is signed in, and what they are: one of `ROLES`."""

    user_id: str
    role: str = "customer"

    @property
    def is_staff(self) -> bool:
        """Tell whether other people's threads are this person's business."""
        return self.role in ROLES[1:]

    def __str__(self) -> str:
        return self.user_id


@dataclass(frozen=True)
class Session:
    """Name the thread, the people and the process of a run.

    Attributes:
        user_id: whose thread it is.
        author: who acts in it: that person, or a clerk who answers a question of it.
        role: what the author is: one of `ROLES`.
        worker: this process, for claims; unique per process start.
    """

    tenant_id: str
    thread_id: str
    user_id: str
    author: str
    role: str
    worker: str

    @property
    def person(self) -> Person:
        """Return who acts."""
        return Person(self.author, self.role)


class Caller(TypedDict, total=False):
    """Who runs the graph: the context of a run, as clients name it."""

    user_id: Annotated[str, Field(title="User", description="whose thread it is")]
