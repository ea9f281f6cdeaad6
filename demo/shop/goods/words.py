import re

WORD = re.compile(r"[a-z0-9]+")

NUMBERS = {
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "eight": "8",
}

SYNONYMS = {
    "anorak": "jacket",
    "canteen": "bottle",
    "coat": "jacket",
    "cooker": "stove",
    "feet": "foot",
    "flashlight": "headlamp",
    "footwear": "boot",
    "headlight": "headlamp",
    "hike": "hiking",
    "insulation": "insulated",
    "lamp": "headlamp",
    "lightweight": "light",
    "liter": "litre",
    "men": "man",
    "pack": "backpack",
    "people": "person",
    "rainproof": "waterproof",
    "rucksack": "backpack",
    "shelter": "tent",
    "stick": "pole",
    "tarp": "tent",
    "torch": "headlamp",
    "trek": "trekking",
    "ultralight": "light",
    "women": "woman",
    "woolen": "wool",
    "woollen": "wool",
}
"""Words, in the singular where they have one, that are indexed and looked for under another."""

UNITS = frozenset({"person", "season", "litre", "lumen"})
"""Words that make one word with the number before them: a 4 person tent is no 4 season tent."""

FILLERS = frozenset(
    {
        "a",
        "an",
        "and",
        "any",
        "are",
        "best",
        "buy",
        "can",
        "cheap",
        "could",
        "do",
        "find",
        "for",
        "from",
        "get",
        "give",
        "good",
        "great",
        "have",
        "i",
        "in",
        "inside",
        "is",
        "it",
        "like",
        "looking",
        "me",
        "my",
        "near",
        "need",
        "nice",
        "of",
        "on",
        "or",
        "our",
        "pair",
        "pairs",
        "per",
        "please",
        "product",
        "products",
        "some",
        "someone",
        "something",
        "stuff",
        "that",
        "the",
        "them",
        "these",
        "they",
        "thing",
        "things",
        "this",
        "those",
        "to",
        "under",
        "up",
        "us",
        "want",
        "we",
        "which",
        "with",
        "would",
        "you",
        "your",
    }
)
"""Words that say nothing about a product."""


def words_of(text: str) -> list[str]:
    """Return the words of a text in order, folded so that plural and singular are the same."""
    return [fold(word) for word in WORD.findall(text.lower().replace("'", ""))]


def measures_of(words: list[str]) -> list[str]:
    """Return each number with the unit that follows it as one word."""
    following = words[1:]
    return [
        number + unit
        for number, unit in zip(words, following, strict=False)
        if number.isdigit() and unit in UNITS
    ]


def measured(words: list[str]) -> list[str]:
    """Return the words with each number and its unit replaced by their one word."""
    measures = measures_of(words)
    parts = {part for measure in measures for part in split(measure)}
    return [word for word in words if word not in parts] + measures


def split(measure: str) -> tuple[str, str]:
    """Return number and unit of a measure."""
    number = measure.rstrip("abcdefghijklmnopqrstuvwxyz")
    return number, measure[len(number) :]


def fold(word: str) -> str:
    """Return the form under which a word is indexed and looked for."""
    singular = NUMBERS.get(word, singular_of(word))
    return SYNONYMS.get(singular, singular)


def singular_of(word: str) -> str:
    """Return a plural without its ending, by the rules that hold for nearly all nouns."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
