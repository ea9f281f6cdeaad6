"""Spans: what a turn did, when, and what came of it. Every turn is one trace.

Pure. Ids are derived, not drawn: a turn that another process goes on with stays in its trace, and
a node that runs again names the same spans. What a span says are names of tools, digests of steps,
counts and outcomes; never an argument, a product, a result, somebody's words or an error of others.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

from daybook.state.effects.keys import digest
from daybook.state.people.privacy.redaction import redacted

Value: TypeAlias = str | int | float | bool | list[int]

SHORT = 8
"""Digits of an id as people are shown it."""

_LONGEST_ID = 200

_DIGEST = "sha256:"
_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_PLAIN_ID = re.compile(rf"[A-Za-z0-9_./:~#-]{{1,{_LONGEST_ID}}}")


class SpanKind(StrEnum):
    """What a span is about."""

    TURN = "turn"
    MODEL = "model call"
    READ = "read"
    ATTEMPT = "attempt"
    PROBE = "probe"
    COMPENSATION = "compensation"
    APPROVAL = "approval wait"
    DOUBT = "doubt wait"
    RECOVERY = "recovery"


class SpanStatus(StrEnum):
    """How a span ended; `OPEN` while it has not."""

    OK = "ok"
    ERROR = "error"
    OPEN = "open"
    CUT_OFF = "cut off"


@dataclass(frozen=True)
class Trace:
    """Name the trace of a turn.

    Attributes:
        turn_id: the client's message id.
    """

    tenant_id: str
    thread_id: str
    turn_id: str

    @property
    def trace_id(self) -> str:
        """Return 32 hex digits, the same in every process."""
        return digest(["trace", self.tenant_id, self.thread_id, self.turn_id])[:32]

    @property
    def root_id(self) -> str:
        """Return the id of the turn's own span."""
        return self.trace_id[16:]

    def span_id(self, *what: str | int) -> str:
        """Return 16 hex digits that name a part of the turn: the same part, the same id."""
        return digest([self.trace_id, *what])[:16]


@dataclass(frozen=True)
class Span:
    """One span.

    Attributes:
        span_id, parent_id: 16 hex digits; no parent for the turn's own.
        started, ended: UTC; not ended while it is open, or where it was cut off.
        about: what it says.
        path: ids and starts of the spans between the turn's own and this one, outermost first.
    """

    trace: Trace
    span_id: str
    parent_id: str | None
    kind: SpanKind
    name: str
    started: datetime
    ended: datetime | None
    status: SpanStatus = SpanStatus.OK
    about: Mapping[str, Value] = field(default_factory=dict)
    path: tuple[tuple[str, datetime], ...] = ()

    @property
    def took(self) -> timedelta | None:
        """Return how long it took, if it has ended."""
        return self.ended - self.started if self.ended is not None else None


class Sink(Protocol):
    """Take spans: a store, or what sends them somewhere.

    Attributes:
        name: by which it is counted what was lost.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    async def deliver(self, spans: Sequence[Span]) -> None:
        """Take spans, open ones too; what it raises is logged and counted, and ends no run."""

    async def close(self) -> None:
        """Send what is left."""


def run_uuid(trace_id: str, span_id: str) -> uuid.UUID:
    """Return the id of a span as a run of LangSmith; a trace there has the id of its root."""
    return uuid.UUID(trace_id[:16] + span_id)


def shown_id(given: str) -> str:
    """Return an id as spans may hold it: a hash of one that may hold words or a number.

    A domain names its operations by what it deals with, which a person may have typed.
    """
    if _PLAIN_ID.fullmatch(given) and redacted(given) == given:
        return given
    return f"sha256:{digest(given)[:16]}"


def opaque(given: str) -> str:
    """Return the digest by which a step or a key stands in spans.

    A domain names its operations by what they deal with: products, orders, amounts. Whoever has
    the ledger finds the step by it again (`meant`); nobody else can tell what it is.
    """
    return f"{_DIGEST}{hashlib.sha256(given.encode()).hexdigest()[:16]}"


def meant(named: str, candidates: Iterable[str]) -> str | None:
    """Return which of some names is meant by one of them, or by its digest."""
    known = set(candidates)
    if named in known:
        return named
    return next((one for one in sorted(known) if opaque(one) == named), None)


def shown_turn(given: str) -> str:
    """Return the id of a turn as spans may hold it: a client may name its events by a product."""
    return given if _UUID.fullmatch(given) else opaque(given)


def attempt_name(step_id: str, number: int, *, is_undo: bool) -> tuple[str, str, int]:
    """Name an attempt of a step, or of its undo, within its turn."""
    return ("undo" if is_undo else "attempt", step_id, number)


def decision_name(ordinal: int, prompt: str) -> tuple[str, int, str]:
    """Name a model call within its turn: by its place and the digest of what was asked."""
    return ("decision", ordinal, prompt)


def turn_span(trace: Trace, started: datetime, ended: datetime | None) -> Span:
    """Make the span of a turn; open until it is done, over however many processes and waits."""
    return Span(
        trace=trace,
        span_id=trace.root_id,
        parent_id=None,
        kind=SpanKind.TURN,
        name="turn",
        started=started,
        ended=ended,
        status=SpanStatus.OPEN if ended is None else SpanStatus.OK,
    )


def packed(span: Span) -> dict[str, Any]:
    """Write a span as it is kept, as small as may be."""
    about: dict[str, Any] = {
        "id": span.span_id,
        "kind": span.kind.value,
        "name": span.name,
        "at": span.started.isoformat(),
    }
    if span.parent_id is not None and span.parent_id != span.trace.root_id:
        about["in"] = span.parent_id
    if span.ended is not None:
        about["ms"] = round((span.ended - span.started).total_seconds() * 1000, 1)
    if span.status is not SpanStatus.OK:
        about["status"] = span.status.value
    # An idempotency key is the step's name, but for that of an undo.
    is_same = span.about.get("key") == span.about.get("step")
    said = {name: v for name, v in span.about.items() if name != "key" or not is_same}
    return {**about, **({"about": said} if said else {})}


def unpacked(trace: Trace, kept: Mapping[str, Any]) -> Span:
    """Read a span as it was kept."""
    started = datetime.fromisoformat(kept["at"])
    ended = started + timedelta(milliseconds=kept["ms"]) if "ms" in kept else None
    is_root = kept["id"] == trace.root_id
    about = kept.get("about", {})
    if kept["kind"] == SpanKind.ATTEMPT and "step" in about:
        about = {**about, "key": about["step"]}
    return Span(
        trace=trace,
        span_id=kept["id"],
        parent_id=None if is_root else kept.get("in", trace.root_id),
        kind=SpanKind(kept["kind"]),
        name=kept["name"],
        started=started,
        ended=ended,
        status=SpanStatus(kept.get("status", SpanStatus.OK)),
        about=about,
    )
