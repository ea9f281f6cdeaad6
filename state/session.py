"""The identity of a run: thread, user, author and process, as every row and call has it."""

from __future__ import annotations

import unicodedata
import uuid
from dataclasses import dataclass, field

ROLES = ("customer", "clerk", "operator")
"""What a person can be; each may what those before it may."""


@dataclass(frozen=True)
class Person:
    """Name who is signed in, and what they are: one of `ROLES`.

    Attributes:
        user_id: in its one form, however they were named: see `user_named`.
        token_id: of the token by which they were let in, where they were; who they are does not
            depend on it.
        stands_for: whom they stand in for; the role is the highest of these and their own.
    """

    user_id: str
    role: str = "customer"
    token_id: str | None = field(default=None, compare=False)
    stands_for: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        # What is no text is refused in words, where callers are checked.
        if isinstance(self.user_id, str):
            object.__setattr__(self, "user_id", user_named(self.user_id))

    @property
    def names(self) -> frozenset[str]:
        """Return all whose word theirs is."""
        return frozenset([self.user_id, *self.stands_for])

    @property
    def is_staff(self) -> bool:
        """Tell whether other people's threads are this person's business."""
        return self.role in ROLES[1:]

    def __str__(self) -> str:
        return self.user_id


@dataclass(frozen=True)
class Session:
    """The thread, user and process of a run.

    Attributes:
        user_id: the user of the thread.
        author: who acts in it: that user, or a clerk who answers a question.
        role: the author's role, one of `ROLES`.
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


def user_named(name: str) -> str:
    """Return the one form of a person's id: Ada, ADA and " ada" are ada.

    Without blanks around it, in Unicode's compatibility form, without case.
    """
    named = name.strip()
    # Folding can give letters that have another normal form, and the other way round.
    while (folded := unicodedata.normalize("NFKC", named.casefold()).strip()) != named:
        named = folded
    return named


def thread_named(name: str) -> str:
    """Return the one form of a UUID, however it is spelled; another name stays as it is."""
    try:
        return str(uuid.UUID(name))
    except ValueError:
        return name
