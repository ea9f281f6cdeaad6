"""What things have more or less of, and how English says that of one: data."""

from __future__ import annotations

import re
from typing import Final

DIMENSIONS: Final[tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]] = (
    (
        "price",
        re.compile(
            r"\b(?:dearer|pricier|costlier|more expensive|costs? (?:you )?(?:[$€£]?[\d.]+ (?:usd |dollars )?)?more|asks? more)\b"
        ),
        re.compile(
            r"\b(?:cheaper|less expensive|costs? (?:you )?less|saves? (?:you )?(?:money|\d))\b"
        ),
    ),
    (
        "weight_g",
        re.compile(
            r"\bheavier\b(?! (?:duty|fabric|material|denier|wool|knit|cloth))|\bweighs? (?:[\d.]+ ?(?:g|grams|kg) )?more\b"
        ),
        re.compile(
            r"\blighter\b(?! (?:duty|fabric|material|colou?r|shade|blue|grey|green|denier|wool|knit|cloth))|\bweighs? (?:[\d.]+ ?(?:g|grams|kg) )?less\b"
        ),
    ),
    (
        "rating",
        re.compile(
            r"\b(?:better rated|higher rated|rated? (?:it |them )?(?:higher|better)|better (?:ratings?|scores?|marks)|higher rating|better reviews|scores? higher|better liked|better score|like it (?:more|better))\b"
        ),
        re.compile(
            r"\b(?:worse rated|lower rated|rated? (?:it |them )?(?:lower|worse)|lower rating|worse rating|scores? lower)\b"
        ),
    ),
    (
        "boil_minutes",
        re.compile(r"\b(?:slower|(?:boils|takes) (?:\w+ )?(?:\w+ )?longer|more slowly)\b"),
        re.compile(r"\b(?:faster|quicker|quickest|fastest|boils sooner|more quickly)\b"),
    ),
    ("reviews", re.compile(r"\bmore reviews\b"), re.compile(r"\bfewer reviews\b")),
    (
        "stock",
        re.compile(r"\bmore (?:of (?:it|them) )?(?:left|in stock)\b"),
        re.compile(r"\bfewer (?:of (?:it|them) )?(?:left|in stock)\b"),
    ),
    ("lumen", re.compile(r"\bbrighter\b"), re.compile(r"\b(?:dimmer|weaker)\b")),
    ("comfort", re.compile(r"(?!)"), re.compile(r"\bwarmer\b")),
    (
        "capacity_litre",
        re.compile(r"\b(?:bigger|roomier|larger|holds more)\b"),
        re.compile(r"\b(?:smaller|holds less)\b"),
    ),
    ("persons", re.compile(r"\b(?:roomier|sleeps more)\b"), re.compile(r"(?!)")),
)
"""Each with how a clause says that there is more of it, and that there is less."""
