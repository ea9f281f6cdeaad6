"""By which nouns people call goods, those together that are of one sort: data.

A sort is named as its ids begin; a thing of a sort that stands here in none is judged by its own name alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

SORTS: Final[Mapping[str, tuple[str, ...]]] = {
    "boot": ("boot", "shoe", "sneaker", "trainer", "sandal"),
    "sock": ("sock", "liner", "stocking"),
    "tent": ("tent", "tarp"),
    "sbag": ("sleeping bag", "quilt"),
    "pack": ("backpack", "rucksack", "daypack", "knapsack", "pack"),
    "lamp": ("headlamp", "lamp", "torch", "headtorch", "lantern", "flashlight"),
    "stov": ("stove", "burner", "cooker"),
    "botl": ("bottle", "flask", "canteen", "thermos"),
    "coat": ("jacket", "coat", "fleece", "parka", "anorak", "vest"),
    "pole": ("pole", "walking stick", "trekking pole"),
    "hat": ("hat", "beanie", "cap", "glove", "mitten", "scarf"),
    "mat": ("sleeping mat", "sleeping pad", "hammock", "pillow"),
    "knife": ("knife", "multitool", "axe", "compass", "whistle"),
}

_SORT_OF: Final = {noun: sort for sort, nouns in SORTS.items() for noun in nouns}
_NOUN: Final = re.compile(
    rf"\b({'|'.join(sorted(_SORT_OF, key=len, reverse=True))})(?:e?s)?\b(?! (?:of|size|liners?\b(?! )))"
)


ID_OF_A_SORT: Final = re.compile(rf"\b({'|'.join(SORTS)}) \d{{2,4}}\b")


def sorts_in(said: str) -> list[tuple[str, int, int]]:
    """Return the sorts of goods that a text speaks of, each with where.

    Args:
        said: as `plain` writes it.
    """
    return [(_SORT_OF[one[1]], one.start(), one.end()) for one in _NOUN.finditer(said)]


def sorts_of(names: Iterable[str]) -> frozenset[str]:
    """Return the sorts of what has these names, or ids such as `boot 001`, or holds such."""
    found = set[str]()
    for name in names:
        found |= {sort for sort, _, _ in sorts_in(name)}
        found |= {one[1] for one in ID_OF_A_SORT.finditer(name)}
    return frozenset(found)
