"""Load named SQL statements from the `.sql` files beside this package."""

from __future__ import annotations

import re
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def statements(file: str) -> dict[str, str]:
    """Return the statements of a file in `checkpoints/sql`, by the name in `-- name: x`."""
    text = (files("daybook.checkpoints") / "sql" / file).read_text()
    _, *parts = _NAME.split(text)
    return {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}
