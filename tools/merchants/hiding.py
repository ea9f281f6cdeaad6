"""What must not come back: a merchant that repeats a credential is not repeated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

HIDDEN: Final = "[hidden]"

_LONG: Final = 6
"""Characters from which on something is hidden within words too; what is shorter only by itself."""


_IS_CODE: Final = re.compile("cv|csc|pin|code|otp|password", re.IGNORECASE)
"""Names what is secret however short it is; a year or a country is not."""


class Hiding:
    """Takes credentials out of whatever a merchant says. They are held in memory alone."""

    def __init__(self) -> None:
        self._secrets: frozenset[str] = frozenset()
        self._pattern: re.Pattern[str] | None = None

    def __repr__(self) -> str:
        """Say how many there are, and none of them."""
        return f"Hiding({len(self._secrets)})"

    def hide(self, credential: Mapping[str, Any]) -> None:
        """Hide what is in a credential from now on; what names its kind is not secret."""
        self._secrets = self._secrets.union(_secrets(credential))
        parts = [
            re.escape(one) if len(one) >= _LONG else rf"\b{re.escape(one)}\b"
            for one in sorted(self._secrets, key=len, reverse=True)
        ]
        self._pattern = re.compile("|".join(parts)) if parts else None

    def text(self, said: str) -> str:
        """Return a text without them."""
        return said if self._pattern is None else self._pattern.sub(HIDDEN, said)

    def body(self, said: Any) -> Any:
        """Return an answer without them, in its fields and in their names."""
        if self._pattern is None:
            return said
        if isinstance(said, str):
            return self.text(said)
        if isinstance(said, Mapping):
            return {self.text(name): self.body(value) for name, value in said.items()}
        if isinstance(said, list):
            return [self.body(one) for one in said]
        return said


def _secrets(given: Any, name: str = "") -> Iterator[str]:
    if isinstance(given, Mapping):
        for key, value in given.items():
            yield from _secrets(value, str(key))
    elif isinstance(given, list | tuple):
        for one in given:
            yield from _secrets(one, name)
    elif name != "type" and given is not None and not isinstance(given, bool):
        said = str(given)
        if len(said) >= _LONG or (len(said) > 2 and _IS_CODE.search(name)):
            yield said
