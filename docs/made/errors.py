"""The errors, in the order of their module."""

from __future__ import annotations

import inspect

from daybook.state import errors as module
from docs.made.tables import table


def errors() -> str:
    """Make the table of errors: what each is, and what it says."""
    kinds = [one for _, one in inspect.getmembers(module, inspect.isclass) if _is_ours(one)]
    kinds.sort(key=lambda one: inspect.getsourcelines(one)[1])
    rows = ((f"`{one.__name__}`", _parent(one), _says(one)) for one in kinds)
    return table(("error", "is a", "meaning"), rows)


def _is_ours(kind: type) -> bool:
    return kind.__module__ == module.__name__


def _parent(kind: type) -> str:
    return f"`{kind.__mro__[1].__name__}`"


def _says(kind: type) -> str:
    return (kind.__doc__ or "").partition("\n")[0].rstrip(".")
