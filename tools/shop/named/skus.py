"""A sku in a sentence, however it is spelled, and another one of its sort."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from daybook.tools.shop.named.sentence import Sentence
from daybook.tools.shop.named.words import spelled

_SKU = re.compile(r"\b([A-Za-z]{2,8})-?(\d+)\b")

_BETWEEN_RUNS = r"(?:[-_./#:=(\s]{0,3}|\s+(?:number|no\.?|nr\.?)\s*#?)"
"""What may stand between the letters and the number of a sku."""


@dataclass(frozen=True)
class Sku:
    """Know a sku again in a sentence."""

    text: str

    def is_in(self, said: Sentence) -> bool:
        """Tell whether a sentence has it, however it is spelled."""
        if not any(sign.isdigit() for sign in self._squeezed):
            return any(word.text == self.text for word in said.words)
        for found in self._written.finditer(said.plain):
            written = found.group()
            # "boot 1" may count boots.
            is_count = re.fullmatch(r"[a-z]+[\s:=(]+\d", written, re.IGNORECASE) is not None and (
                written[0].islower() or not written[:2].isupper()
            )
            if not is_count:
                return True
        return False

    def is_other_at(self, said: Sentence, at: int) -> bool:
        """Tell whether another sku begins at a word of a sentence."""
        word = said.words[at]
        after = said.words[at + 1 : at + 2]
        text = word.text
        if text.isalpha() and after and after[0].text.isdigit() and not after[0].apart:
            text += after[0].text
        found = _SKU.fullmatch(text)
        if found is None or _squeezed(text) == self._squeezed:
            return False
        ours = _SKU.fullmatch(self.text.replace("-", ""))
        alike = ours is not None and found[1].casefold() == ours[1].casefold()
        joined = f"{found[1]}-{found[2]}"
        return alike or (found[1].isupper() and len(found[1]) > 2 and joined in said.plain)

    @cached_property
    def _squeezed(self) -> str:
        return _squeezed(self.text)

    @cached_property
    def _written(self) -> re.Pattern[str]:
        runs = re.findall(r"[A-Za-z]+|\d+", spelled(self.text))
        parts = [_as_it_may_look(run) for run in runs]
        return re.compile(
            rf"(?<![A-Za-z0-9])(?<![A-Za-z0-9]-){_BETWEEN_RUNS.join(parts)}s?"
            r"(?![A-Za-z0-9])(?!-[A-Za-z0-9])",
            re.IGNORECASE,
        )


def _as_it_may_look(run: str) -> str:
    """Return a pattern of letters or of a number of a sku, in which O and 0 are alike."""
    if run.isdigit():
        return f"[0o]*{(run.lstrip('0') or '0').replace('0', '[0o]')}"
    return re.escape(run).replace("O", "[O0]").replace("o", "[o0]")


def _squeezed(sku: str) -> str:
    """Write a sku without hyphens, blanks and leading noughts."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", re.sub(r"[\W_]", "", sku.casefold()))
