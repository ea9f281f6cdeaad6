"""What of an answer may be said while it comes: what nothing that follows can take back. Pure."""

from __future__ import annotations

from collections.abc import Callable

from daybook.nodes.planning.proposed import words_kept
from daybook.tools.said.text import ends_in
from daybook.tools.sieve import Sieve

_MOST_HELD = 4_000
"""Characters without an end of a sentence; behind so many nothing more is said before the end."""

_ENDINGS = ".!?…\"')*_"


class Aloud:
    """Say an answer sentence by sentence while it comes.

    What is said is the beginning of what is stored: whole sentences without what nobody may keep,
    behind the domain's sieve, up to the first one that contradicts what is known so far. What is
    said in all is the same however the text is dealt out.

    Example:
        >>> aloud = Aloud(None, holds=len)
        >>> [aloud.feed(part) for part in ("Two bo", "ots. The", " first is warm.", " And")]
        ['', 'Two boots.', '', ' The first is warm.']
    """

    def __init__(self, sieve: Sieve | None, holds: Callable[[str], int]) -> None:
        """Begin.

        Args:
            holds: how many characters of an answer, whose last sentence is whole, contradict
                nothing; asked about the same answer again and again as it grows.
        """
        self._sieve, self._holds = sieve, holds
        self._coming = self._sifted = self.said = ""

    def feed(self, text: str) -> str:
        """Take more of the answer; return what may be said of it by now."""
        if len(self._coming) > _MOST_HELD:
            return ""
        self._coming += text
        before = len(self.said)
        while end := next((end for end in ends_in(self._coming) if self._is_settled(end)), 0):
            whole, self._coming = self._coming[:end], self._coming[end:]
            kept = words_kept(whole)
            self._sifted += kept if self._sieve is None else self._sieve.feed(kept)
            # Where a sieve lets a text pause, its sentence need not be over.
            ends = [len(self._sifted)] if self._sieve is None else [0, *ends_in(self._sifted)]
            held = self._holds(self._sifted[: ends[-1]])
            self.said = self._sifted[: max(len(self.said), held)]
        return self.said[before:]

    def _is_settled(self, end: int) -> bool:
        """Tell whether nothing that begins before an end may be found to go on behind it.

        A card's number or a password may stand on two lines, or have what looks like an end in it.
        """
        before, behind = self._coming[:end], self._coming[end:]
        last = next(filter(str.isalnum, reversed(before)), "")
        first = next(filter(str.isalnum, behind), "")
        if not first or (last.isdigit() and first.isdigit()):
            return False
        if before.rstrip()[-1:] not in _ENDINGS and not any(ends_in(behind)):
            return False
        return words_kept(before) + words_kept(behind) == words_kept(self._coming)
