"""The three kinds of call in the graph's state: reads, writes and hybrids.

State's `ledger` is a lean view for routing, the prompt and Studio: open and this-turn steps,
without big results. The truth of an effect is in Postgres, and nothing executes from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from daybook.state.effects.keys import canonical
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.step import Step


class _Call(BaseModel):
    model_config = ConfigDict(frozen=True)

    tool: str = Field(description="name in the registry")
    args: dict[str, Any] = Field(description="normalised arguments")


class ReadCall(_Call):
    """A call that produces knowledge. Cached per thread by tool and normalised arguments."""

    kind: Literal["read"] = Field(default="read", description="produces knowledge")
    handle: int = Field(description="number of the read in its thread; the result is kept by it")
    cache: Literal["hit", "miss", "uncached", "failed"] = Field(
        description="repeated, read and kept, never kept, or not answered"
    )


class WriteCall(_Call):
    """A call that changes the world and is audited.

    The write-ahead record stands in the ledger before the call is made: step id, tool and
    normalised arguments, idempotency key, observed preconditions, expected evidence.
    """

    kind: Literal["write"] = Field(default="write", description="changes the world")
    idempotency_key: str = Field(description="operation and generation; never the call's own id")
    preconditions: dict[str, Any] = Field(description="what was observed before")
    evidence: dict[str, Any] = Field(description="what the provider must show afterwards")
    status: StepState = Field(description="where the step stands in the recovery table")
    executed_at: datetime | None = Field(default=None, description="UTC; first attempt")
    result: dict[str, Any] | None = Field(
        default=None, description="what came back, where it is small; else in the ledger by the key"
    )
    compensating_action: str | None = Field(default=None, description="tool that undoes it, if any")


class HybridCall(WriteCall):
    """A call that takes something that must be given back, and names its compensation."""

    kind: Literal["hybrid"] = Field(  # type: ignore[assignment]
        default="hybrid", description="takes what must be given back"
    )
    compensating_action: str = Field(description="tool of the registry that gives it back")
    expires_at: datetime | None = Field(default=None, description="UTC; when it is given back")


class Application(_Call):
    """A change of typed state alone: no approval, no probe, one `applied` row in the ledger."""

    kind: Literal["change"] = Field(default="change", description="changes typed state")
    text: str = Field(description="what changed, as an event that stays true")


Call: TypeAlias = Annotated[
    ReadCall | WriteCall | HybridCall | Application, Field(discriminator="kind")
]


_SMALL = 200
"""Characters of a result that state carries; a bigger one is in Postgres, by the step's key."""


def call_of(step: Step, kind: Literal["write", "hybrid"]) -> WriteCall | HybridCall:
    """Show a step of the ledger as the state's view of it."""
    shown: dict[str, Any] = {
        "tool": step.tool,
        "args": {**step.args, **{name: str(bind) for name, bind in step.binds.items()}},
        "idempotency_key": step.step_id,
        "preconditions": dict(step.preconditions),
        "evidence": dict(step.evidence),
        "status": step.state,
        "executed_at": step.attempts[0].at if step.attempts else None,
        "result": _small(step.result),
        "compensating_action": step.undo,
    }
    if kind == "hybrid":
        return HybridCall(**shown, expires_at=(step.result or {}).get("expires_at"))
    return WriteCall(**shown)


def _small(result: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if result is None or len(canonical(dict(result))) > _SMALL:
        return None
    return dict(result)
