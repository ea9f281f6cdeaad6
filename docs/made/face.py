"""The public face: what an adopter imports from `daybook`, and what each name says of itself."""

from __future__ import annotations

import inspect
from typing import Any

import daybook
import daybook.domain
from docs.made.tables import table

_ALSO = {
    "daybook.app.notebook": "Module",
}
"""Modules that are public as a whole, beside the face and the errors."""


def face() -> str:
    """Make the table of public names, by the first line of what each says of itself."""
    rows = (
        (
            f"[`{name}`](#{_kind(name).lower()}-{name.lower()})",
            "`daybook`" if name in daybook.__all__ else "`daybook.domain`",
            _line(name),
        )
        for name in _names()
    )
    return table(("name", "from", "what it is"), rows)


def face_described() -> str:
    """Name every public object for mkdocstrings, which writes its documentation there."""
    parts = [(f"{_kind(name)} `{name}`", _place(name)) for name in _names()]
    parts += [(f"{kind} `{name}`", name) for name, kind in _ALSO.items()]
    return "\n\n".join(f"## {heading}\n\n::: {place}" for heading, place in parts)


def _names() -> list[str]:
    """Name what `daybook` exports, then what `daybook.domain` does beside it."""
    return [name for name in (*daybook.__all__, *daybook.domain.__all__) if name != "errors"]


def _place(name: str) -> str:
    places: dict[str, str] = {**daybook._STANDS_IN, **daybook.domain._STANDS_IN}
    return f"daybook.{places[name]}.{name}"


def _found(name: str) -> Any:
    return getattr(daybook if name in daybook.__all__ else daybook.domain, name)


def _kind(name: str) -> str:
    found: Any = _found(name)
    if inspect.isclass(found):
        return "Class"
    return "Function" if inspect.isroutine(found) else "Value"


def _line(name: str) -> str:
    found: Any = _found(name)
    if _kind(name) != "Value":
        return (inspect.getdoc(found) or "").partition("\n")[0].rstrip(".").replace("|", "or")
    return f"a `{type(found).__name__}`" if type(found).__module__ != "types" else "one of several"
