"""Hold an answer against what is known, sentence by sentence. What cannot be judged passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.general import is_general, without_general
from daybook.tools.said.judges.allowed import Allowed
from daybook.tools.said.judges.amounts import of_amounts
from daybook.tools.said.judges.done.causes import of_causes
from daybook.tools.said.judges.done.claimed import of_effects
from daybook.tools.said.judges.done.contents import of_contents
from daybook.tools.said.judges.done.counted_orders import of_counted_orders
from daybook.tools.said.judges.done.doubted import of_doubts
from daybook.tools.said.judges.done.held_up import of_held_up
from daybook.tools.said.judges.done.orders import of_orders
from daybook.tools.said.judges.done.unfinished import of_unfinished
from daybook.tools.said.judges.figures import of_codes, of_counts, of_days, of_pairs, of_stock
from daybook.tools.said.judges.goods.alone.bounded import of_bounds_of_one
from daybook.tools.said.judges.goods.alone.counted import of_counted
from daybook.tools.said.judges.goods.alone.described import of_descriptions
from daybook.tools.said.judges.goods.alone.features import of_features
from daybook.tools.said.judges.goods.alone.measured import of_measures
from daybook.tools.said.judges.goods.alone.misnamed import of_misnamed
from daybook.tools.said.judges.goods.alone.reviewed import of_reviewers
from daybook.tools.said.judges.goods.alone.scarce import of_scarcity
from daybook.tools.said.judges.goods.alone.strangers import of_strangers
from daybook.tools.said.judges.goods.alone.traits import of_traits
from daybook.tools.said.judges.goods.beside.apart import of_what_is_apart
from daybook.tools.said.judges.goods.beside.columns import of_columns, of_these_alone
from daybook.tools.said.judges.goods.beside.compared import (
    of_hits,
    of_reviews,
    of_superlatives,
)
from daybook.tools.said.judges.goods.beside.most import of_most
from daybook.tools.said.judges.goods.beside.of_each import of_each
from daybook.tools.said.judges.goods.beside.only_one import of_the_only_one
from daybook.tools.said.judges.goods.beside.quantified import of_bounds, of_quantities
from daybook.tools.said.judges.goods.beside.set_beside import of_comparisons, of_differences
from daybook.tools.said.judges.goods.beside.several import of_several_most
from daybook.tools.said.judges.included import of_what_is_included
from daybook.tools.said.judges.invented import of_inventions
from daybook.tools.said.judges.rules import of_rules
from daybook.tools.said.judges.totals import of_cart_totals, of_lines, of_totals
from daybook.tools.said.known import Known
from daybook.tools.said.quoted import stands_as_read, without_quotes
from daybook.tools.said.spoken_of import Mentioned, heads_in, mentioned, only_one
from daybook.tools.said.text import (
    Sentence,
    as_it_is_now,
    bounded,
    is_choice,
    is_row,
    is_sample,
    plain,
    sentences_in,
)
from daybook.tools.said.wording import answered, in_plain_english, worded

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
    allowed = Allowed(known, in_plain_english(answer))
    found, before = list[Untrue](), _Before()
    for sentence in sentences_in(answer):
        so, before = _judged(sentence, before, known, allowed, denied)
        if so:
            found.append(Untrue(sentence.text, sentence.start, sentence.end, so))
    return found


def of_effects_in(answer: str, known: Known) -> list[Untrue]:
    """Find the sentences of an answer that contradict what the ledger tells of effects alone."""
    found = list[Untrue]()
    for sentence in sentences_in(bounded(answer, _JUDGED)):
        if so := next(of_effects(worded(sentence), known), ""):
            found.append(Untrue(sentence.text, sentence.start, sentence.end, so))
    return found


class Hearing:
    """Hold an answer against what is known while it grows.

    What a later sentence adds can only make an earlier one follow (a sum, whose rows come behind
    it), so one that holds by what stands before it holds. One that does not may hold later on.
    """

    def __init__(self, known: Known, denied: Denial) -> None:
        self._known, self._denied = known, denied
        self._held, self._before = 0, _Before()

    def holds(self, answer: str) -> int:
        """Return how many characters hold at the beginning of an answer, whole sentences.

        Args:
            answer: so far, its last sentence whole; what it was before, and more.
        """
        answer = bounded(answer, _JUDGED)
        allowed = Allowed(self._known, in_plain_english(answer))
        for sentence in sentences_in(answer):
            if sentence.start < self._held:
                continue
            so, before = _judged(sentence, self._before, self._known, allowed, self._denied)
            if so:
                break
            self._held, self._before = sentence.end, before
        return self._held


@dataclass(frozen=True)
class _Before:
    """What stands before a sentence: what was spoken of, what was asked, and the one before it."""

    subject: Sequence[Mentioned] = ()
    asked: str = ""
    text: str = ""


def _judged(
    sentence: Sentence, before: _Before, known: Known, allowed: Allowed, denied: Denial
) -> tuple[str, _Before]:
    """Return what is so where a sentence contradicts it, else "", and what stands before the next."""
    if is_sample(sentence):
        return "", _Before()
    sentence = as_it_is_now(worded(sentence))
    asked = sentence.text if sentence.text.rstrip(" *_").endswith("?") else ""
    if before.asked and not asked:
        sentence = replace(sentence, text=answered(before.asked, sentence.text))
    subject = before.subject
    sentence = of_these_alone(sentence, known)
    about = mentioned(sentence.text, known)
    if sentence.begins and not is_row(sentence.text):
        subject = ()
    if not about and _REFERS.search(sentence.text):
        about = [*subject] or only_one(known)
        if subject and _speaks_of_another(sentence.text, subject, known):
            about = []
    so = next(_complaints(sentence, about, known, allowed, before), "")
    if not is_choice(sentence):
        so = so or denied(sentence.headed, [one.record.names for one in about])
    is_one = len({one.name for one in about}) == 1
    subject = about if is_one else () if about else _called_in(sentence, known)
    return so, _Before(subject, asked, sentence.text)


def _called_in(sentence: Sentence, known: Known) -> list[Mentioned]:
    """Return the one thing that a sentence calls by its noun, of which the next one may speak."""
    called = {id(some[0]): some for _, some in heads_in(plain(sentence.text), known)}
    alone = [some[0] for some in called.values() if len(some) == 1 and not some[0].statuses]
    return [Mentioned(alone[0], "", 0, 0)] if len(called) == len(alone) == 1 else []


def _speaks_of_another(text: str, subject: Sequence[Mentioned], known: Known) -> bool:
    """Tell whether a sentence calls by its noun a thing that the one before it did not name."""
    called = [some[0] for _, some in heads_in(plain(text), known) if len(some) == 1]
    return any(
        not one.statuses and all(one is not other.record for other in subject) for one in called
    )


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
    sentence: Sentence,
    about: Sequence[Mentioned],
    known: Known,
    allowed: Allowed,
    before: _Before,
) -> Iterator[str]:
    """Yield what is so, for each thing in a sentence that is not."""
    clauses = Clauses(sentence)
    said = plain(sentence.text)
    # What a sentence before it spoke of stands nowhere in this one.
    here = [one for one in about if one.name and said.startswith(one.name, one.start)]
    yield from of_effects(sentence, known)
    if stands_as_read(sentence, known):
        return
    if is_general(sentence):
        # What holds of all things of a kind, or may be a reason, is told of none that was read.
        yield from of_codes(sentence.text, known)
        yield from of_inventions(clauses, known)
        yield from of_rules(clauses, known)
        return
    yield from of_unfinished(clauses, known)
    yield from of_doubts(clauses, known)
    yield from of_causes(clauses, known)
    yield from of_orders(clauses, known)
    yield from of_counted_orders(clauses, known)
    yield from of_held_up(clauses, known)
    yield from of_codes(sentence.text, known)
    yield from of_pairs(sentence.text, here)
    yield from of_amounts(sentence.text, about, allowed)
    yield from of_totals(clauses, known)
    yield from of_cart_totals(clauses, known)
    yield from of_lines(clauses, known)
    # What holds in general is told of no goods.
    goods = Clauses(without_general(without_quotes(sentence, known), known))
    yield from of_stock(goods, about, known)
    yield from of_measures(goods, about, known)
    yield from of_bounds_of_one(goods, about, known)
    yield from of_scarcity(goods, about, known)
    yield from of_counts(sentence.text, here, known)
    yield from of_days(sentence.text, known)
    yield from of_counted(goods, known)
    yield from of_superlatives(goods, about, known)
    yield from of_several_most(goods, known)
    yield from of_bounds(goods, known, before.text)
    yield from of_quantities(goods, known, before.text)
    yield from of_hits(goods, known)
    yield from of_reviews(goods, known)
    yield from of_reviewers(goods, known)
    yield from of_differences(goods, known)
    yield from of_comparisons(goods, known)
    yield from of_traits(goods, about, known)
    yield from of_each(goods, known)
    yield from of_columns(clauses, known)
    yield from of_what_is_apart(goods, known)
    yield from of_most(goods, about, known)
    yield from of_the_only_one(goods, known)
    yield from of_descriptions(goods, about, known)
    yield from of_features(goods, known)
    yield from of_inventions(Clauses(without_general(sentence, known, but_of_the_shop=True)), known)
    yield from of_rules(clauses, known)
    yield from of_what_is_included(clauses, known)
    yield from of_contents(clauses, known)
    yield from of_strangers(clauses, known)
    yield from of_misnamed(clauses, known)
