"""Amounts that are added up before the reader's eyes."""

from __future__ import annotations

import re
from decimal import Decimal

from daybook.tools.said.text import Amount

_EQUATION = re.compile(
    r"[*$€£]*\d[\d,]*(?:\.\d+)?(?: ?(?:USD|\([^()]{0,30}\)))?(?:\s*[*]*\s*[-+]\s*[*$€£]*\d[\d,]*(?:\.\d+)?(?: ?(?:USD|\([^()]{0,30}\)))?)+"
    r"[\s*]*=[\s*$€£]*[-+]?[$€£]*$"
)
"""Amounts that are added up, before what they come to."""
_TERM = re.compile(r"([-+]?)\s*[*$€£]*(\d[\d,]*(?:\.\d+)?)")
_PLAIN_SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-"})


def is_reckoned_beside_it(text: str, amount: Amount) -> bool:
    """Tell whether an amount is what those before it add up to: "85.00 + 74.12 = 159.12"."""
    reckoned = _EQUATION.search(text[: amount.start].translate(_PLAIN_SIGNS))
    if reckoned is None:
        return False
    terms = _TERM.findall(reckoned.group())
    total = sum(
        (Decimal(f"{sign or '+'}{digits.replace(',', '')}") for sign, digits in terms), Decimal(0)
    )
    return len(terms) > 1 and abs(total) == amount.value
