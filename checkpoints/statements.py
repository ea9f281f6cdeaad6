"""Load named SQL statements from the `.sql` files beside this package."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def statements(file: str, folder: Traversable | None = None) -> dict[str, str]:
    """Return the statements of a file in a folder, else in `checkpoints/sql`, by their names.

    A name stands before its statement, as `-- name: x`.
    """
    text = ((folder or files("daybook.checkpoints") / "sql") / file).read_text()
    _, *parts = _NAME.split(text)
    return {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}
