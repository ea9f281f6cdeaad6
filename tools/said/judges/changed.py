"""How many of a thing went into a cart or out of it, by what its changes told."""

from __future__ import annotations

import re
from typing import Final

from daybook.tools.said.known import Known
from daybook.tools.said.rows import Record
from daybook.tools.said.text import plain

_TELLS: Final = re.compile(
    r"^\W*(?:i(?:'ve| have)? )?(?:just |also |now )*(?:added|put in|removed|took out)\b", re.I
)
_CHANGE: Final = re.compile(r"[+-](\S+) x(\d+)")
"""Of a line that tells how a cart changed: "+BOTL-007 x1"."""


def changed_by(text: str, record: Record, known: Known) -> frozenset[int]:
    """Return by how many a sentence may say that a cart was changed, which is not how many there are."""
    if _TELLS.match(text) is None:
        return frozenset()
    return frozenset(
        int(many)
        for one in known.texts
        if one.startswith("cart ")
        for sku, many in _CHANGE.findall(one)
        if plain(sku) in record.names
    )
