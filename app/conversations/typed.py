"""How this program was called, so that the same can be pasted into the same shell."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path


def typed(argv: Sequence[str], domain: str | None) -> tuple[str, ...]:
    """Return the words that call the program again.

    Args:
        argv: as the interpreter was given them.
        domain: that was named by an option; None where it was not.
    """
    called = Path(argv[0])
    options = () if domain is None else ("--domain", domain)
    if called.name == "__main__.py":
        return (sys.executable, "-m", "daybook.app", *options)
    found = shutil.which(called.name)
    is_found = found is not None and Path(found).resolve() == called.resolve()
    return (called.name if is_found else argv[0], *options)
