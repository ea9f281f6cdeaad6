"""How many are meant: numbers in digits and in words, and measures beside them."""

from typing import Final

NUMBER: Final = (
    r"(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a couple|a dozen)"
)


WORDS_FOR: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12, "a couple": 2, "a dozen": 12, "another": 1,
}  # fmt: skip


MEASURE: Final = r"(?: (?:pairs?|pieces?|units?|items?|packs?|x))?"


def amount_of(text: str) -> int:
    """Return how many a word or digits say; one where they say nothing."""
    return WORDS_FOR.get(text) or (int(text) if text.isdigit() else 1)
