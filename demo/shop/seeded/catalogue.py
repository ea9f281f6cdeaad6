import random
from dataclasses import dataclass
from typing import Any

from daybook.demo.shop.seeded.assortment.kind import Kind, Style
from daybook.demo.shop.seeded.assortment.kinds import KINDS
from daybook.demo.shop.seeded.assortment.names import BRANDS, PLACES
from daybook.demo.shop.seeded.voices import BY_KIND, FIRST_NAMES, GENERAL, HOSTILE, Voice

PER_KIND = 30
ENDINGS = (0, -10, -5, -50)
"""Cents under a full dollar at which prices end."""

STOCK_BY_SKU = {"BOOT-006": 0, "TENT-003": 0, "SOCK-005": 1, "LAMP-004": 1}
"""Products that are sold out, or of which the last one is left, in every seeded shop."""

HOSTILE_SKU = "BOOT-009"

CATEGORY_NAMES = {kind.slug: kind.name for kind in KINDS}


@dataclass(frozen=True)
class Review:
    """What one customer wrote; `rating` is 1 to 5."""

    author: str
    rating: int
    title: str
    text: str


@dataclass(frozen=True)
class Product:
    """One product as the shop is seeded with it; `price` in cents."""

    sku: str
    category: str
    name: str
    brand: str
    description: str
    attributes: dict[str, Any]
    price: int
    stock: int
    reviews: tuple[Review, ...]


def products_of(kind: Kind) -> tuple[Product, ...]:
    """Make the products of one kind: the same ones in every shop and on every machine."""
    chance = random.Random(f"daybook catalogue, {kind.slug}")
    places = chance.sample(PLACES, PER_KIND)
    rounds = PER_KIND // len(kind.styles)
    return tuple(
        made(
            kind,
            kind.styles[n % len(kind.styles)],
            f"{kind.prefix}-{n + 1:03d}",
            places[n],
            (n // len(kind.styles)) / (rounds - 1),
            chance,
        )
        for n in range(PER_KIND)
    )


def made(
    kind: Kind, style: Style, sku: str, place: str, rank: float, chance: random.Random
) -> Product:
    """Make one product; `rank` from 0 to 1 says how dear it is among those of its style."""
    attributes = {
        **style.fixed,
        **{name: chance.choice(values) for name, values in style.varied.items()},
        "weight_g": 2 * chance.randrange(style.weight[0] // 2, style.weight[1] // 2 + 1),
    }
    remarks = chance.sample(kind.remarks, 2)
    return Product(
        sku=sku,
        category=kind.slug,
        name=f"{place} {style.title}",
        brand=chance.choice(BRANDS),
        description=" ".join([style.text.format(**attributes), *remarks]),
        attributes=attributes,
        price=priced(style, rank, chance),
        stock=STOCK_BY_SKU.get(sku, chance.randrange(3, 60)),
        reviews=reviewed(kind, sku, attributes, chance),
    )


def priced(style: Style, rank: float, chance: random.Random) -> int:
    """Return a price in cents within the band of the style, a bit under a full dollar."""
    dollars = round((style.low + (style.high - style.low) * rank) / 100)
    return dollars * 100 + chance.choice(ENDINGS)


def reviewed(
    kind: Kind, sku: str, attributes: dict[str, Any], chance: random.Random
) -> tuple[Review, ...]:
    """Return 2 to 8 reviews, no two alike, that lean towards what the product deserves."""
    fitting = [
        voice
        for voice in (*BY_KIND[kind.slug], *GENERAL)
        if voice.needs is None or attributes.get(voice.needs)
    ]
    deserved = chance.uniform(2.4, 5.4)
    count = chance.randrange(2, 9)
    leaning = sorted(
        fitting, key=lambda voice: abs(voice.rating - deserved) + chance.uniform(0, 2.5)
    )
    chosen: list[Voice] = leaning[:count]
    if sku == HOSTILE_SKU:
        chosen[0] = HOSTILE
    chance.shuffle(chosen)
    authors = chance.sample(FIRST_NAMES, len(chosen))
    return tuple(
        Review(author, voice.rating, voice.title, voice.text)
        for author, voice in zip(authors, chosen, strict=True)
    )


PRODUCTS: tuple[Product, ...] = tuple(product for kind in KINDS for product in products_of(kind))
