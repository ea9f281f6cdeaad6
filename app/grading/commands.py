"""The commands `daybook grade` and `daybook variants`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Annotated, Any

import typer
from rich.text import Text

from daybook.app.cli.options import Json, Thread, runs
from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.grading.grade import SCORES, Grade, Verdict
from daybook.app.grading.grade import grade as graded
from daybook.app.grading.history import read_trajectory
from daybook.app.grading.variants import Variant, Variants, vary
from daybook.app.output import tell_json
from daybook.graph.database import open_database_of
from daybook.graph.model.chosen import chosen_model
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import ConfigurationError, ForeignThread

commands = typer.Typer()

_MOST = 100
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


@commands.command()
@runs
async def variants(
    thread: Thread,
    step: Annotated[str, typer.Argument(help="turn/ordinal, as `grade` prints it.")],
    n: Annotated[int, typer.Option("--n", min=1, max=_MOST, help="Number of requests.")] = 8,
    model: Annotated[str | None, typer.Option("--model", help="Of the provider.")] = None,
    temperature: Annotated[float | None, typer.Option("--temperature", min=0, max=2)] = None,
    prompt: Annotated[
        typer.FileText | None, typer.Option("--prompt", help="File of other instructions.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask for one decision again, perhaps otherwise, and grade the proposals. Executes nothing."""
    settings = settings_from()
    if (model or temperature is not None) and not settings.has_provider:
        raise ConfigurationError(
            "There is no provider, and the stand-in follows rules: it has no other --model "
            "or --temperature. Nothing was asked; set OPENAI_API_KEY or OPENAI_BASE_URL."
        )
    settings, domain = replace(settings, model=model or settings.model), served_by(settings).domain
    # No service is opened: a proposal could not be carried out.
    async with (
        open_database_of(domain, settings) as postgres,
        chosen_model(settings, domain) as asked,
    ):
        if temperature is not None:
            asked = asked.model_copy(update={"temperature": temperature})
        instructions = prompt.read() if prompt else None
        found = await vary(postgres, domain, thread, step, asked, n, instructions)
    if as_json:
        about: dict[str, Any] = {"entry": found.shown.decided.seq, "doubt": found.shown.doubt}
        about |= {"decided": asdict(found.decided), "proposed": [*map(asdict, found.proposed)]}
        tell_json(json.dumps(about, ensure_ascii=False, default=str))
    else:
        _print_variants(found, Terminal())
    if all(one.fault for one in found.proposed):
        raise typer.Exit(1)


def _print_grade(found: Grade, terminal: Terminal) -> None:
    terminal.note(f"Thread {found.thread_id}")
    terminal.say(str(found))
    for note in found.notes:
        terminal.warn(note)
    if found.first_wrong is not None:
        step, verdict = found.first_wrong
        terminal.warn(f"First wrong step: {step.key} {_call(step.tool, step.args)}")
        terminal.say(f"  {_reasons(verdict)}")
        place = f"{step.turn}/{step.ordinal}"
        terminal.note(f"  Try it otherwise: daybook variants {found.thread_id} {place}")
    terminal.note(f"Wasted tokens: {found.wasted_tokens:,} of {found.tokens:,} in prompts.")
    rows = [
        (step.key, str(step.seq), _name(verdict), _call(step.tool, step.args), _reasons(verdict))
        for step, verdict in found.judged
    ]
    if rows:
        terminal.rows(("step", "entry", "verdict", "call", "why"), rows)


def _print_variants(found: Variants, terminal: Terminal) -> None:
    """Print a decision and the proposals in its place, equal ones in one row."""
    if found.shown.doubt:
        terminal.warn(found.shown.doubt)
    times: dict[tuple[str, str, str], int] = {}
    for one in found.proposed:
        row = _proposal(one)
        times[row] = times.get(row, 0) + 1
    rows = [("as decided", *_proposal(found.decided))]
    rows += [(str(count), *row) for row, count in times.items()]
    terminal.rows(("times", "proposal", "verdict", "why"), rows)
    terminal.note("Nothing was executed, and nothing was written.")


def _proposal(one: Variant) -> tuple[str, str, str]:
    """Return a proposal and the verdict on it, which is that of its worst call."""
    calls = "; ".join(_call(call["name"], call["args"]) for call in one.calls)
    name = SCORES[one.worst.score] if one.worst else "no answer" if one.fault else "answers"
    found = "; ".join(dict.fromkeys(filter(None, map(_reasons, one.verdicts))))
    return _brief(calls or one.text), name, one.fault or found


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
