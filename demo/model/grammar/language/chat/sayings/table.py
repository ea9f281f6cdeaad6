"""What a table of sayings is, and the words that several of them are made of."""

from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.intents.intent import Intent

Sayings = Sequence[tuple[str, tuple[Intent, ...]]]
"""Patterns of whole sentences, and what they mean."""

GOODS: Final = r"(?:it|them|this|that|these|those|everything|stuff|things?|items?|something)"
ASKS: Final = (
    r"(?:how|what|who|when|where|which|do|does|did|can|could|is|are|will|would|may|any|tell me"
    r"|and how|and what|and do|and can|and is|so how|so what|ok how|and will|if|am i)"
)
