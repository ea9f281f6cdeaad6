"""Where outcomes come from: the code that played, and the data that were played."""

from __future__ import annotations

import hashlib
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_CODE = ("state", "checkpoints", "tools", "nodes", "graph", "evals/tau_retail")
_LOCK = "requirements.lock"


def origin_of(data: Path) -> str:
    """Name code, pinned libraries and data: other ones have another name.

    Args:
        data: the folder of the recorded runs.
    """
    code = (path for folder in _CODE for path in (_ROOT / folder).rglob("*"))
    files = [path for path in code if path.suffix in (".py", ".sql")]
    files += [*_ROOT.glob(_LOCK), *(path for path in data.iterdir() if path.is_file())]
    named = hashlib.sha256()
    for path in sorted(files):
        named.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return named.hexdigest()[:16]
