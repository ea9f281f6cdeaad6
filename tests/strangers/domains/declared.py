"""Declarations that are required with a probe or an undo."""

from __future__ import annotations

from typing import Any

from tools.kinds import Declared


def referring(reference: Any, **more: Any) -> dict[str, Any]:
    """Name what names an effect, and whose it is, where these can be declared."""
    said = {"reference": reference, **more}
    return {name: value for name, value in said.items() if name in Declared.__annotations__}
