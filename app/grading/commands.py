"""The command `daybook grade`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.text import Text

from daybook.app.cli.options import Json, Thread, runs
from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.grading.grade import SCORES, Grade, Verdict
from daybook.app.grading.grade import grade as graded
from daybook.app.grading.history import read_trajectory
from daybook.app.output import tell_json
from daybook.graph.database import open_database_of
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import ForeignThread

commands = typer.Typer()

_LONGEST = 90
"""Characters of a call's arguments."""

_STYLES = {"right": "green", "for nothing": "dim", "wrong": "bold red"}


@commands.command()
@runs
async def grade(
    thread: Thread,
    as_json: Json = False,
    user: Annotated[str | None, typer.Option("--user", help="Only a thread of this user.")] = None,
) -> None:
    """Grade every step of a thread: the first wrong one, the reason, and the cost.

    A call is checked against the tools offered, its schema, the identifiers and
    amounts known by then, stale reads, approvals and repetition; an answer by
    the receipts check's findings in the ledger. A step is right, for nothing
    (neither harm nor good, or it cannot be judged) or wrong. Wasted are the
    tokens of decisions whose steps are all wrong.
    """
    settings = settings_from()
    domain = served_by(settings).domain
    async with open_database_of(domain, settings) as postgres:
        if user is not None and await postgres.threads.owner_of(thread) not in (user, None):
            raise ForeignThread(thread)
        found = graded(await read_trajectory(postgres, domain, thread))
    if as_json:
        tell_json(json.dumps(found.as_json(), ensure_ascii=False, default=str))
    else:
        _print_grade(found, Terminal())


def _print_grade(found: Grade, terminal: Terminal) -> None:
    terminal.note(f"Thread {found.thread_id}")
    terminal.say(str(found))
    for note in found.notes:
        terminal.warn(note)
    if found.first_wrong is not None:
        step, verdict = found.first_wrong
        terminal.warn(f"First wrong step: {step.key} {_call(step.tool, step.args)}")
        terminal.say(f"  {_reasons(verdict)}")
    terminal.note(f"Wasted tokens: {found.wasted_tokens:,} of {found.tokens:,} in prompts.")
    rows = [
        (step.key, str(step.seq), _name(verdict), _call(step.tool, step.args), _reasons(verdict))
        for step, verdict in found.judged
    ]
    if rows:
        terminal.rows(("step", "entry", "verdict", "call", "why"), rows)


def _name(verdict: Verdict) -> Text:
    name = SCORES[verdict.score]
    return Text(name, style=_STYLES[name])


def _reasons(verdict: Verdict) -> str:
    return "\n".join(f"{one.check}: {one.why}" for one in verdict.findings) or verdict.why


def _call(tool: str, args: Mapping[str, Any]) -> str:
    given = ", ".join(
        f"{name}={thing if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False)}"
        for name, thing in args.items()
    )
    return _brief(f"{tool}({given})")


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
