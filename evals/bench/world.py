"""The outside of the bench: bodies of tools that both agents call, without any wire."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

CHARACTERS = 500
"""How much text a tool returns."""


class Kind(StrEnum):
    """What a step calls; the value is the name of the tool."""

    READ = "fetch"
    AUTO_WRITE = "note"
    APPROVED_WRITE = "post"

    @property
    def label(self) -> str:
        """Name the kind in the report."""
        return {"fetch": "read", "note": "auto write", "post": "approved write"}[self.value]


@dataclass
class World:
    """Look texts up and perform effects, each key once."""

    performed: dict[str, str] = field(default_factory=dict)

    def look_up(self, number: int) -> str:
        """Return 500 characters: hex digits, which TOAST cannot compress away."""
        return hashlib.shake_256(str(number).encode()).hexdigest(CHARACTERS // 2)

    def perform(self, key: str, number: int) -> str:
        """Perform an effect, once under each key, and return its 500 characters."""
        return self.performed.setdefault(key, self.look_up(number))
