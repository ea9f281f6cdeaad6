"""The traces of a thread as trees: what is kept of them, and what the ledger knows besides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.telemetry.ledger_spans import from_ledger
from daybook.state.telemetry.spans import Span, SpanKind, SpanStatus, Trace, opaque, turn_span


@dataclass(frozen=True)
class Branch:
    """A span, what happened within it, and where the ledger tells of it.

    Attributes:
        entries: numbers of ledger entries; those of a turn are its first and its last.
        handle: of a read, as `r7`.
    """

    span: Span
    entries: tuple[int, ...]
    handle: int | None
    within: tuple[Branch, ...] = field(default=())

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Branch]]:
        """Yield it and all within it, each with its depth, in the order of their beginning."""
        yield depth, self
        for one in self.within:
            yield from one.walk(depth + 1)


async def traces_of(postgres: Postgres, thread_id: str) -> list[Branch]:
    """Read the trees of a thread's turns, oldest first; none where there is no such thread."""
    entries = await postgres.ledger.entries(thread_id)
    if not entries:
        return []
    await postgres.outbox.flush()
    kept = await postgres.spans.of_thread(thread_id)
    turns = [entry.turn_id for entry in entries if entry.event is Event.RECEIVED and entry.turn_id]
    reads = await postgres.reads.of_turns(thread_id, turns)
    handles = {(read.turn_id, read.call): read.handle for read in reads}
    return trees(Trace(postgres.tenant_id, thread_id, ""), kept, entries, handles)


def trees(
    of: Trace,
    kept: Sequence[Span],
    entries: Sequence[Entry],
    handles: Mapping[tuple[str, str], int],
) -> list[Branch]:
    """Make a tree of each turn.

    Of a span that was not kept to its end, because its process was killed, the ledger tells.

    Args:
        of: tenant and thread.
        handles: turn and call of reads to their handles.
    """
    told = {
        (one.trace.turn_id, one.span_id): one
        for one in from_ledger(of.tenant_id, of.thread_id, entries)
    }
    # What was kept comes first, in the order in which it ended: it may have begun at one instant.
    spans = {
        (one.trace.turn_id, one.span_id): one
        for one in kept
        if one.ended is not None or (one.trace.turn_id, one.span_id) not in told
    }
    spans |= {at: one for at, one in told.items() if at not in spans}
    numbers = _numbers(of, entries)
    names = _step_names(entries)
    spans = {at: _with_names(one, names) for at, one in spans.items()}
    turns: dict[str, list[Span]] = {}
    for one in spans.values():
        turns.setdefault(one.trace.turn_id, []).append(one)
    found = [_tree(of_turn, numbers, handles) for of_turn in turns.values()]
    return sorted(found, key=lambda branch: branch.span.started)


def _step_names(entries: Sequence[Entry]) -> dict[str, str]:
    """Return the steps and keys of a ledger by the digests that stand for them in spans."""
    steps = {one.step_id for one in entries if one.step_id} | {one.op for one in entries if one.op}
    return {opaque(name): name for step in steps for name in (step, f"{step}/undo")}


def _with_names(span: Span, names: Mapping[str, str]) -> Span:
    """Write the steps of a span by their names: what is inside may say them."""
    said = {
        name: names.get(value, value) if isinstance(value, str) else value
        for name, value in span.about.items()
    }
    return replace(span, about=said)


def _tree(
    spans: Sequence[Span],
    numbers: Mapping[tuple[str, str], tuple[int, ...]],
    handles: Mapping[tuple[str, str], int],
) -> Branch:
    root = next((one for one in spans if one.kind is SpanKind.TURN), None)
    if root is None:
        # Its first span was lost with its process.
        root = turn_span(spans[0].trace, min(one.started for one in spans), None)
    names = {one.span_id for one in spans}
    below: dict[str, list[Span]] = {}
    for one in sorted(spans, key=lambda one: one.started):
        if one is not root:
            # What it is within may be lost with its process.
            parent = one.parent_id if one.parent_id in names else root.span_id
            below.setdefault(parent or root.span_id, []).append(one)

    def branch(span: Span) -> Branch:
        call = span.about.get("call")
        handle = handles.get((span.trace.turn_id, call)) if isinstance(call, str) else None
        return Branch(
            span=span,
            entries=numbers.get((span.trace.turn_id, span.span_id)) or _asked(span),
            handle=handle if span.kind is SpanKind.READ else None,
            within=tuple(branch(one) for one in below.get(span.span_id, ())),
        )

    return branch(root)


def _asked(span: Span) -> tuple[int, ...]:
    """Return the entries of a wait, which it names itself."""
    named = (span.about.get("asked"), span.about.get("answered"))
    return tuple(number for number in named if isinstance(number, int))


def _numbers(of: Trace, entries: Sequence[Entry]) -> dict[tuple[str, str], tuple[int, ...]]:
    """Find the entries of spans: those that name them, and what came of what was claimed."""
    turns = {entry.plan_id: entry.turn_id for entry in entries if entry.event is Event.OPENED}
    done = {entry.turn_id: entry.seq for entry in entries if entry.event is Event.TURN_DONE}
    found: dict[tuple[str, str], tuple[int, ...]] = {}
    for entry in entries:
        turn_id = entry.turn_id or turns.get(entry.plan_id) or ""
        if "span" in entry.detail:
            answers = [
                one.seq
                for one in entries
                if entry.step_id is not None
                and one.seq > entry.seq
                and (one.step_id, one.attempt) == (entry.step_id, entry.attempt)
            ]
            found[turn_id, entry.detail["span"]] = (entry.seq, *answers[:1])
        if entry.event is Event.RECEIVED:
            root = Trace(of.tenant_id, of.thread_id, turn_id).root_id
            ends = (done[turn_id],) if turn_id in done else ()
            found[turn_id, root] = (entry.seq, *ends)
    return found


def outcome_of(span: Span) -> str:
    """Say in a word or two how a span ended."""
    said = str(span.about.get("outcome", ""))
    if span.kind is SpanKind.READ and not said:
        return str(span.about.get("cache", ""))
    if span.status is SpanStatus.OPEN and span.kind is SpanKind.TURN:
        return "not done yet"
    if span.status is SpanStatus.OPEN:
        return "waits"
    return said or span.status.value
