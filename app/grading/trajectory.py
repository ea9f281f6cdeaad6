"""What a thread did, step by step: the typed, frozen input of the checks, for any domain.

`daybook.app.grading.history` builds it from the ledger; tests and `evals/steps` build it by hand.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel

from daybook.app.grading.identifiers import text_of

Kind: TypeAlias = Literal["read", "change", "write", "hybrid", "plan", "unknown", "answer"]
"""The kind of a tool; `unknown` where the domain has no such tool; `answer` for text."""

Outcome: TypeAlias = Literal[
    "done", "refused", "asked", "failed", "undone", "void", "in_doubt", "open", "erased"
]
"""The outcome of a step.

`refused`: rejected before processing. `asked`: a question to the user comes first. `failed`: tried
without effect. `undone`: compensated. `void`: never sent (rejected, expired, superseded). `open`:
not finished. `erased`: the data is gone, so the outcome is not known.
"""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One turn of the conversation; `said` is the user's message, "" where it was erased."""

    number: int
    turn_id: str
    said: str = ""


@dataclass(frozen=True, kw_only=True)
class OutsideEvent:
    """An event from outside the chat, by its ledger entry, as the model is shown it."""

    seq: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One reply of the model: calls, or the text that ends a turn.

    Attributes:
        seq: ledger entry.
        ordinal: index of the decision within the turn, from 0.
        tokens: estimated tokens of its prompt; 0 where they are not known.
    """

    seq: int
    turn: int
    ordinal: int
    tokens: int = 0


@dataclass(frozen=True)
class Claim:
    """A finding of the receipts check about a part of an answer, as the ledger holds it."""

    kind: str
    about: str
    quote: str
    correction: str


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step: a call of the model, an effect of a plan that the call started, or an answer.

    A write or hybrid that the model called directly is one step: the call is its effect.

    Attributes:
        key: unique in the thread: turn/decision.position; of an effect with its name behind a
            colon (`2/0.1:charge`); of an answer its decision alone (`2/1`).
        seq: ledger entry: the decision of a call, the intent of an effect of a plan.
        decided: ledger entry of the decision that it comes from.
        parent: key of the plan's call; "" for a call itself.
        op: business operation and generation, the idempotency key; "" where there is no effect.
        offered: tools that the model was offered; None where the ledger does not say.
        args: as the model gave them; of an effect of a plan as approved; of an answer its text.
        fault: why the arguments could not be parsed.
        result: what was read or returned, or the line that the model was shown; None without one.
        error: why it was refused or failed, or the question that comes first.
        handle: number of a read's result in the thread; 0 for others.
        needs: the least role that may approve it; `nobody` where policy approves.
        approved: ledger entry of the approval, 0 for none; likewise `attempted`.
        described: the lines that the approver was shown.
        said: the user's messages up to then, oldest first.
        shown: state in that prompt: digest and tail.
        superseded: handles of reads that a later write had made stale by then.
        claims: of an answer: findings of the receipts check.
    """

    key: str
    seq: int
    turn: int
    tool: str
    kind: Kind
    ordinal: int = 0
    decided: int = 0
    parent: str = ""
    op: str = ""
    flow: str = ""
    offered: frozenset[str] | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""
    result: Any = None
    error: str = ""
    outcome: Outcome = "done"
    handle: int = 0
    needs: str = "nobody"
    approval: Literal["person", "policy", "none"] = "none"
    approved_by: str = ""
    approved: int = 0
    described: tuple[str, ...] = ()
    attempted: int = 0
    said: tuple[str, ...] = ()
    shown: str = ""
    superseded: frozenset[int] = frozenset()
    claims: tuple[Claim, ...] = ()

    @property
    def is_call(self) -> bool:
        """Tell whether the model called it itself."""
        return not self.parent and self.kind != "answer"

    @property
    def acts(self) -> bool:
        """Tell whether it changes the world or the thread's state."""
        return self.kind not in ("read", "unknown", "answer")


@dataclass(frozen=True)
class Trajectory:
    """What a thread did.

    Attributes:
        steps: calls in order; the effects of a plan follow its call.
        answers: answers in order: steps of the kind `answer`.
        decisions: in order, including those that only answered.
        arguments: the argument model of each tool that the model may be offered.
        notes: what could not be read, in plain sentences.
    """

    thread_id: str
    turns: tuple[Turn, ...] = ()
    steps: tuple[Step, ...] = ()
    answers: tuple[Step, ...] = ()
    decisions: tuple[Decision, ...] = ()
    outside: tuple[OutsideEvent, ...] = ()
    arguments: Mapping[str, type[BaseModel]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def judged(self) -> Sequence[Step]:
        """Return all steps that are judged, in order: calls, effects and answers."""
        return list(heapq.merge(self.steps, self.answers, key=lambda one: one.decided))

    def before(self, step: Step) -> Iterator[Step]:
        """Yield the steps whose results were known when a step was decided or started, in order.

        Calls of one decision were decided together: none knows the result of another.
        """
        for one in self.steps:
            if one.key == step.key:
                return
            is_beside = one.decided == step.decided and one.decided > 0
            if not is_beside or (step.parent and one.parent == step.parent):
                yield one

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Return what each step returned to the model, by key: handle and result, or its error."""
        return {one.key: _text_of(one) for one in self.steps}

    def step(self, key: str) -> Step:
        """Return a step by its key.

        Raises:
            KeyError: there is no such step.
        """
        return {one.key: one for one in (*self.steps, *self.answers)}[key]

    def with_step(self, step: Step) -> Trajectory:
        """Return the trajectory with a step in place of the one with the same key."""
        return replace(
            self, steps=tuple(step if one.key == step.key else one for one in self.steps)
        )


def _text_of(step: Step) -> str:
    text = step.error if step.result is None else text_of(step.result)
    return f"r{step.handle} {text}" if step.handle else text
