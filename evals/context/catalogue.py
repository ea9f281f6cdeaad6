"""What the script looks for in the shop, and what the shop answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from daybook.tools.services.http import HttpService

Json = Mapping[str, Any]

_KINDS = (
    ("jackets", 30_000, ("warm jacket for wind", "light rain jacket", "jacket to pack small")),
    ("hiking-boots", 25_000, ("waterproof hiking boot", "winter boot", "light boot for summer")),
    ("sleeping-bags", 40_000, ("sleeping bag for frost", "light sleeping bag", "wide bag")),
    ("socks", 5_000, ("merino wool socks", "thick socks for cold feet", "thin liner socks")),
    ("tents", 50_000, ("two person tent", "tent that stands in a storm", "light tent")),
    ("backpacks", 30_000, ("backpack for nine days", "small day pack", "pack with rain cover")),
    ("headlamps", 10_000, ("rechargeable headlamp", "bright headlamp", "small spare lamp")),
    ("stoves", 15_000, ("gas stove that starts in the cold", "small stove", "stove for two")),
    ("trekking-poles", 20_000, ("folding trekking poles", "poles with cork grips", "sturdy poles")),
    ("water-bottles", 6_000, ("insulated bottle", "bottle of one litre", "bottle that is light")),
)
"""Category, the most to pay in cents, and what is looked for in it."""

_ROUNDS = 5

LIMIT = 10
"""Hits of a search."""


@dataclass(frozen=True)
class Shelf:
    """What the shop answers to one search.

    Attributes:
        most: to pay, in cents.
    """

    query: str
    category: str
    most: int
    hits: Sequence[Json]


async def shelves(shop: HttpService) -> list[Shelf]:
    """Ask the shop for all that the script looks for; no two searches are the same."""
    found = []
    for round_ in range(_ROUNDS):
        for category, dearest, queries in _KINDS:
            # The fourth and the fifth time round the same is looked for, for less.
            query = queries[round_ % len(queries)]
            most = dearest - round_ // len(queries) * dearest // 5
            body = await shop.get(
                "/products", query=query, category=category, max_price=most, limit=LIMIT
            )
            found.append(Shelf(query, category, most, body["products"]))
    return found
