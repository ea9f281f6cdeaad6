"""What is taken of what a domain's own code gives: text that can be kept, updates of its state."""

from __future__ import annotations

from typing import Any

from daybook.state.effects.keys import storable
from daybook.state.plain import plain
from daybook.tools.checks.state import check_update


def text_of(given: Any) -> str:
    """Take text, and nothing that is none; without what neither database nor model takes.

    Nor what nobody sees: a domain says what others wrote, and it goes into prompts and answers.
    """
    if not isinstance(given, str):
        raise TypeError(f"{type(given).__name__} in the place of text")
    return plain(storable(given))


def update_of(given: Any) -> dict[str, Any]:
    """Take what changes in the state, if it is the domain's to change and can be saved."""
    update: dict[str, Any] = dict(given)
    check_update(update)
    return update
