"""Judge a purchase by the records of the service, the model and the person: pure counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from evals.rivals.cells import EFFECTS, MODEL_CALLS


@dataclass(frozen=True)
class Record:
    """What a purchase left behind.

    Attributes:
        performed: each effect that really happened, in order.
        held: the holds that were made.
        ordered: the holds that an order took.
        approvals: the effects that a person was asked to approve, in order.
        doubts: how often a person was asked whether something had happened.
        model_calls: how often the model was asked.
        is_finished: the last process came to the model's answer.
        is_named: an operator had to name the run for somebody to go on with it.
    """

    performed: Sequence[str]
    held: Sequence[str]
    ordered: Sequence[str]
    approvals: Sequence[str]
    doubts: int
    model_calls: int
    is_finished: bool
    is_named: bool


@dataclass(frozen=True)
class Counts:
    """What became of some purchases; `+` adds them up."""

    runs: int = 0
    duplicates: int = 0
    lost: int = 0
    holds_left: int = 0
    approvals_again: int = 0
    model_again: int = 0
    by_itself: int = 0
    doubts: int = 0
    unfinished: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Counts)))

    @property
    def is_broken(self) -> bool:
        """Tell whether something was done twice, lost, or left held."""
        return bool(self.duplicates or self.lost or self.holds_left)


def judge(record: Record) -> Counts:
    """Count what one purchase came to."""
    happened, asked = Counter(record.performed), Counter(record.approvals)
    by_itself = record.is_finished and not record.is_named and not record.doubts
    return Counts(
        runs=1,
        duplicates=sum(count - 1 for count in happened.values()),
        lost=sum(effect not in happened for effect in EFFECTS),
        holds_left=len(set(record.held) - set(record.ordered)),
        approvals_again=sum(count - 1 for count in asked.values()),
        model_again=max(0, record.model_calls - MODEL_CALLS),
        by_itself=int(by_itself),
        doubts=record.doubts,
        unfinished=int(not record.is_finished),
    )


def total(counts: Iterable[Counts]) -> Counts:
    """Add counts up."""
    return sum(counts, Counts())
