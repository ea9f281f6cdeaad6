"""Print a report, or variants side by side, at a terminal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from daybook.app.conversations.terminal import Terminal
from daybook.app.grading.report.summary import Report, Wrong
from daybook.app.grading.trajectory import Step
from daybook.app.grading.variants import Variant, Variants
from daybook.app.grading.verdict import COLUMNS, Verdict, verdict_name

_STYLES = {"right": "green", "for nothing": "dim", "tainted": "yellow", "wrong": "bold red"}
_LONGEST = 90
"""Characters of a call's arguments."""


def report(found: Report, terminal: Terminal) -> None:
    """Print a report, the most important first."""
    terminal.note(f"Thread {found.grade.thread_id}")
    terminal.say(found.sentence)
    for note in found.grade.notes:
        terminal.warn(note)
    if found.wrong:
        _wrong(found.wrong, found.grade.thread_id, terminal)
    wasted, tokens = found.grade.wasted_tokens, found.grade.tokens
    terminal.note(f"Wasted tokens: {wasted:,} of {tokens:,} in prompts.")
    if found.matrix:
        terminal.table(_matrix(found))
        terminal.table(_steps(found))


def variants(found: Variants, ways: Sequence[str], note: str, terminal: Terminal) -> None:
    """Print a decision and the proposals in its place, equal ones in one row."""
    decided = found.shown.decided
    detail = decided.detail
    terminal.note(
        f"Entry {decided.seq}, decision {detail['ordinal']} of its turn, where the flow was "
        f"{detail['flow']}. Its prompt takes about {sum(detail['zones']):,} tokens."
    )
    if found.shown.doubt:
        terminal.warn(found.shown.doubt)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("times", "way", "proposal", "verdict", "why", "tokens"):
        table.add_column(name, justify="right" if name in ("times", "tokens") else "left")
    table.add_row("", *_row(found.decided), "")
    for way in ways:
        for same in _equal([one for one in found.proposed if one.way == way]):
            counted = [one.tokens for one in same if one.tokens is not None]
            tokens = f"{sum(counted):,}" if counted else ""
            table.add_row(str(len(same)), *_row(same[0]), tokens)
    terminal.table(table)
    if note:
        terminal.note(note)
    terminal.note("Nothing was executed, and nothing was written.")


def _row(one: Variant) -> tuple[str, Text, Text, Text]:
    """Return a proposal and the verdict on it, which is that of its worst call."""
    calls = "; ".join(f"{call['name']}({_flat(call['args'])})" for call in one.calls)
    names = [verdict_name(verdict) for verdict in one.verdicts]
    judged = max(names, key=COLUMNS.index) if names else "no answer" if one.fault else "answers"
    found = "; ".join(dict.fromkeys(filter(None, map(_reasons, one.verdicts))))
    return (
        one.way,
        Text(_brief(calls or one.text)),
        Text(judged, style=_STYLES.get(judged, "")),
        Text(one.fault or found),
    )


def _equal(ones: Sequence[Variant]) -> list[list[Variant]]:
    by: dict[str, list[Variant]] = {}
    for one in ones:
        calls = [[call["name"], call["args"]] for call in one.calls]
        by.setdefault(json.dumps([calls, one.text, one.fault], sort_keys=True), []).append(one)
    return list(by.values())


def _wrong(wrong: Wrong, thread_id: str, terminal: Terminal) -> None:
    terminal.warn(f"First wrong step: {wrong.step.key} {_called(wrong.step)}")
    for finding in wrong.verdict.findings:
        terminal.say(f"  {finding.check}: {finding.why}")
    prompt = wrong.shown.prompt
    if wrong.shown.doubt:
        terminal.note(f"  {wrong.shown.doubt}")
    if prompt is not None:
        proved = "proved word for word by the ledger" if wrong.shown.is_exact else "not proved"
        terminal.note(
            f"  Its prompt: {len(prompt.messages)} messages, about {prompt.tokens:,} tokens, "
            f"{proved}. See it with --html FILE."
        )
    terminal.note(f"  Try it otherwise: daybook variants {thread_id} {wrong.place}")


def _matrix(found: Report) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("tool")
    for name in COLUMNS:
        table.add_column(name, justify="right", style=_STYLES[name])
    for tool, row in found.matrix.items():
        table.add_row(tool, *(str(n) if n else "" for n in row))
    return table


def _steps(found: Report) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("step", "entry", "verdict", "call", "why"):
        table.add_column(name, justify="right" if name == "entry" else "left")
    for step, verdict in found.grade.judged:
        judged = verdict_name(verdict)
        table.add_row(
            step.key,
            str(step.seq),
            Text(judged, style=_STYLES[judged]),
            Text(_called(step)),
            Text(_reasons(verdict)),
        )
    return table


def _reasons(verdict: Verdict) -> str:
    return "\n".join(f"{one.check}: {one.why}" for one in verdict.findings) or verdict.why


def _called(step: Step) -> str:
    return _brief(f"{step.tool}({_flat(step.args)})")


def _flat(args: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name}={thing if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False)}"
        for name, thing in args.items()
    )


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
