"""What people and threads are called: one form of each name, made where a name comes in."""

from __future__ import annotations

import unicodedata
import uuid


def user_named(name: str) -> str:
    """Return the one form of a person's id: Ada, ADA and " ada" are ada.

    Without blanks around it, in Unicode's compatibility form, without case.
    """
    named = name.strip()
    # Folding can give letters that have another normal form, and the other way round.
    while (folded := unicodedata.normalize("NFKC", named.casefold()).strip()) != named:
        named = folded
    return named


def thread_named(name: str) -> str:
    """Return the one form of a UUID, however it is spelled; another name stays as it is."""
    try:
        return str(uuid.UUID(name))
    except ValueError:
        return name
