"""How this program was called, so that the same can be pasted into the same shell."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_DOMAIN = "DAYBOOK_DOMAIN"
_WHERE = ("DAYBOOK_HOME", _DOMAIN, "DAYBOOK_MERCHANTS")
"""Variables without which the same words would open something else; others may hold secrets."""


def typed(
    argv: Sequence[str], domain: str | None, environment: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the words that call the program again, in whatever shell.

    Args:
        argv: as the interpreter was given them.
        domain: that was named by an option; None where it was not.
        environment: as it was when the program was called: nobody can tell whether the shell has it
            too, or whether it stood before the command alone.
    """
    given = [
        f"{name}={environment[name]}"
        for name in _WHERE
        if environment.get(name) and not (domain and name == _DOMAIN)
    ]
    return (*(["env", *given] if given else []), *_program(argv, domain))


def _program(argv: Sequence[str], domain: str | None) -> tuple[str, ...]:
    called = Path(argv[0])
    options = () if domain is None else ("--domain", domain)
    if called.name == "__main__.py":
        return (sys.executable, "-m", "daybook.app", *options)
    found = shutil.which(called.name)
    is_found = found is not None and Path(found).resolve() == called.resolve()
    return (called.name if is_found else argv[0], *options)
