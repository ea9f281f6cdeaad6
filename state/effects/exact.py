"""Which JSON is stored exactly as it came: in checkpoints, the ledger, hashes and requests."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

LEVELS = 32
"""How many lists and objects may stand within each other."""


class Inexact(ValueError):
    """Say why something is no JSON that can be kept exactly."""


def inexact(value: Any) -> str | None:
    """Say why a value cannot be kept exactly as it is; None if it can.

    What is refused here would be changed by being stored: Postgres takes no NUL and no half of a
    character, a checkpoint no whole number of more than 64 bits, and a hash that is taken before
    says something else afterwards.

    Example:
        >>> inexact({"id": 2**64})
        'a number in it is too large'
        >>> inexact({"id": "R-1", "amount": 12.5}) is None
        True
    """
    return _first(value, _inexact_part)


def unsendable(value: Any) -> str | None:
    """Say why arguments cannot be kept and sent as they are; None if they can.

    Their text is kept beside them, so a NUL may stand in them, and a float of any size.
    """
    return _first(value, _unsendable_part)


def unkept(value: Any) -> str | None:
    """Say why a checkpoint cannot hold a JSON value; None if it can.

    State that holds more than whole numbers of 64 bits, or is nested without end, is never saved,
    and the thread never gets beyond it.
    """
    return _first(value, lambda part: _TOO_LARGE if _is_too_large(part) else None)


def is_deeper(value: Any, levels: int) -> bool:
    """Tell whether more lists and objects than `levels` stand within each other."""
    return _first(value, lambda part: None, levels) is not None


def _first(value: Any, fault_of: Callable[[Any], str | None], levels: int = LEVELS) -> str | None:
    """Return the first fault of a part of a JSON value: names, and what is no list or object."""
    if not isinstance(value, Mapping | list | tuple):
        return fault_of(value)
    if levels == 0:
        return "it is nested too deeply"
    parts = [*value, *value.values()] if isinstance(value, Mapping) else value
    return next((why for part in parts if (why := _first(part, fault_of, levels - 1))), None)


_TOO_LARGE = "a number in it is too large"


def _is_too_large(part: Any) -> bool:
    is_number = isinstance(part, int | float)
    return is_number and (2**63 <= part < math.inf or -math.inf < part < -(2**63))


def _inexact_part(part: Any) -> str | None:
    if isinstance(part, str):
        return "a text in it contains a NUL" if "\x00" in part else _broken(part)
    if isinstance(part, float) and not math.isfinite(part):
        return "it contains an invalid number"
    return _TOO_LARGE if _is_too_large(part) else None


def _unsendable_part(part: Any) -> str | None:
    match part:
        case str():
            return _broken(part)
        case bool() | None:
            return None
        case int():
            return _TOO_LARGE if _is_too_large(part) else None
        case float():
            return None if math.isfinite(part) else "NaN and infinity are not JSON numbers"
        case _:
            return f"{type(part).__name__} is not a JSON type"


def _broken(text: str) -> str | None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "a text in it contains a lone surrogate"
    return None


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
        raise Inexact(_TOO_LARGE) from error
    if why := inexact(value):
        raise Inexact(why)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise Inexact("it contains a field twice")
    return read


def _no_number(name: str) -> None:
    raise Inexact("it contains an invalid number")
