"""What a plan proposes before it is written into the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from state.bind import Binding
from state.money import Money


@dataclass(frozen=True)
class StepDraft:
    """Propose one effect.

    Attributes:
        name: unique in its action; bindings and compensation refer to it.
        tool: an effect of the registry.
        op: the business operation, which becomes the idempotency key.
        binds: arguments to be taken from results of earlier steps.
        pivot: once it is done, the action is never compensated.
    """

    name: str
    tool: str
    op: str
    args: Mapping[str, Any]
    binds: Mapping[str, Binding] = field(default_factory=dict)
    pivot: bool = False


@dataclass(frozen=True)
class ActionDraft:
    """Propose what one call of the model comes to.

    Attributes:
        title: what it is, for a person; empty where the arguments say it all.
        summary: lines that a person can decide on: what, how much, to whom.
        total: the money that it moves, if any.
        steps: in order; exactly one of them is the pivot.
    """

    tool: str
    args: Mapping[str, Any]
    title: str
    summary: tuple[str, ...]
    total: Money | None
    steps: tuple[StepDraft, ...]
