"""The reference that identifies an effect, in the form that its tool declares.

Two observations are of one effect if and only if their references are equal in that form. Nothing
else of them is compared: a status moves, an amount is captured in part, a card is masked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import quote

from daybook.state.effects.keys import canonical, storable

Reference: TypeAlias = str | tuple[str, ...] | Callable[[Mapping[str, Any]], Any]
"""A field of a result, several of them, or a function of the result."""

Naming: TypeAlias = Callable[[Mapping[str, Any]], str | None]
"""Names the effect that a result shows; None if the result does not say which it is."""


@dataclass(frozen=True)
class Namespace:
    """Say where a reference names one effect: a tool of a domain, in one outside world.

    Attributes:
        world: an id that the world tells of itself; "" if it tells none.
    """

    domain: str
    world: str
    tool: str


def naming(reference: Reference) -> Naming:
    """Make what names an effect by a declared reference.

    Args:
        reference: a field, fields, or a function that brings results to one form.

    Example:
        >>> naming("charge_id")({"charge_id": "CH-1", "status": "pending"})
        'CH-1'
        >>> naming(("order", "line"))({"order": "O-7", "line": 2})
        '["O-7","2"]'
        >>> naming(lambda result: result["order_id"].upper())({"order_id": "o-7"})
        'O-7'
        >>> naming("charge")({"charge": {"id": "CH-1"}}) is None
        True
    """
    if isinstance(reference, str):
        return lambda result: _written(result.get(reference))
    if isinstance(reference, tuple):
        return lambda result: _written(tuple(result.get(field) for field in reference))
    return lambda result: _written(reference(result))


def reference_text(reference: str) -> str:
    """Return a reference as it is shown: "O-7 2" for one of two fields."""
    try:
        return " ".join(json.loads(reference)) if reference.startswith('["') else reference
    except (ValueError, TypeError, RecursionError):
        # Any text of a provider or a reviewer may be the reference of one field.
        return reference


def shows(row: Any, key: str, depth: int = 8) -> bool:
    """Tell whether a row of a look-up says by itself that it was made under a key.

    Args:
        key: the idempotency key, as the provider was given it; or what a person names.
        depth: how deep objects and lists are searched.
    """
    if isinstance(row, str | int) and not isinstance(row, bool):
        # As it is, and as a header holds it.
        return str(row) in (key, quote(key, safe="/.:-_", errors="surrogatepass"))
    if depth == 0 or not isinstance(row, Mapping | list | tuple):
        return False
    inner = row.values() if isinstance(row, Mapping) else row
    return any(shows(one, key, depth - 1) for one in inner)


def _written(value: Any) -> str | None:
    """Write a reference; None if it is none: missing, empty, or no plain text or number."""
    if isinstance(value, tuple):
        parts = [_written(part) for part in value]
        # As JSON: two references may not meet by where one of their parts ends.
        return canonical(parts) if parts and all(parts) else None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    # Written otherwise than it is compared, it would be met as another step's each time.
    return value if isinstance(value, str) and value and storable(value) == value else None
