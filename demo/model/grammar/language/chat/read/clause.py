"""A clause that no rule of the grammar takes, and the reader of its items."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.written.references import Counted

ItemsReader = Callable[[Sequence[Token]], list[Counted]]
"""Reads tokens as a list of items by the grammar's own rule; empty where they are none."""


@dataclass(frozen=True)
class Clause:
    """A clause: its tokens, how it reads, the grammar's reader of items, and what was before it.

    `corrects` says that it takes something back: "no wait, ...".
    """

    tokens: tuple[Token, ...]
    items: ItemsReader
    corrects: bool = False

    @property
    def text(self) -> str:
        """Return the words with one space between them, without a mark at the end."""
        return " ".join(token.text for token in self.tokens).strip(" ?!.,;:-")
