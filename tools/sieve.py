"""What an answer goes through while it comes, and what stands in its place where it fails."""

from __future__ import annotations

from typing import Protocol

from daybook.state.errors import ToolFailed, ToolRefused
from daybook.tools.boundary import made, made_or
from daybook.tools.taken import text_of


class Sieve(Protocol):
    """Hold back of a text, while it comes, what is not to be shown.

    What it gives out in all is the same however the text is dealt out.
    """

    def feed(self, text: str) -> str:
        """Take more of the text; return what may be shown of it by now."""
        ...

    def end(self) -> str:
        """Return what is left."""
        ...


class Shut:
    """Let nothing pass."""

    def feed(self, text: str) -> str:
        """Take more of the text, and give out nothing."""
        return ""

    def end(self) -> str:
        """Give out nothing."""
        return ""


class Heard:
    """Let nothing pass of what a domain's sieve fails at."""

    def __init__(self, sieve: Sieve) -> None:
        self._sieve: Sieve = sieve

    def feed(self, text: str) -> str:
        """Take more of the text; nothing passes any more once the sieve has failed."""
        try:
            return made("`sieve`", lambda: text_of(self._sieve.feed(text)))
        except (ToolRefused, ToolFailed):
            self._sieve = Shut()
            return ""

    def end(self) -> str:
        """Return what is left; nothing where the sieve fails."""
        return made_or(str, "`sieve`", lambda: text_of(self._sieve.end()))
