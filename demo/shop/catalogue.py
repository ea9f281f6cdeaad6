"""The products of a new shop, made from `seed.toml`, and their reviews."""

import random
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

SEED: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("seed.toml").read_text(encoding="utf-8")
)

PER_KIND = 30
ENDINGS = (0, -10, -5, -50)
"""Cents under a full dollar at which prices end."""

STOCK_BY_SKU = {"BOOT-006": 0, "TENT-003": 0, "SOCK-005": 1, "LAMP-004": 1}
"""Products that are sold out, or of which the last one is left, in every seeded shop."""

HOSTILE_SKU = "BOOT-009"

CATEGORY_NAMES: Final[dict[str, str]] = {kind["slug"]: kind["name"] for kind in SEED["kinds"]}
POLICIES: Final[dict[str, str]] = SEED["policies"]

Table = Mapping[str, Any]
"""A table of `seed.toml`: a kind of goods, one of its styles, a review."""


Product = dict[str, Any]
"""One product as the shop is seeded with it, with its reviews; the price in cents."""


def products_of(kind: Table) -> list[Product]:
    """Make the products of one kind: the same ones in every shop and on every machine."""
    chance = random.Random(f"daybook catalogue, {kind['slug']}")
    places, styles = chance.sample(SEED["places"], PER_KIND), kind["styles"]
    rounds = PER_KIND // len(styles)
    return [
        made(
            kind,
            styles[n % len(styles)],
            f"{kind['prefix']}-{n + 1:03d}",
            places[n],
            (n // len(styles)) / (rounds - 1),
            chance,
        )
        for n in range(PER_KIND)
    ]


def made(
    kind: Table, style: Table, sku: str, place: str, rank: float, chance: random.Random
) -> Product:
    """Make one product; `rank` from 0 to 1 says how dear it is among those of its style."""
    lightest, heaviest = style["weight"]
    attributes = {
        **style["fixed"],
        **{name: chance.choice(values) for name, values in style["varied"].items()},
        "weight_g": 2 * chance.randrange(lightest // 2, heaviest // 2 + 1),
    }
    remarks = chance.sample(kind["remarks"], 2)
    low, high = style["price"]
    return {
        "sku": sku,
        "category": kind["slug"],
        "name": f"{place} {style['title']}",
        "brand": chance.choice(SEED["brands"]),
        "description": " ".join([style["text"].format(**attributes), *remarks]),
        "attributes": attributes,
        "price": round((low + (high - low) * rank) / 100) * 100 + chance.choice(ENDINGS),
        "stock": STOCK_BY_SKU.get(sku, chance.randrange(3, 60)),
        "reviews": reviewed(kind, sku, attributes, chance),
    }


def reviewed(kind: Table, sku: str, attributes: Table, chance: random.Random) -> list[Table]:
    """Return 2 to 8 reviews, no two alike, that lean towards what the product deserves."""
    fitting = [
        one
        for one in (*kind["reviews"], *SEED["reviews"])
        if "needs" not in one or attributes.get(one["needs"])
    ]
    deserved = chance.uniform(2.4, 5.4)
    count = chance.randrange(2, 9)
    leaning = sorted(
        fitting, key=lambda one: abs(one["rating"] - deserved) + chance.uniform(0, 2.5)
    )
    chosen = leaning[:count]
    if sku == HOSTILE_SKU:
        chosen[0] = SEED["hostile"]
    chance.shuffle(chosen)
    authors = chance.sample(SEED["authors"], len(chosen))
    about = ("rating", "title", "text")
    return [
        {"sku": sku, "author": author, **{name: one[name] for name in about}}
        for author, one in zip(authors, chosen, strict=True)
    ]


PRODUCTS: Final = tuple(product for kind in SEED["kinds"] for product in products_of(kind))
