"""Arguments as they were decided, byte for byte, beside the form that can be searched.

A jsonb column gives back equal values and not the same text: it orders keys, writes 1e16 as a whole
number, -0.0 as 0.0, and holds no NUL. What is sent must be what was decided, so the text of the
arguments stands beside them wherever that would get lost. The text is ASCII and escapes all else,
so a JSON string in jsonb holds it as it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from daybook.state.effects.keys import storable

_WRITTEN = "written"


def stored_args(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a payload holds of a call's arguments.

    Returns:
        `args`, by which they are found; and beside it `written`, their JSON text, where the
        database would not give the same text back.
    """
    as_json = dict(args)
    text = json.dumps(as_json)
    if text == json.dumps(_ordered(storable(as_json))):
        return {"args": as_json}
    return {"args": as_json, _WRITTEN: text}


def restored(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that a payload holds, as they were decided; none if it holds none."""
    if _WRITTEN in payload:
        args: dict[str, Any] = json.loads(payload[_WRITTEN])
        return args
    return dict(payload.get("args", {}))


def _ordered(value: Any) -> Any:
    """Order a JSON value as a jsonb column gives it back: keys by length, then by their bytes."""
    if isinstance(value, Mapping):
        names = sorted(value, key=lambda name: (len(name.encode()), name.encode()))
        return {name: _ordered(value[name]) for name in names}
    return [_ordered(item) for item in value] if isinstance(value, list) else value
