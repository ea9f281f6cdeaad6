"""What nobody needs to keep: card numbers, their security codes, and secrets that open something.

Taken out at the door, before anything of it is stored, and of what a model writes. A card is named
by its last four digits; whoever pays does it with a card on file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from daybook.state.people.privacy.cards import LONGEST, SHORTEST, is_card, marked, without_cards
from daybook.state.people.privacy.secret_forms import secret_under, without_secrets
from daybook.state.people.privacy.unfolded import Unfolded

NOT_KEPT = (
    "Card numbers, security codes and passwords are not kept here: yours was taken out of what you "
    "wrote before it was stored. Pay with a card on file, by its name or its last four digits."
)
"""Said to a person who typed one."""

# A hash or a UUID may hold many digits in a row.
_ID = re.compile(
    r"(\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[0-9]{0,64}+[a-f])[0-9a-f]{20,}+)\b)",
    re.I,
)

_MARK = re.compile(r"\[card ending \d{4}\]|\[secret\]|\[security code\]")

_LEAST, _MOST = 10 ** (SHORTEST - 1), 10**LONGEST


def redacted(value: Any) -> Any:
    """Take card numbers and secrets out of text, however deep in a JSON value it stands.

    A number of 13 to 19 digits that a card may have (its first digits, its length, its check digit)
    becomes `[card ending 1111]`: digits of any script, with blanks or dashes between.

    Returns:
        The same value where there is nothing to take out; text where a card was a number.
    """
    if isinstance(value, str):
        return _redacted(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, Mapping):
        return {redacted(key): _named(key, item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(item) for item in value]
    return value


def lacks_something(text: str) -> bool:
    """Tell whether something was taken out of a text."""
    return _MARK.search(text) is not None


def _named(name: Any, item: Any) -> Any:
    """Redact what stands under a name, which may say that it is a secret."""
    is_said = isinstance(item, str | int) and not isinstance(item, bool)
    if isinstance(name, str) and is_said and (mark := secret_under(name, str(item))):
        return mark
    return redacted(item)


def _redacted(text: str) -> str:
    """Redact a text as it is; written plainly where more is found in it then."""
    kept, unfolded = _without(text), Unfolded(text)
    if unfolded.plain == text:
        return kept
    shown = _without(unfolded.plain)
    return _without(unfolded.changed(shown)) if _marks(shown) > _marks(kept) else kept


def _marks(text: str) -> int:
    return sum(1 for _ in _MARK.finditer(text))


def _without(text: str) -> str:
    parts = _ID.split(without_secrets(text))
    parts[::2] = map(without_cards, parts[::2])
    return "".join(parts)


def _number(value: float) -> Any:
    if not _LEAST <= value < _MOST:
        return value
    digits = f"{value:.0f}"
    return marked(digits) if is_card(digits) else value
