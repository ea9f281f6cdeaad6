"""An answer, what is known when it is given, and whether it is true."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from daybook.tools.said.check import Denial, Untrue, untrue_in
from daybook.tools.said.known import Known


def nothing(sentence: str, names: object) -> str:
    """Deny nothing."""
    return ""


@dataclass(frozen=True)
class Answer:
    """One answer.

    Attributes:
        text: as a person would read it.
        denied: what its domain itself knows.
        is_true: whether all of it is so.
        way: where it comes from, or how it was made false.
        about: names its conversation: both halves of one are looked at, or neither.
    """

    text: str
    known: Known
    is_true: bool
    way: str
    about: str
    denied: Denial = nothing

    @cached_property
    def untrue(self) -> list[Untrue]:
        """Return what is found in it."""
        return untrue_in(self.text, self.known, self.denied)


def is_held_out(name: str) -> bool:
    """Tell to which half something belongs, by its name alone."""
    return bool(hashlib.sha256(name.encode()).digest()[0] & 1)
