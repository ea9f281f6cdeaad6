"""The vocabulary of the grammar: numbers, kinds of goods, and words that stand for others.

Data and look-ups only. A new synonym is one word in one table here; the rules of the language
stand in `daybook.demo.model.grammar.language.written.grammar`.
"""

from collections.abc import Iterable, Sequence
from typing import Final

NUMBERS: Final[dict[str, int]] = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
    "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
    "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
}  # fmt: skip

ORDINALS: Final[dict[str, int]] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
}  # fmt: skip

EXPANSIONS: Final[dict[str, str]] = {
    "i'm": "i am", "i'd": "i would", "i'll": "i will", "i've": "i have", "you're": "you are",
    "we're": "we are", "we'll": "we will", "they're": "they are", "it's": "it is",
    "that's": "that is", "that'll": "that will", "what's": "what is", "where's": "where is",
    "who's": "who is", "how's": "how is", "there's": "there is", "let's": "let us",
    "don't": "do not", "doesn't": "does not", "didn't": "did not", "won't": "will not",
    "wouldn't": "would not", "shouldn't": "should not", "isn't": "is not", "aren't": "are not",
    "wasn't": "was not", "can't": "can not", "cannot": "can not", "couldn't": "could not",
    "haven't": "have not", "gonna": "going to", "wanna": "want to", "checkout": "check out",
    "e-mail": "email", "basket": "cart", "trolley": "cart", "colour": "color",
    "colours": "colors",
}  # fmt: skip
"""What a token is read as, so that the rules need one spelling of each."""

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip

KINDS: Final[dict[str, tuple[str, ...]]] = {
    "hiking-boots": ("boot", "shoe", "footwear"),
    "socks": ("sock", "stocking", "liner"),
    "jackets": (
        "jacket",
        "coat",
        "parka",
        "anorak",
        "raincoat",
        "shell",
        "hardshell",
        "puffer",
        "windbreaker",
    ),
    "tents": ("tent", "shelter"),
    "sleeping-bags": ("sleeping bag", "bag", "quilt"),
    "backpacks": ("backpack", "pack", "rucksack", "daypack", "knapsack", "vest"),
    "headlamps": ("headlamp", "lamp", "headlight", "torch", "flashlight", "headtorch"),
    "stoves": ("stove", "burner", "cooker"),
    "water-bottles": ("water bottle", "bottle", "flask", "canteen"),
    "trekking-poles": ("trekking pole", "pole", "stick"),
}
"""Category -> the nouns that people use for it, the shop's own noun first."""

OWN_NOUNS: Final[frozenset[str]] = frozenset(
    {
        "boot", "shoe", "sock", "jacket", "parka", "tent", "bag", "quilt", "backpack", "daypack",
        "headlamp", "stove", "burner", "bottle", "flask", "pole", "liner", "shell", "vest",
    }
)  # fmt: skip
"""The nouns that the shop itself uses: a search with one of them needs no category."""

PREFIXES: Final[dict[str, str]] = {
    "hiking-boots": "BOOT", "socks": "SOCK", "jackets": "COAT", "tents": "TENT",
    "sleeping-bags": "SBAG", "backpacks": "PACK", "headlamps": "LAMP", "stoves": "STOV",
    "water-bottles": "BOTL", "trekking-poles": "POLE",
}  # fmt: skip
"""Category -> the letters with which its skus begin."""

GOES_WITH: Final[dict[str, tuple[str, ...]]] = {
    "hiking-boots": ("socks", "trekking-poles", "backpacks", "jackets"),
    "socks": ("hiking-boots", "trekking-poles", "backpacks"),
    "jackets": ("backpacks", "hiking-boots", "headlamps"),
    "tents": ("sleeping-bags", "headlamps", "stoves", "backpacks"),
    "sleeping-bags": ("tents", "headlamps", "stoves", "backpacks"),
    "backpacks": ("water-bottles", "trekking-poles", "headlamps", "jackets"),
    "headlamps": ("tents", "backpacks", "sleeping-bags"),
    "stoves": ("water-bottles", "tents", "headlamps"),
    "water-bottles": ("backpacks", "stoves", "trekking-poles"),
    "trekking-poles": ("hiking-boots", "backpacks", "water-bottles", "socks"),
}
"""Category -> what to offer beside it, best first."""

ADJECTIVES: Final[frozenset[str]] = frozenset(
    {
        "waterproof", "warm", "light", "lightweight", "cheap", "affordable", "inexpensive",
        "comfortable", "breathable", "durable", "insulated", "sturdy", "small", "large", "big",
        "black", "white", "red", "blue", "green", "grey", "gray", "brown", "yellow", "orange",
        "wool", "merino", "down", "synthetic", "leather", "dry", "long", "short", "mid", "low",
        "high", "thick", "thin", "soft", "windproof", "strong", "compact", "simple", "good", "nice",
    }
)  # fmt: skip
"""Words that two by two may stand before one noun: "waterproof and warm boots"."""

CHEAP: Final[frozenset[str]] = frozenset({"cheap", "affordable", "inexpensive", "budget"})

CARD_WORDS: Final[frozenset[str]] = frozenset(
    {"visa", "mastercard", "amex", "discover", "maestro", "paypal", "debit", "credit"}
)

HEDGES: Final[frozenset[str]] = frozenset(
    {
        "if", "unless", "until", "before", "after", "not", "never", "no", "nor", "without",
        "except", "only", "should", "would", "maybe", "perhaps", "wait", "stop", "hold", "instead",
        "when", "once", "why", "neither", "least", "later", "tomorrow", "yet", "rather",
    }
)  # fmt: skip
"""A clause that was not understood and holds one of these may reverse the clauses beside it."""

FILLERS: Final[frozenset[str]] = frozenset(
    {
        "one", "ones", "thing", "things", "something", "anything", "some", "any", "good", "nice",
        "other", "else", "kind", "kinds", "sort", "type", "pair", "pairs", "and", "the", "a", "an",
        "my", "that", "is", "are", "fits", "fit", "has", "have", "keeps", "keep", "result", "same",
    }
)  # fmt: skip
"""Words of a noun phrase that say nothing to a search."""

PURPOSES: Final[frozenset[str]] = frozenset({"for", "with", "in", "on", "of", "without"})
"""Words after which a phrase says what a thing is for, and no longer what it is."""

PROPERTIES: Final[tuple[tuple[str, ...], ...]] = (
    ("weight", "heavy", "weigh", "light", "lightweight"),
    ("size", "big", "large", "small"),
    ("color", "colour"),
    ("material", "fabric"),
    ("comfort", "temperature", "warm", "cold", "warmth"),
    ("capacity", "volume", "litre", "liter", "roomy"),
    ("height", "length", "long", "tall", "high"),
    ("season", "winter", "summer"),
    ("persons", "person", "people"),
    ("lumen", "bright", "brightness"),
    ("waterproof", "rainproof", "watertight"),
)
"""Words that ask for one attribute, each group by the names that the attribute may have."""


def fold(word: str) -> str:
    """Fold a word to its singular, lower case: "Poles" and "pole" are one."""
    word = word.lower()
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def stems(words: Iterable[str]) -> frozenset[str]:
    """Fold every word, taking hyphenated ones apart as well as whole."""
    parts = [part for word in words for part in (word, *word.split("-")) if part]
    return frozenset(fold(part) for part in parts)


NOUNS: Final[frozenset[str]] = frozenset(
    noun.split()[-1] for nouns in KINDS.values() for noun in nouns
)
"""The folded last word of every noun for a kind of goods."""


def kind_of(words: Iterable[str]) -> str | None:
    """Return the category that the words name, or None; the last noun before a "for" decides.

    "boot socks" are socks, as English puts the head last, and so are "socks for hiking boots".
    """
    there = " ".join(words).split()
    cut = next((at for at, word in enumerate(there) if at and word in PURPOSES), len(there))
    for word in reversed(there[:cut]):
        for category, nouns in KINDS.items():
            if fold(word) in {noun.split()[-1] for noun in nouns}:
                return category
    return None


def kind_called(words: Sequence[str]) -> str | None:
    """Return the category that words name, by what they are made of too: "mill brook fleece"."""
    last = fold(words[-1]) if words else ""
    return kind_of(words) or _MADE_OF.get(last)


_MADE_OF: Final[dict[str, str]] = {"fleece": "jackets", "softshell": "jackets"}
"""Stuffs that are a garment's name where nothing follows them."""


def kind_of_item(name: str, sku: str) -> str | None:
    """Return the category of a product by its name, else by the letters of its SKU."""
    by_name = kind_of(name.replace(",", " ").split())
    if by_name is not None:
        return by_name
    letters = sku.split("-")[0].lower()
    if letters.upper() in PREFIXES.values():
        return next(kind for kind, prefix in PREFIXES.items() if prefix == letters.upper())
    for category, nouns in KINDS.items():
        if any(len(letters) > 2 and word.startswith(letters) for n in nouns for word in n.split()):
            return category
    return None


def in_shop_words(words: Sequence[str]) -> tuple[list[str], str | None]:
    """Put the shop's own noun for a synonym of it, and then name the category too.

    "waterproof rucksack" is ("waterproof backpacks", "backpacks"); what the shop says itself stays.
    """
    category = kind_of(words)
    for at in reversed(range(len(words))):
        if category is not None and kind_of([words[at]]) == category:
            if fold(words[at]) in OWN_NOUNS:
                break
            return [*words[:at], plain_noun(category), *words[at + 1 :]], category
    return list(words), None


OF_THEIR_OWN: Final = frozenset(
    {"daypack", "quilt", "flask", "parka", "shell", "liner", "burner", "shoe", "vest"}
)
"""Nouns of a kind's goods that are another thing than the rest of it."""


def calls_it_otherwise(words: Iterable[str], name: str) -> bool:
    """Tell whether words call a thing what it is not: a bottle is of a flask's kind, and none."""
    return bool(stems(words) & OF_THEIR_OWN - stems(name.split()))


def plain_noun(category: str) -> str:
    """Return the category as words that the shop's search knows: "trekking poles"."""
    return category.replace("-", " ")
