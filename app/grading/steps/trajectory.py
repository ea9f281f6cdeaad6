"""What a thread did, step by step, as the checks look at it: typed, frozen, of any domain.

It is made from the ledger (`daybook.app.grading.steps.reading`), and may be made by hand or changed
with `dataclasses.replace`. No check knows where it comes from.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel

from daybook.app.grading.steps.background import Background
from daybook.state.effects.keys import canonical

Kind: TypeAlias = Literal["read", "change", "write", "hybrid", "plan", "unknown", "answer"]
"""The kind of a tool; unknown where the domain has no such tool; answer of what called nothing."""

ANSWER = "answer"
"""What stands in the place of a tool where the model answered."""

Outcome: TypeAlias = Literal[
    "done", "refused", "asked", "failed", "undone", "void", "in_doubt", "open", "erased"
]
"""What came of a step.

`refused` was answered before it was run, `asked` by a question that comes first, `failed` was tried
without effect, `undone` was compensated, `void` was never sent (rejected, expired, overtaken),
`open` is not over, and of `erased` nobody can tell any more.
"""

Approval: TypeAlias = Literal["person", "policy", "none"]

BEGAN = datetime(2000, 1, 1, tzinfo=UTC)
"""When a step happened that does not say."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What was said in one turn.

    Attributes:
        number: from 1.
        turn_id: the client's message id.
        seq: ledger entry with which it began.
        said: what the person said; "" where it was erased.
        answer: what the agent answered; "" while it has not, or where it was erased.
    """

    number: int
    turn_id: str
    seq: int = 0
    said: str = ""
    answer: str = ""


@dataclass(frozen=True, kw_only=True)
class Outside:
    """What happened outside the chat: a page of one's own, another process.

    Attributes:
        seq: ledger entry.
        turn: number of the turn that was the last one then.
        text: what happened, as the model is told.
    """

    seq: int
    turn: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One answer of the model: calls, or the text that ends a turn.

    Attributes:
        seq: ledger entry.
        turn: number of its turn.
        ordinal: which decision of the turn, from 0.
        flow: where the flow stood; "" where an early ledger does not say.
        zones: estimated tokens of Z0 to Z3 of its prompt; empty where they are not known.
        answers: it called nothing.
    """

    seq: int
    turn: int
    ordinal: int
    flow: str = ""
    zones: tuple[int, ...] = ()
    answers: bool = False

    @property
    def tokens(self) -> int:
        """Return what its prompt is estimated to take."""
        return sum(self.zones)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step: a call that the model decided, an effect of a plan that it started, or an answer.

    A write or hybrid that the model called by itself is one step: the call is its effect.

    Attributes:
        key: names it within its thread: turn/decision.position, and of an effect its own name
            behind a colon (`2/0.1`, `2/0.1:charge`); of an answer its decision alone (`2/1`).
        seq: its ledger entry: of a call its decision, of an effect of a plan its intent.
        decided: ledger entry of the decision that it comes from.
        turn: number of the turn, from 1.
        ordinal: which decision of the turn, from 0.
        position: which call of the decision, from 0.
        parent: key of the plan's call; "" of a call itself.
        op: business operation and generation, which is the idempotency key too; "" of what is no
            effect.
        flow: where the flow stood at the decision; "" where the ledger does not say.
        offered: tools that the model was offered there; None where the ledger does not say.
        args: as the model gave them; of an effect of a plan those that were approved; of an answer
            its text.
        fault: why the arguments could not even be read.
        binds: of an effect of a plan: argument to the names of the steps that it is taken from.
        result: what was read, what came back, or the line that the model was told; None where
            there is nothing.
        error: why it was refused or failed, or what was asked first.
        cache: hit, miss, uncached, failed of a read; else "".
        handle: number of a read's result in the thread; 0 of others.
        at: UTC.
        tags: what makes a read stale.
        makes_stale: tags of reads that it outdated.
        needs: the least that whoever approves it must be; "nobody" where policy does.
        approval: who approved it: a person, policy, or nobody.
        approved_by: role of the person who did.
        approved: ledger entry of the approval, 0 for none.
        described: lines that the person could decide on.
        attempted: ledger entry of the first attempt, 0 for none.
        attempts: how often it was sent.
        executions: how often it happened, as far as is known.
        expected: what the other side was to show afterwards.
        observed: what it showed; None where nothing was seen.
        zones: estimated tokens of Z0 to Z3 of the prompt that it was decided on.
        said: what the person had said by then, oldest first.
        shown: what else stood in that prompt: digest and tail.
        superseded: handles that were out of date by then.
        barred: why it could not be right by what its prompt showed, as the domain says; or "".
        unsaid: of an answer: words that were refused before anybody read them, and why.
        background: of an answer: what was known; None where that is not known any more.
    """

    key: str
    seq: int
    turn: int
    tool: str
    kind: Kind
    ordinal: int = 0
    position: int = 0
    decided: int = 0
    parent: str = ""
    op: str = ""
    flow: str = ""
    offered: frozenset[str] | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""
    binds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    result: Any = None
    error: str = ""
    outcome: Outcome = "done"
    cache: str = ""
    handle: int = 0
    at: datetime = BEGAN
    tags: tuple[str, ...] = ()
    makes_stale: tuple[str, ...] = ()
    needs: str = "nobody"
    approval: Approval = "none"
    approved_by: str = ""
    approved: int = 0
    described: tuple[str, ...] = ()
    attempted: int = 0
    attempts: int = 0
    executions: int = 0
    expected: Mapping[str, Any] = field(default_factory=dict)
    observed: Mapping[str, Any] | None = None
    zones: tuple[int, ...] = ()
    said: tuple[str, ...] = ()
    shown: str = ""
    superseded: frozenset[int] = frozenset()
    barred: str = ""
    unsaid: tuple[tuple[str, tuple[str, ...]], ...] = ()
    background: Background | None = None

    @property
    def is_call(self) -> bool:
        """Tell whether the model called it itself."""
        return not self.parent and self.kind != "answer"

    @property
    def trouble(self) -> str:
        """Say why it came to nothing: its error, or a result that calls itself one; else ""."""
        if isinstance(self.result, str) and self.result.lower().startswith("error"):
            return self.result
        return self.error if self.outcome in ("refused", "failed") else ""

    @property
    def acts(self) -> bool:
        """Tell whether it changes the world or the thread's state."""
        return self.kind not in ("read", "unknown", "answer")

    @property
    def tokens(self) -> int:
        """Return what the prompt that it was decided on is estimated to take."""
        return sum(self.zones)


@dataclass(frozen=True)
class Trajectory:
    """What a thread did.

    Attributes:
        turns: in order.
        steps: what was called, in order; the effects of a plan stand right behind its call.
        answers: what was answered, in order: steps of the kind `answer`.
        decisions: in order, those that only answered too.
        outside: what happened outside the chat, in order.
        arguments: the type of the arguments of each tool that the model may be offered.
        left_out: decisions of branches that were left: somebody went back and went on otherwise.
        notes: what could not be read, in plain sentences.
    """

    thread_id: str
    turns: tuple[Turn, ...] = ()
    steps: tuple[Step, ...] = ()
    answers: tuple[Step, ...] = ()
    decisions: tuple[Decision, ...] = ()
    outside: tuple[Outside, ...] = ()
    arguments: Mapping[str, type[BaseModel]] = field(default_factory=dict)
    left_out: int = 0
    notes: tuple[str, ...] = ()

    @property
    def judged(self) -> Sequence[Step]:
        """Return all that is judged, in order: what was called, and what was answered."""
        return list(heapq.merge(self.steps, self.answers, key=lambda one: one.decided))

    def before(self, step: Step) -> Iterator[Step]:
        """Yield the steps whose results were known when a step was decided or begun, in order.

        Calls of one decision were decided on together: they know nothing of each other.
        """
        for one in self.steps:
            if one.key == step.key or (step.kind == "answer" and one.decided > step.decided):
                return
            is_beside = one.decided == step.decided and one.decided > 0
            if not is_beside or (step.parent and one.parent == step.parent):
                yield one

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Return what each step told the model, by key: its result under its handle, or why not."""
        return {one.key: _told(one) for one in self.steps}

    def until(self, decided: int) -> Trajectory:
        """Return what had happened before a decision was taken.

        Args:
            decided: ledger entry of the decision.
        """
        turns = tuple(one for one in self.turns if one.seq < decided)
        under_way = tuple(replace(one, answer="") for one in turns[-1:])
        return replace(
            self,
            turns=(*turns[:-1], *under_way),
            steps=tuple(one for one in self.steps if one.decided < decided),
            answers=tuple(one for one in self.answers if one.decided < decided),
            decisions=tuple(one for one in self.decisions if one.seq < decided),
            outside=tuple(one for one in self.outside if one.seq < decided),
        )

    def after(self, step: Step) -> Iterator[Step]:
        """Yield the steps behind a step, in order."""
        found = False
        for one in self.steps:
            if found:
                yield one
            found = found or one.key == step.key

    def step(self, key: str) -> Step:
        """Return a step by its key.

        Raises:
            KeyError: there is no such step.
        """
        for one in (*self.steps, *self.answers):
            if one.key == key:
                return one
        raise KeyError(key)

    def turn(self, number: int) -> Turn | None:
        """Return a turn by its number, or None."""
        return next((one for one in self.turns if one.number == number), None)

    def with_step(self, step: Step) -> Trajectory:
        """Return it with another step in the place of the one of that key."""

        def changed(steps: tuple[Step, ...]) -> tuple[Step, ...]:
            return tuple(step if one.key == step.key else one for one in steps)

        return replace(self, steps=changed(self.steps), answers=changed(self.answers))

    def with_steps(self, *steps: Step) -> Trajectory:
        """Return it with other steps."""
        return replace(self, steps=steps)


def _told(step: Step) -> str:
    said = step.result if isinstance(step.result, str) else canonical(step.result)
    told = said if step.result is not None else step.error
    return f"r{step.handle} {told}" if step.handle else told
