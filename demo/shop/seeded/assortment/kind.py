"""What is said of a kind of goods: its styles, what varies in them, and what fits all of it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Style:
    """Describe one line of products within a kind.

    `low` and `high` are prices in cents. `fixed` are attributes that all its products share;
    `varied` are those of which each product has one. `weight` is a range in grams. In `text`,
    `{name}` stands for an attribute of that name.
    """

    title: str
    low: int
    high: int
    weight: tuple[int, int]
    text: str
    fixed: dict[str, Any] = field(default_factory=dict)
    varied: dict[str, tuple[Any, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """Describe one category: its styles, and sentences that fit each of its products."""

    slug: str
    name: str
    prefix: str
    styles: tuple[Style, ...]
    remarks: tuple[str, ...]
