"""Identifiers that a text names, by their form."""

from __future__ import annotations

import re

_CODE = re.compile(
    r"(?<![\w/.@-])#?[^\W\d_]{1,8}-?(?:[^\W_]+-)*\d{3,}(?:-[^\W_]+)*(?![\w@]|\.\w|-\w)|(?<!\w)#\w*\d{4,}\b",
    re.UNICODE,
)


def codes_in(text: str) -> list[str]:
    """Return the identifiers that a text names by their form."""
    return _CODE.findall(text)
