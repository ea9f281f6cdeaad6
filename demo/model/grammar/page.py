"""Answer a question about a product from its page, and from nothing else."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from daybook.demo.model.grammar.language.words import PROPERTIES, stems
from daybook.demo.model.grammar.seen.results import Product
from daybook.demo.model.grammar.units import (
    DEGREES,
    LENGTHS,
    VOLUMES,
    WEIGHTS,
    told_in_units,
)
from daybook.demo.model.grammar.wording import attribute, one_line

_STOCK: Final = frozenset({"stock", "available", "sold", "left", "availability"})
_SILENT: Final = frozenset({"very", "really", "too", "made", "of", "from", "for", "good", "ok"})
_SIZED: Final = ("capacity_litre", "sizes", "persons", "height_cm", "folded_cm")
_ALSO: Final[dict[str, tuple[str, ...]]] = {
    "high": ("height_cm", "height"), "inside": ("height_cm",), "big": _SIZED, "large": _SIZED,
    "roomy": _SIZED, "hold": ("capacity_litre",), "holds": ("capacity_litre",),
    "contain": ("capacity_litre",), "space": ("capacity_litre",), "room": _SIZED,
    "dimensions": _SIZED, "mass": ("weight_g",),
    "kilo": ("weight_g",), "gram": ("weight_g",), "heavy": ("weight_g",),
    "light": ("weight_g",), "lightweight": ("weight_g",), "short": ("folded_cm",),
    "pack": ("folded_cm", "weight_g"), "folded": ("folded_cm",), "packed": ("folded_cm",),
    "degree": ("comfort",), "freeze": ("comfort",), "freezing": ("comfort",),
    "minus": ("comfort",), "colder": ("comfort",), "chilly": ("comfort",), "hot": ("comfort",),
    "persons": ("persons",), "sleep": ("persons",), "kids": ("persons", "fit"),
    "adults": ("persons",), "couple": ("persons",), "lady": ("fit",), "ladies": ("fit",),
    "woman": ("fit",), "man": ("fit",), "wife": ("fit",), "husband": ("fit",), "narrow": ("fit",),
    "handle": ("grip",), "handles": ("grip",), "grips": ("grip",), "cork": ("grip",),
    "soaked": ("waterproof",), "downpour": ("waterproof",), "storm": ("waterproof", "windproof"),
    "puddles": ("waterproof",), "rainproof": ("waterproof",), "watertight": ("waterproof",),
    "shape": ("type",), "far": ("reach_metre",), "beam": ("reach_metre", "lumen"),
    "shine": ("lumen", "reach_metre"), "powered": ("battery", "rechargeable"),
    "aaa": ("battery",), "recharge": ("rechargeable", "battery"), "plug": ("rechargeable",),
    "burns": ("fuel",), "burn": ("fuel",), "runs": ("fuel", "battery"), "gas": ("fuel",),
    "cloth": ("material",), "shell": ("material",), "plush": ("cushion",),
    "padding": ("cushion",), "padded": ("cushion",), "feathers": ("fill",), "feather": ("fill",),
    "stuffed": ("fill",), "filled": ("fill",),
    "winter": ("seasons", "season", "winter", "comfort", "insulated"),
    "summer": ("seasons", "season", "comfort"), "purify": ("filter_litre", "filter"),
    "filters": ("filter_litre", "filter"), "resoled": ("resoleable",), "lugs": ("sole",),
    "color": ("colour",), "colors": ("colour",), "colored": ("colour",), "coloured": ("colour",),
    "shade": ("colour",), "length": ("length_cm", "folded_cm"), "fits": ("fit", "sizes"),
    "headroom": ("height", "height_cm"), "tall": ("height", "height_cm"), "temp": ("comfort",),
    "rated": ("comfort",),
    "temperature": ("comfort",), "degrees": ("comfort",), "women": ("fit",), "men": ("fit",),
    "unisex": ("fit",), "gender": ("fit",), "usb": ("rechargeable", "battery"),
    "charge": ("rechargeable", "battery"), "charging": ("rechargeable", "battery"),
    "charged": ("rechargeable", "battery"), "pegs": ("freestanding",), "stand": ("freestanding",),
    "batteries": ("battery",), "belt": ("hip_belt",), "hipbelt": ("hip_belt",),
    "raincover": ("rain_cover",), "fold": ("foldable", "folded_cm"), "folds": ("foldable",),
    "foldable": ("foldable", "folded_cm", "collapsible"), "filling": ("fill",),
    "insulation": ("fill", "insulated"), "membrane": ("waterproof",), "gore": ("waterproof",),
    "rain": ("waterproof",), "wet": ("waterproof",), "leak": ("waterproof",),
    "wind": ("windproof",), "cold": ("comfort", "warm", "insulated"), "snow": ("winter", "warm"),
    "boil": ("boil_minutes",), "boils": ("boil_minutes",), "sleeps": ("persons",),
    "people": ("persons",), "person": ("persons",), "fuel": ("fuel",), "range": ("reach_metre",),
    "reach": ("reach_metre",), "volume": ("capacity_litre",), "litres": ("capacity_litre",),
    "liters": ("capacity_litre",), "litre": ("capacity_litre",), "size": ("sizes",),
    "sizes": ("sizes",), "wide": ("fit",), "steel": ("material",), "plastic": ("material",),
    "hooded": ("hood",), "stream": ("filter",), "brightness": ("lumen",), "kid": ("kids",),
    "red": ("colour", "red_light"), "lumens": ("lumen",), "thick": ("cushion",),
    "thin": ("cushion",), "fabric": ("material",), "warmth": ("comfort", "warm"),
    "warm": ("comfort", "warm", "insulated"), "weighs": ("weight_g",), "weigh": ("weight_g",),
    "fluid": ("capacity_litre",),
    **dict.fromkeys(DEGREES, ("comfort",)),
    **dict.fromkeys(LENGTHS, ("height_cm", "length_cm", "folded_cm")),
    **dict.fromkeys(VOLUMES, ("capacity_litre",)),
    **dict.fromkeys(WEIGHTS, ("weight_g",)),
    **dict.fromkeys(
        ("green", "blue", "black", "white", "grey", "gray", "yellow", "orange", "pink", "purple",
         "navy", "brown"), ("colour",),
    ),
    **dict.fromkeys(
        ("merino", "wool", "cotton", "leather", "carbon", "aluminium", "titanium", "silk"),
        ("material",),
    ),
    **dict.fromkeys(("down", "synthetic"), ("fill", "material")),
}  # fmt: skip
"""Word -> the attributes that answer it."""
ASKED_FOR: Final = frozenset(_ALSO)
"""The words for which a page may have an answer."""

_RANGE: Final = re.compile(r"^(\d{2})-(\d{2})$")
_SIZE: Final = re.compile(r"[2-9]\d(?:\.5)?")
_LETTERS: Final = ("xs", "s", "m", "l", "xl", "xxl", "xxxl")


def fact(found: Product, words: Sequence[str]) -> str:
    """Answer whether or how far a product has a property."""
    name, said = one_line(found.row.name), " ".join(words)
    sized = size_told(found, words)
    if set(words) & _STOCK and sized is None:
        is_out = found.row.sold_out
        return f"{name} is sold out." if is_out else f"{name}: {found.row.stock}."
    if sized is not None:
        return f"{sized} {name}: {attribute('sizes', found.attributes['sizes'])}."
    told = list(dict.fromkeys(_told(found, words)))
    if told:
        return " ".join([*_yes_no(told, found, words), f"{name}: {', '.join(told)}."])
    sentence = told_in(re.split(r"(?<=[.!])\s+", found.description), words)
    if sentence:
        return f"{name} is described so: “{one_line(sentence, 400)}”"
    return (
        f"The page of {name} says nothing about “{one_line(said)}”. It says:"
        f" {', '.join(attribute(key, value) for key, value in found.attributes.items())}."
    )


def is_silent(found: Product, words: Sequence[str]) -> bool:
    """Tell whether a page says nothing of what was asked: reviews may."""
    return fact(found, words).startswith("The page of ")


def told_in(sentences: Sequence[str], words: Sequence[str]) -> str:
    """Return the sentence that has most of the words, "" where none has any."""
    wanted = _roots(words) - _SILENT
    scored = [(len(wanted & _roots(re.findall(r"[\w-]+", one.lower()))), one) for one in sentences]
    best = max(scored, default=(0, ""), key=lambda pair: pair[0])
    return best[1] if best[0] else ""


def _roots(words: Iterable[str]) -> frozenset[str]:
    """Fold words further than to the singular, so that "washing" and "wash" are one."""
    return frozenset(re.sub(r"(?<=\w{3})(?:ing|ed|er|able|e)$", "", stem) for stem in stems(words))


def _told(found: Product, words: Sequence[str]) -> Iterator[str]:
    """Yield the attributes that answer, the surest first."""
    wanted = stems(words) - _SILENT
    named = [key for word in words for key in _ALSO.get(word, ())]
    alike = {stem for group in PROPERTIES if wanted & stems(group) for stem in stems(group)}
    found_keys = [key for key in found.attributes if wanted & stems([key, *key.split("_")])]
    for key in (*found_keys, *named):
        if key in found.attributes:
            yield _measured(key, found.attributes[key], words)
    if found_keys or any(key in found.attributes for key in named):
        return
    for key, value in found.attributes.items():
        if alike & stems(key.split("_")) or wanted & stems(value.replace(",", " ").split()):
            yield _measured(key, value, words)
            return


def _measured(key: str, value: str, words: Sequence[str]) -> str:
    """Write an attribute; a measure in the unit that was asked for too."""
    text, other = attribute(key, value), told_in_units(key, value, frozenset(words))
    return f"{text} ({other})" if other else text


def _yes_no(told: Sequence[str], found: Product, words: Sequence[str]) -> list[str]:
    """Answer a question for one thing by yes or no."""
    if len(told) == 1 and told[0].endswith((": yes", ": no")):
        return ["Yes." if told[0].endswith("yes") else "No."]
    wanted = stems(words) - _SILENT
    values = stems(" ".join(found.attributes.values()).replace(",", " ").split())
    asks_one = wanted & stems(word for word, keys in _ALSO.items() if keys[0] in _VALUED)
    if asks_one:
        return ["Yes." if asks_one & values else "No."]
    return []


_VALUED: Final = frozenset({"colour", "material", "fill"}) - frozenset({"fill"})


def is_so(
    found: Product, words: Sequence[str], *, shades: bool = False, unisex: bool = False
) -> bool:
    """Tell whether a page says that goods are as all of the words say.

    With `shades`, one of a colour's shades is of that colour; with `unisex`, what is for all is for
    men and for women.
    """
    if size_told(found, words) == "No.":
        return False
    is_sized = size_told(found, words) is not None
    told = [
        word
        for at, word in enumerate(words)
        if not (is_sized and _is_size(word)) and not _is_of_measure(words, at)
    ]
    measured = [
        (words[at - 1], word) for at, word in enumerate(words) if at and words[at - 1].isdigit()
    ]
    said = [word for word in told if word not in _NAMES_ATTRIBUTE] or told
    return all(_has(found, word, shades, unisex) for word in said) and all(
        _measures(found, int(count), unit) for count, unit in measured if unit in _MEASURED_BY
    )


def _has(found: Product, word: str, shades: bool, unisex: bool) -> bool:
    said = stems(
        one
        for key, value in found.attributes.items()
        for one in re.findall(r"[\w-]+", key if value == "yes" else value.lower())
    )
    parts = stems(part for one in said for part in one.split("_"))
    if stems([word]) <= said | parts | stems(found.row.name.lower().split()):
        return True
    if word in _SPUN and said & stems(_SPUN[word]) and not said & _GROWN:
        return True
    if shades and said & _SHADES.get(word, frozenset()):
        return True
    if unisex and word in ("men", "women") and found.attributes.get("fit") == "unisex":
        return True
    return any(found.attributes.get(key) == "yes" for key in _ALSO.get(word, ()))


_SPUN: Final = {"synthetic": ("polyester", "polyamide", "nylon", "acrylic", "polypropylene")}
_GROWN: Final = stems(("wool", "cotton", "down", "silk", "bamboo", "leather"))
"""What is of these is not called synthetic, whatever is spun into it."""


def _is_size(word: str) -> bool:
    return bool(_SIZE.fullmatch(word)) or word in (*_LETTERS, "size", "sizes")


def _is_of_measure(words: Sequence[str], at: int) -> bool:
    """Tell whether a word is a number before a unit, or that unit."""
    before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    is_count = words[at].isdigit() and after in _MEASURED_BY
    return is_count or (before.isdigit() and words[at] in _MEASURED_BY)


def _measures(found: Product, count: int, unit: str) -> bool:
    value = re.match(r"-?\d+(?:\.\d+)?", found.attributes.get(_MEASURED_BY[unit], ""))
    return value is not None and float(value.group()) == count


_MEASURED_BY: Final[dict[str, str]] = {
    **dict.fromkeys(("lumen", "lumens", "lm"), "lumen"),
    **dict.fromkeys(("l", "litre", "litres", "liter", "liters"), "capacity_litre"),
    **dict.fromkeys(("person", "persons", "people", "man"), "persons"),
    **dict.fromkeys(("season", "seasons"), "seasons"),
    **dict.fromkeys(("g", "gram", "grams"), "weight_g"),
    "cm": "height_cm",
}
_NAMES_ATTRIBUTE: Final = frozenset(
    """
    color colour colored coloured colours colors size sizes material fabric grip grips handle
    handles battery batteries cells fuel fill filling fit sole soles weight light capacity volume
    """.split()  # noqa: SIM905
)
"""Words for what is told, beside those that tell it: "with cork handles"."""
_SHADES: Final[dict[str, frozenset[str]]] = {
    name: frozenset(shades.split())
    for name, shades in (
        ("blue", "navy ocean lake sky denim ink teal"),
        ("green", "forest moss pine olive lichen sage spruce teal"),
        ("red", "brick rust flame coral"),
        ("grey", "slate charcoal graphite stone mist smoke"),
        ("gray", "slate charcoal graphite stone mist smoke"),
        ("brown", "rust clay brick"),
        ("beige", "sand oat oatmeal cream"),
        ("white", "cream oat oatmeal"),
        ("orange", "amber flame rust"),
        ("yellow", "amber"),
        ("purple", "plum"),
        ("pink", "coral"),
        ("silver", "bare"),
    )
}
"""What the shop calls the shades of a colour."""


def size_told(found: Product, words: Sequence[str]) -> str | None:
    """Say whether a size among words is one of the product's; None where none is, or none known."""
    sizes = found.attributes.get("sizes", "")
    asked = [word for word in words if _SIZE.fullmatch(word) or word in _LETTERS]
    if not sizes or not asked:
        return None
    span = _RANGE.match(sizes)
    if span is not None and asked[0].replace(".5", "").isdigit():
        return "Yes." if int(span[1]) <= float(asked[0]) <= int(span[2]) else "No."
    first, _, last = sizes.lower().partition("-")
    if asked[0] in _LETTERS and first in _LETTERS and last in _LETTERS:
        at = _LETTERS.index(asked[0])
        return "Yes." if _LETTERS.index(first) <= at <= _LETTERS.index(last) else "No."
    return None
