"""The units in which a measure is told, and what one of them is: pounds of grams, inches of cm."""

from typing import Final

_OF_WEIGHT: Final = {
    "pounds": (1 / 453.592, "lbs"), "lbs": (1 / 453.592, "lbs"), "lb": (1 / 453.592, "lbs"),
    "pound": (1 / 453.592, "lbs"), "ounces": (1 / 28.3495, "oz"), "oz": (1 / 28.3495, "oz"),
    "ounce": (1 / 28.3495, "oz"), "kg": (0.001, "kg"), "kilos": (0.001, "kg"),
    "kilo": (0.001, "kg"), "kilograms": (0.001, "kg"), "grams": (1.0, "g"), "gram": (1.0, "g"),
}  # fmt: skip
_OF_LENGTH: Final = {
    "inches": (1 / 2.54, "in"), "inch": (1 / 2.54, "in"), "feet": (1 / 30.48, "ft"),
    "foot": (1 / 30.48, "ft"), "ft": (1 / 30.48, "ft"), "yards": (1 / 91.44, "yd"),
    "metres": (0.01, "m"), "meters": (0.01, "m"), "centimetres": (1.0, "cm"), "cm": (1.0, "cm"),
}  # fmt: skip
_OF_VOLUME: Final = {
    "pints": (1 / 0.473176, "US pints"), "pint": (1 / 0.473176, "US pints"),
    "gallons": (1 / 3.78541, "US gallons"), "gallon": (1 / 3.78541, "US gallons"),
    "quarts": (1 / 0.946353, "US quarts"), "quart": (1 / 0.946353, "US quarts"),
    "cups": (1 / 0.236588, "US cups"), "ounces": (1 / 0.0295735, "US fl oz"),
    "oz": (1 / 0.0295735, "US fl oz"), "fl": (1 / 0.0295735, "US fl oz"),
    "millilitres": (1000.0, "ml"), "ml": (1000.0, "ml"),
}  # fmt: skip
_OF: Final = {"g": (1.0, _OF_WEIGHT), "cm": (1.0, _OF_LENGTH), "metre": (100.0, _OF_LENGTH),
              "litre": (1.0, _OF_VOLUME)}  # fmt: skip
"""The ending of an attribute's name -> how many of the base it is, and the units of that."""

WEIGHTS: Final = frozenset(_OF_WEIGHT)
LENGTHS: Final = frozenset(_OF_LENGTH)
VOLUMES: Final = frozenset(_OF_VOLUME)
DEGREES: Final = frozenset({"fahrenheit", "f", "celsius", "centigrade"})
UNITS: Final = WEIGHTS | LENGTHS | VOLUMES | DEGREES
COUNTED: Final = frozenset(
    "lumen lumens lm litre litres liter liters l person persons people man season seasons".split()  # noqa: SIM905
)
"""What goods have so and so many of, by the words behind a number."""


def told_in_units(key: str, value: str, words: frozenset[str]) -> str:
    """Return a measure in the unit that is among the words, "" where none of it is."""
    number = value.removesuffix(" C")
    if not _is_number(number):
        return ""
    if value.endswith(" C"):
        warm = f"{float(number) * 9 / 5 + 32:.1f}".removesuffix(".0")
        return f"{warm} F" if {"fahrenheit", "f"} & words else ""
    base, units = _OF.get(key.rpartition("_")[2], (1.0, {}))
    unit = next((units[word] for word in sorted(words) if word in units), None)
    if unit is None or (unit[1] == "g" and key.endswith("_g")) or unit == (1.0, "cm"):
        return ""
    amount = float(number) * base * unit[0]
    return f"{amount:.{2 if unit[1] in ('kg', 'm') else 1}f} {unit[1]}"


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdigit()
