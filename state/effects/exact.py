"""What JSON can be kept exactly as it came: in a checkpoint, in the ledger, and in its hash."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

LEVELS = 32
"""How many lists and objects may stand within each other."""


class Inexact(ValueError):
    """Say why something is no JSON that can be kept exactly."""


def inexact(value: Any, levels: int = LEVELS) -> str | None:
    """Say why a value cannot be kept exactly as it is; None where it can.

    What reads "it cannot be kept" here would be changed by being stored: Postgres takes no NUL and
    no half of a character, a checkpoint no whole number of more than 64 bits, and a hash that is
    taken before says something else afterwards.

    Args:
        levels: how many lists and objects may stand within each other.

    Example:
        >>> inexact({"id": 2**64})
        'a number in it is too large'
        >>> inexact({"id": "R-1", "amount": 12.5}) is None
        True
    """
    if isinstance(value, str):
        return _broken(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "a number in it is none"
    if isinstance(value, int | float) and not -(2**63) <= value < 2**63:
        return "a number in it is too large"
    if not isinstance(value, Mapping | list | tuple):
        return None
    if levels == 0:
        return "it is nested too deeply"
    if isinstance(value, Mapping):
        parts = [part for pair in value.items() for part in pair]
    else:
        parts = list(value)
    return next((why for part in parts if (why := inexact(part, levels - 1))), None)


def read_exactly(content: bytes) -> Any:
    """Read JSON of which nothing is lost by reading it.

    Raises:
        Inexact: it is no JSON in UTF-8, or says a thing twice, or holds what cannot be kept.

    Example:
        >>> read_exactly(b'{"id": "R-1"}')
        {'id': 'R-1'}
    """
    try:
        value = json.loads(
            content.decode("utf-8"), object_pairs_hook=_object, parse_constant=_no_number
        )
    except Inexact:
        raise
    except RecursionError as error:
        raise Inexact("it is nested too deeply") from error
    except UnicodeDecodeError as error:
        raise Inexact("it is not in UTF-8") from error
    except json.JSONDecodeError as error:
        raise Inexact("it is not JSON") from error
    except ValueError as error:
        # Python reads no number of some thousand digits.
        raise Inexact("a number in it is too large") from error
    if why := inexact(value):
        raise Inexact(why)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise Inexact("it names a field twice")
    return read


def _no_number(name: str) -> None:
    raise Inexact("a number in it is none")


def _broken(text: str) -> str | None:
    if "\x00" in text:
        return "a text in it holds a NUL"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "a text in it holds half a character"
    return None
