"""What really happened, as the shop itself recorded it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx


@dataclass(frozen=True)
class Record:
    """A shop's own record of one side.

    Attributes:
        effects: every effect in order: `effect`, `reference`, `detail`, as `GET /effects` has it.
        holds_left: holds that still keep stock from others.
    """

    effects: list[Mapping[str, Any]]
    holds_left: int

    def count(self, effect: str) -> int:
        """Count the effects of a kind."""
        return sum(one["effect"] == effect for one in self.effects)

    @property
    def charged(self) -> int:
        """Add up what was charged and not refunded, in cents."""
        signs = {"charge": 1, "refund": -1}
        return sum(signs.get(o["effect"], 0) * o["detail"].get("amount", 0) for o in self.effects)


def record_of(shop_url: str) -> Record:
    """Read a shop's record."""
    with httpx.Client(base_url=shop_url, timeout=10, trust_env=False) as shop:
        effects = shop.get("/effects").raise_for_status().json()
        holds = [one["detail"]["hold_id"] for one in effects if one["effect"] == "reserve"]
        states = [shop.get(f"/holds/{one}").raise_for_status().json()["state"] for one in holds]
    return Record(effects, states.count("held"))
