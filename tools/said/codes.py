"""Identifiers that a text names, by their form."""

from __future__ import annotations

import re

_CODE = re.compile(
    r"(?<![\w/.@-])#?[^\W\d_]{1,8}-?(?:[^\W_]+-)*\d{3,}(?:-[^\W_]+)*(?![\w@]|\.\w|-\w)|(?<!\w)#\w*\d{4,}\b",
    re.UNICODE,
)
_NUMBER = re.compile(
    r"\b(?:order|confirmation|reference|booking|receipt|invoice|transaction)(?:'s)?\s?"
    r"(?:(?:number|no|id|code|reference)\b|:)[\s.:#*(]{0,4}(?:(?:is|was|reads)\b[\s:#*]{1,4})?"
    r"((?:[A-Z]{1,4} )?\d{5,})(?![\w.,/-]*\d)(?!\s?(?:USD|EUR|GBP|CHF|dollars?|euros?|[$\u20ac\u00a3]))",
    re.IGNORECASE,
)
"""A number that an order or the like is said to have."""

_HYPHEN = re.compile(r"(?<=[A-Z\d])[\u2010-\u2013\u2212\ufe63\uff0d](?=[A-Z\d])")
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200d\u2060\ufeff]")


def codes_in(text: str) -> list[str]:
    """Return the identifiers that a text names by their form, with plain hyphens."""
    return _CODE.findall(hyphenated(text))


def numbers_of_orders_in(text: str) -> list[str]:
    """Return the numbers without a form of their own that orders and the like are said to have."""
    return _NUMBER.findall(hyphenated(text))


def hyphenated(text: str) -> str:
    """Write the plain hyphen within what looks like an id, whichever stands there, and no other."""
    return _HYPHEN.sub("-", _UNSEEN.sub("", text))
