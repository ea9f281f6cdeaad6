"""Hold an answer against what is known, sentence by sentence. What cannot be judged passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from daybook.tools.said.amounts import Allowed, of_amounts
from daybook.tools.said.claimed import of_effects, of_orders
from daybook.tools.said.figures import of_codes, of_counts, of_days, of_pairs, of_stock
from daybook.tools.said.known import Known
from daybook.tools.said.spoken_of import Mentioned, mentioned, only_one
from daybook.tools.said.text import Sentence, bounded, is_row, sentences_in

_MARK_ALONE = re.compile(r"^\s*(?:[-*•–+]|\d+[.)])\s*$")

_JUDGED = 12_000
"""Characters of an answer that are judged: a hostile one must not keep others waiting."""

_REFERS = re.compile(r"\b(?:it|its|it's|that one|this one|they)\b", re.IGNORECASE)

Denial: TypeAlias = Callable[[str, Sequence[frozenset[str]]], str]
"""What a domain itself knows of a sentence, and of the names of all that it mentions.

It returns what is so where the sentence contradicts it, else "".
"""


@dataclass(frozen=True)
class Untrue:
    """A sentence of an answer that contradicts what is known.

    Attributes:
        start, end: where it stands in the answer.
        so: what is so, in one line.
    """

    text: str
    start: int
    end: int
    so: str


def untrue_in(
    answer: str, known: Known, denied: Denial = lambda sentence, names: ""
) -> list[Untrue]:
    """Find the sentences of an answer that contradict what is known, in order.

    Args:
        denied: asked about each sentence that contradicts nothing else.

    Example:
        >>> [one.so for one in untrue_in("Your order DB-12345678 is on its way.", Known())]
        ['DB-12345678 stands in nothing that was read or done.']
    """
    answer = bounded(answer, _JUDGED)
    allowed = Allowed(known, answer)
    found, subject = list[Untrue](), list[Mentioned]()
    for sentence in sentences_in(answer):
        about = mentioned(sentence.text, known)
        if sentence.begins and not is_row(sentence.text):
            subject = []
        if not about and _REFERS.search(sentence.text):
            about = subject or only_one(known)
        subject = about if len({one.name for one in about}) == 1 else []
        so = next(_complaints(sentence, about, known, allowed), "")
        so = so or denied(sentence.text, [one.record.names for one in about])
        if so:
            found.append(Untrue(sentence.text, sentence.start, sentence.end, so))
    return found


def corrected(answer: str, untrue: Sequence[Untrue]) -> str:
    """Return what is so, and behind it the answer without the sentences that contradict it."""
    so, kept, at = list(dict.fromkeys(one.so for one in untrue)), list[str](), 0
    for line in answer.split("\n"):
        end = at + len(line)
        gone = [one for one in untrue if at <= one.start < end]
        left, start = "", at
        for one in gone:
            left += answer[start : one.start]
            start = one.end
        left = (left + answer[start:end]).rstrip()
        # A row whose words are gone goes with its mark.
        if not gone or _MARK_ALONE.sub("", left).strip():
            kept.append(left if gone else line)
        at = end + 1
    rest = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip() if untrue else answer
    return "\n\n".join([*so, *([rest] if rest else [])])


def _complaints(
    sentence: Sentence, about: Sequence[Mentioned], known: Known, allowed: Allowed
) -> Iterator[str]:
    """Yield what is so, for each thing in a sentence that is not."""
    yield from of_effects(sentence, known)
    yield from of_orders(sentence.text, known)
    yield from of_codes(sentence.text, known)
    yield from of_pairs(sentence.text, about)
    yield from of_amounts(sentence.text, about, allowed)
    yield from of_stock(sentence.text, about, known)
    yield from of_counts(sentence.text, about)
    yield from of_days(sentence.text, known)
