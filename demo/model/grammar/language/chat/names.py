"""The shop's names of models: two words that together point at a product, however they are spelt.

A test holds this list against the shop's.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from rapidfuzz.distance import OSA

MODELS: Final[tuple[str, ...]] = (
    "alder ridge", "amber hollow", "arrow pass", "badger moor", "birch hollow", "black tarn",
    "cairn hill", "cedar fork", "clover bank", "copper creek", "crane lake", "dark fen",
    "eagle stair", "elk meadow", "fallen larch", "fern gully", "fox hollow", "granite bay",
    "grey heron", "hazel bank", "heather top", "high saddle", "hunter gap", "juniper bend",
    "kestrel edge", "lark rise", "lone pine", "long scree", "marten wood", "mill brook",
    "moss bridge", "north col", "old quarry", "otter ford", "owl beck", "pebble strand",
    "pine ledge", "quiet valley", "raven crag", "red gorge", "river bend", "rowan knoll",
    "salt marsh", "silver birch", "snow finch", "stone bridge", "swift river", "thistle dale",
    "timber line", "willow reach",
)  # fmt: skip
MODEL_WORDS: Final = frozenset(word for name in MODELS for word in name.split())
_PAIRS: Final = frozenset(tuple(name.split()) for name in MODELS)
_JOINED: Final = {name.replace(" ", ""): name for name in MODELS}
_LETTERS_A_SLIP: Final = 4
_MOST_SLIPS: Final = 2


def is_model(first: str, second: str) -> bool:
    """Tell whether two words are a model's name as it is written."""
    return (first, second) in _PAIRS


def has_model(words: Sequence[str]) -> bool:
    """Tell whether a model's name stands in a row of words."""
    return any(is_model(one, two) for one, two in pairwise(words))


@lru_cache(maxsize=8192)
def model_of(first: str, second: str) -> tuple[str, str] | None:
    """Return the name that two words stand for, in the plural and with slips too; None for none."""
    for name in _PAIRS:
        if first == name[0] and second in (name[1], f"{name[1]}s", f"{name[1]}es"):
            return name[0], name[1]
    if min(len(first), len(second)) < 3:
        return None
    near = [
        (slips, name)
        for name in _PAIRS
        if (slips := _slips(first, name[0]) + _slips(second, name[1])) <= _MOST_SLIPS
    ]
    near.sort()
    if not near or (len(near) > 1 and near[0][0] == near[1][0]):
        return None
    return near[0][1][0], near[0][1][1]


def joined_model(word: str) -> tuple[str, str] | None:
    """Return the name that stands there as one word: "swiftriver"."""
    name = _JOINED.get(word.replace("-", ""))
    if name is None:
        return None
    first, second = name.split()
    return first, second


def _slips(word: str, part: str) -> int:
    """Count the slips between two words: one for every few letters is still the same word."""
    if word == part or word == f"{part}s":
        return 0
    most = max(1, len(part) // _LETTERS_A_SLIP)
    found = OSA.distance(word, part, score_cutoff=most)
    if found > most or (len(part) < _LETTERS_A_SLIP and found):
        return _MOST_SLIPS + 1
    return found
