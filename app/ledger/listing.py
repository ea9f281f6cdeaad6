"""Print the ledger: a thread, open and failed steps, and whether it verifies."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, TextIO

from daybook.app.ledger.heads import kept_heads
from daybook.app.output import tell, tell_aside, tell_json
from daybook.checkpoints.ledger.steps import Failed, Listed, Unsettled
from daybook.checkpoints.runs.reads import Read
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.effects.keys import step_id
from daybook.state.errors import DaybookError, LedgerError
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.work_list import Awaited
from daybook.state.session import ROLES
from daybook.state.trace_ids import Trace, meant

Line = dict[str, Any]

_PIPE_WIDTH = 120
_INDENT = 21
"""Columns: what an entry is about begins there."""


async def ledger(settings: Settings, thread_id: str, step: str | None = None) -> list[Line]:
    """Read a thread's ledger.

    Args:
        step: this one alone, by its name or by the digest that stands for it in spans.

    Raises:
        DaybookError: there is no such thread, or no such step in it.
    """
    async with open_database(settings) as postgres:
        # As they stand: an entry of a version that this release cannot read is printed too.
        rows = await postgres.ledger.stored(thread_id)
        if not rows:
            raise no_ledger(thread_id)
        turns = [row["turn_id"] for row in rows if row["event"] == Event.RECEIVED.value]
        reads = await postgres.reads.of_turns(thread_id, turns)
    lines = [*map(_entry_line, rows), *map(_read_line, reads)]
    if step is not None:
        lines = _of_step(lines, thread_id, step)
    return sorted(lines, key=lambda line: (line["at"], line.get("seq", 0)))


def _of_step(lines: Sequence[Line], thread_id: str, step: str) -> list[Line]:
    """Return the entries of one step; the key of its undo names it too.

    Raises:
        DaybookError: there is none of that name.
    """
    names = {name for line in lines if (name := line.get("step_id"))}
    found = meant(step, [*names, *(f"{name}/undo" for name in names)])
    if found is None:
        raise DaybookError(
            f"The thread {thread_id} has no step {step}. `daybook ledger {thread_id}` prints all "
            "steps."
        )
    name = found if found in names else found.removesuffix("/undo")
    return [line for line in lines if line.get("step_id") == name]


async def verify(
    settings: Settings,
    thread_id: str | None,
    *,
    heads: TextIO | None = None,
    against: Iterable[str] | None = None,
    public_key: str | None = None,
) -> bool:
    """Check one thread's ledger, or all of the tenant, and print what does not hold.

    Args:
        heads: where it is written how far each chain goes, if all of it holds.
        against: what was written so before, or signed: each chain must still go through there.
        public_key: by whose key it must have been signed.

    Returns:
        Whether all of it holds.

    Raises:
        DaybookError: there is no such thread, or `against` holds something else.
    """
    kept = kept_heads(against or (), public_key=public_key, tenant=settings.tenant)
    before = [*dict.fromkeys(one.head for one in kept)]
    if against is not None and not before:
        raise DaybookError("The file to compare with has no heads; nothing was checked.")
    async with open_database(settings) as postgres:
        ledger = postgres.ledger
        # Before the check: what is written down was checked.
        now = [head async for head in ledger.heads()] if heads is not None else []
        threads = entries = broken = 0
        async for one in ledger.thread_ids(thread_id):
            threads += 1
            try:
                entries += await ledger.verify(one)
            except LedgerError as error:
                broken += 1
                tell(f"thread {one}: {error}")
        others = await ledger.lost(before)
        missing = missing_line(await ledger.missing_threads()) if thread_id is None else ""
    if thread_id is not None and not entries and not broken:
        raise no_ledger(thread_id)
    for head in others:
        tell(
            f"thread {head.thread_id}: entry {head.seq} is missing or differs from the saved head."
        )
    if missing:
        tell(missing)
    tell(_summary(threads, entries, broken))
    holds = not broken and not others and not missing
    if heads is not None and holds:
        heads.writelines(f"{json.dumps(asdict(head))}\n" for head in now)
    elif heads is not None:
        tell_aside("No heads were written, because the ledger does not verify.")
    return holds


def missing_line(count: int) -> str:
    """Say that so many threads are gone from all tables; nothing if none is."""
    if count < 0:
        return f"The count of threads was changed: there are {-count} more (ledger_total)."
    if count == 0:
        return ""
    return (
        f"{number_of(count, 'thread')} had a ledger here, but no table has a row of it: compare "
        "with a backup, or with saved heads (`daybook ledger verify --against`), which name them."
    )


async def rebuild(settings: Settings, thread_id: str | None) -> None:
    """Write the work list of one thread, or of all of the tenant, again from the entries.

    Raises:
        DaybookError: there is no such thread.
    """
    async with open_database(settings) as postgres:
        if thread_id is not None and not await postgres.ledger.stored(thread_id):
            raise no_ledger(thread_id)
        ids = postgres.ledger.thread_ids(thread_id)
        mended = [one async for one in ids if await postgres.ledger.rebuild(one)]
    for one in mended:
        tell(f"thread {one}: its work list was rebuilt.")
    tell(f"{number_of(len(mended), 'thread')} had a work list that differed from its entries.")


def _summary(threads: int, entries: int, broken: int) -> str:
    if broken:
        verb = "does" if broken == 1 else "do"
        return f"{broken} of {number_of(threads, 'thread')} {verb} not verify."
    return f"{number_of(threads, 'thread')}, {number_of(entries, 'entry')}: every chain verifies."


def number_of(number: int, of: str) -> str:
    """Say how many there are of something."""
    return f"{number:,} {of if number == 1 else {'entry': 'entries'}.get(of, of + 's')}"


def no_ledger(thread_id: str) -> DaybookError:
    """Say that nothing is known of a thread, and where it may be looked for."""
    return DaybookError(
        f"No ledger of thread {thread_id} found. `daybook chat` prints the id of its thread; "
        "DATABASE_URL and DAYBOOK_HOME select the database."
    )


def print_json(lines: Sequence[Line]) -> None:
    """Print one JSON array, an entry a line."""
    entries = ",\n".join(json.dumps(line, ensure_ascii=False, default=_utc) for line in lines)
    tell_json(f"[\n{entries}\n]" if lines else "[]")


def print_lines(lines: Sequence[Line]) -> None:
    """Print the entries for people: number, time (UTC), what happened, to what, by whom.

    An entry that is longer than a line of the terminal (120 columns through a pipe) goes on below.
    """
    for line in lines:
        number = str(line.get("seq", f"r{line.get('handle')}"))
        about = line["step_id"] or line.get("tool") or line["turn_id"] or ""
        by = _signed(line)
        attempt = f" attempt {line['attempt']}" if line.get("attempt") else ""
        parts = (f"{number:>5}", line["at"][11:23], f"{line['event']:<12}", about + attempt)
        rest = "  ".join(part for part in (f"by {by}" if by else "", _brief(line)) if part)
        tell(_folded("  ".join((*parts, rest)).rstrip(), _INDENT))


def _signed(line: Line) -> str:
    """Name who did it; of people who are no customers also what they are."""
    role = line.get("role")
    as_what = f" ({role})" if role not in (None, ROLES[0]) else ""
    return f"{line['author']}{as_what}" if line.get("author") else line.get("worker") or ""


def _folded(line: str, indent: int) -> str:
    """Fold a line to the terminal, or to 120 columns through a pipe."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _PIPE_WIDTH
    return textwrap.fill(
        line, max(width, indent * 2), subsequent_indent=" " * indent, break_on_hyphens=False
    )


def _brief(line: Line) -> str:
    body = {**line.get("detail", {}), **(line.get("payload") or {})}
    for long in ("bound_to", "salt", "prompt", "actions", "name", "pivot", "kind", "action"):
        body.pop(long, None)
    text = ", ".join(f"{k}={json.dumps(v, ensure_ascii=False)}" for k, v in body.items() if v)
    return text if len(text) <= 300 else f"{text[:297]}..."


def _entry_line(row: Mapping[str, Any]) -> Line:
    detail = row["detail"]
    if row["event"] == Event.RECEIVED.value:
        of = Trace(row["tenant_id"], row["thread_id"], row["turn_id"])
        detail = {**detail, "trace": f"{of.trace_id:032x}"}
    about = step_id(row["op"], row["gen"]) if row["op"] is not None else None
    return {
        "seq": row["seq"],
        "at": _utc(row["at"]),
        "event": row["event"],
        "turn_id": row["turn_id"],
        "plan_id": row["plan_id"],
        "step_id": about,
        "idempotency_key": about if row["event"] == Event.INTENDED.value else None,
        "attempt": row["attempt"],
        "worker": row["worker"],
        "author": row["author"],
        "role": row["role"],
        "deadline_at": _utc(row["deadline_at"]) if row["deadline_at"] else None,
        "settle_at": _utc(row["settle_at"]) if row["settle_at"] else None,
        "detail": detail,
        "payload": row["payload"],
        "ledger_version": row["ledger_version"],
    }


def _read_line(read: Read) -> Line:
    assert read.read_at is not None
    return {
        "handle": read.handle,
        "at": _utc(read.read_at),
        "event": "read",
        "turn_id": read.turn_id,
        "step_id": None,
        "tool": read.tool,
        "detail": {"cache": read.cache, "args": read.args, "superseded": read.superseded},
    }


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


# -- steps of all threads --------------------------------------------------------------------------

WAITS_FOR = {
    Awaited.APPROVAL: "waits for approval",
    Awaited.WORD: "waits for a reviewer to say whether it happened",
    Awaited.SERVICE: "may still be on its way",
    Awaited.PLAN: "waits for other steps of its plan",
    Awaited.RUN: "waits for a run of its thread",
}
"""What an unsettled step waits for."""

_EVENTS = {
    "failed": "failed",
    "in_doubt": "in doubt",
    "undo_stuck": "undo stuck",
}

_MEANINGS = {
    "expired": "not decided in time",
    "rejected": "not approved",
    "withdrawn": "withdrawn because of new input",
    "superseded": "the plan was edited or asked again",
}
"""Shown if the ledger holds no reason."""


async def listed(
    settings: Settings, thread_id: str | None, most: int, *, failed: bool = False
) -> Listed[Unsettled] | Listed[Failed]:
    """List the steps that someone still has to look after, the oldest first.

    Args:
        failed: instead, what went otherwise than it was meant, the newest first.

    Raises:
        DaybookError: there is no such thread.
    """
    async with open_database(settings) as postgres:
        if thread_id is not None and not await postgres.steps.has_ledger(thread_id):
            raise no_ledger(thread_id)
        if failed:
            return await postgres.steps.failed(thread_id, most)
        return await postgres.steps.unsettled(thread_id, most)


def print_steps(
    found: Listed[Unsettled] | Listed[Failed], *, as_json: bool, nothing: str = ""
) -> None:
    """Print steps: for people, or as one JSON array, a step a line."""
    if as_json:
        print_json([*map(asdict, found.steps)])
    else:
        for step in found.steps:
            print_failed(step) if isinstance(step, Failed) else print_unsettled(step)
        if not found.steps:
            tell(nothing)
    if found.has_more:
        # Not among what a program reads.
        sys.stdout.flush()
        tell_aside(f"Only {len(found.steps)} are listed; --limit sets the maximum.")


def print_unsettled(step: Unsettled) -> None:
    """Print a step for people: since when (UTC), where it stands, the tool, the thread, and why."""
    due = f", until {_time(step.due_at)}" if step.due_at is not None else ""
    about = [f"{WAITS_FOR[step.waits_for]}{due}", _reason(step.reason, step.is_erased)]
    _print(step.since, step.state.replace("_", " "), step, about)


def print_failed(step: Failed) -> None:
    """Print a failure for people: when (UTC), what, the tool, the thread, why, and what then."""
    what = step.cause or _EVENTS.get(step.event, step.event)
    by = f"by {step.author}" if step.author else ""
    why = _reason(step.reason, step.is_erased) or _MEANINGS.get(step.event, "")
    then = ""
    if step.then is not None:
        whose = f" (by {step.then.author})" if step.then.author else ""
        then = f"then {step.then.event.replace('_', ' ')}{whose} {_time(step.then.at)}"
    _print(step.at, what.replace("_", " "), step, [by, why, then])


def _print(at: datetime | None, what: str, step: Unsettled | Failed, about: Iterable[str]) -> None:
    when = _time(at) if at is not None else "?"
    said = "; ".join(part for part in about if part)
    tell(_folded(f"{when:<20} {what:<16} {step.tool:<18} thread {step.thread_id}", 6))
    tell(_folded(f"      {step.step_id} (user {step.user_id}): {said}".rstrip(" :"), 6))


def _reason(reason: str | None, is_erased: bool) -> str:
    return "the reason was erased" if is_erased else reason or ""


def _time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
