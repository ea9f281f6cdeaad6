"""Print the traces of a thread: a tree for each turn, with the numbers of its ledger entries."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from daybook.app.duration import duration
from daybook.app.ledger.listing import no_ledger
from daybook.app.ledger.traces import Branch, outcome_of, traces_of
from daybook.app.output import tell, tell_json
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.errors import DaybookError
from daybook.state.telemetry.spans import SHORT, Span, SpanKind

_NOT_KEPT = "no spans of it are kept; the ledger has what was done"

_LONGEST, _SHOWN = 32, 12
"""Characters of a part of a step's name: shown whole up to so many, else so many of them."""


async def show(settings: Settings, thread_id: str, turn_id: str | None, *, as_json: bool) -> None:
    """Print the traces of a thread, or of one of its turns.

    Args:
        turn_id: the message's id, or the first digits of the trace's.

    Raises:
        DaybookError: there is no such thread, or no such turn in it.
    """
    async with open_database(settings) as postgres:
        turns = await traces_of(postgres, thread_id)
    if not turns:
        raise no_ledger(thread_id)
    if turn_id is not None:
        turns = [turn for turn in turns if _is(turn, turn_id)]
    if not turns:
        raise DaybookError(
            f"The thread {thread_id} has no turn {turn_id}. `daybook trace {thread_id}` prints "
            "all of them, with their ids."
        )
    if as_json:
        tell_json(json.dumps([as_data(turn) for turn in turns], ensure_ascii=False, indent=1))
        return
    for turn in turns:
        tell("\n".join([_headline(turn), *_lines(turn, "")]))


def _is(turn: Branch, named: str) -> bool:
    trace = turn.span.trace
    return trace.turn_id == named or (len(named) >= SHORT and trace.trace_id.startswith(named))


def _headline(turn: Branch) -> str:
    span = turn.span
    began = span.started.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    took = f"{duration(span.took)}, " if span.took is not None else ""
    kept = "" if turn.within else f"  {_NOT_KEPT}"
    numbers = "-".join(f"{number}" for number in turn.entries)
    return (
        f"turn {span.trace.turn_id}  {began} UTC  {took}{outcome_of(span)}  "
        f"trace {span.trace.trace_id}  [{numbers}]{kept}"
    )


def _lines(branch: Branch, indent: str) -> list[str]:
    lines = []
    for position, one in enumerate(branch.within, 1):
        is_last = position == len(branch.within)
        lines.append(f"{indent}{'└─' if is_last else '├─'} {_line(one)}")
        lines += _lines(one, f"{indent}{'   ' if is_last else '│  '}")
    return lines


def _line(branch: Branch) -> str:
    span = branch.span
    took = duration(span.took) if span.took is not None else "-"
    numbers = [f"{number}" for number in branch.entries]
    numbers += [f"r{branch.handle}"] if branch.handle is not None else []
    parts = (
        f"{title(span):<34}",
        f"{took:>8}",
        outcome_of(span),
        says(span),
        f"[{', '.join(numbers)}]" if numbers else "",
        span.span_id[:SHORT],
    )
    return "  ".join(part for part in parts if part)


def title(span: Span) -> str:
    """Name a span: what it is, and of what."""
    is_wait = span.kind in (SpanKind.APPROVAL, SpanKind.DOUBT)
    return span.kind.value if is_wait else f"{span.kind.value} {span.name}".rstrip()


def says(span: Span) -> str:
    """Say what else there is to say of a span, in a few words."""
    about = span.about
    said = [_abridged(f"{about['step']}")] if "step" in about else []
    if "attempt" in about and span.kind is not SpanKind.RECOVERY:
        said.append(f"attempt {about['attempt']}")
    if isinstance(zones := about.get("zones"), list) and zones:
        said.append(f"tokens {' + '.join(f'{tokens:,}' for tokens in zones)}")
    if "tokens_in" in about:
        cached = f", {about['tokens_cached']:,} from its cache" if "tokens_cached" in about else ""
        counted = f"{about['tokens_in']:,} in, {about['tokens_out']:,} out{cached}"
        said.append(f"counted by the provider: {counted}")
    if "by" in about:
        said.append(f"by a {about['by']}")
    return ", ".join(said)


def _abridged(step: str) -> str:
    """Cut long parts of a step's name short; the ledger's numbers lead to the whole of it."""
    parts = (p if len(p) <= _LONGEST else f"{p[:_SHOWN]}…" for p in step.split("/"))
    return "/".join(parts)


def as_data(branch: Branch) -> dict[str, Any]:
    """Write a tree as JSON data."""
    span = branch.span
    return {
        "trace_id": span.trace.trace_id,
        "span_id": span.span_id,
        "parent_id": span.parent_id,
        "turn_id": span.trace.turn_id,
        "kind": span.kind.value,
        "name": span.name,
        "started": _utc(span.started),
        "ended": _utc(span.ended) if span.ended is not None else None,
        "status": span.status.value,
        "outcome": outcome_of(span),
        "about": dict(span.about),
        "entries": list(branch.entries),
        "handle": branch.handle,
        "within": [as_data(one) for one in branch.within],
    }


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
