"""What was denied, and to whom, in the log: ids and never words of anybody."""

from __future__ import annotations

import logging
import uuid
from typing import Any

from daybook.state.session import Person

_LOG = logging.getLogger(__name__)

_NOBODY = "nobody who is signed in"


def denied(what: str, person: Person | None = None, thread_id: Any = None) -> None:
    """Note a denial.

    Args:
        what: was asked for, in words of ours: a client's would let it write lines of its own.
        person: who asked; None is nobody who is known.
        thread_id: of this thread; left out where it is no UUID.
    """
    who = f"{person.user_id!a} ({person.role})" if person else _NOBODY
    try:
        where = f" of the thread {uuid.UUID(str(thread_id))}"
    except ValueError:
        where = ""
    _LOG.warning("denied to %s: %s%s", who, what, where)
