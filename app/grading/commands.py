"""The commands `daybook grade` and `daybook variants`."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from daybook.app.cli.options import run
from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.grading.grade import Grade, Verdict
from daybook.app.grading.grade import grade as graded
from daybook.app.grading.history import read_trajectory
from daybook.app.grading.variants import Variant, Variants, Way, vary
from daybook.app.output import tell_json
from daybook.graph.database import open_database_of
from daybook.graph.model.chosen import chosen_model
from daybook.graph.settings.environment import Settings, settings_from
from daybook.state.errors import ConfigurationError, ForeignThread, InputRefused
from daybook.tools.domain import Domain

commands = typer.Typer()

Thread = Annotated[str, typer.Argument(help="The thread's id.")]
Json = Annotated[bool, typer.Option("--json", help="As a JSON object.")]
Wanted = tuple[Sequence[str], Sequence[float | None], Sequence[Path | None]]
"""Models, temperatures and prompts to ask with; None takes the setting."""

_MOST = 100
_LONGEST = 90
"""Characters of a call's arguments."""

_STYLES = {"right": "green", "for nothing": "dim", "wrong": "bold red"}

_STAND_IN = (
    "The stand-in follows rules: asked again with the same prompt, it decides the same. "
    "With a provider set (OPENAI_API_KEY or OPENAI_BASE_URL) the proposals differ."
)


@commands.command()
def grade(
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
    found = run(_grade(settings_from(), thread, user))
    if as_json:
        tell_json(json.dumps(found.as_json(), ensure_ascii=False, default=str))
    else:
        _print_grade(found, Terminal())


@commands.command()
def variants(
    thread: Thread,
    step: Annotated[
        str, typer.Argument(help="A ledger entry, or turn/ordinal as `grade` prints it.")
    ],
    n: Annotated[int, typer.Option("--n", min=1, max=_MOST, help="Number of requests.")] = 8,
    model: Annotated[list[str] | None, typer.Option("--model", help="Of the provider.")] = None,
    temperature: Annotated[
        list[float] | None, typer.Option("--temperature", min=0, max=2, help="May be repeated.")
    ] = None,
    prompt: Annotated[
        list[Path] | None,
        typer.Option("--prompt", exists=True, dir_okay=False, help="File of other instructions."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask for one decision again, in other ways, and grade the proposals. Executes nothing."""
    settings = settings_from()
    wanted: Wanted = (model or [], temperature or [None], prompt or [None])
    found = run(_variants(settings, thread, step, n, wanted))
    if as_json:
        tell_json(json.dumps(_variants_as_json(found), ensure_ascii=False, default=str))
    else:
        _print_variants(found, "" if settings.has_provider or n < 2 else _STAND_IN, Terminal())
    if all(one.fault for one in found.proposed):
        sys.exit(1)


async def _grade(settings: Settings, thread_id: str, user: str | None) -> Grade:
    domain = served_by(settings).domain
    async with open_database_of(domain, settings) as postgres:
        if user is not None and await postgres.threads.owner_of(thread_id) not in (user, None):
            raise ForeignThread(thread_id)
        return graded(await read_trajectory(postgres, domain, thread_id))


async def _variants(
    settings: Settings, thread_id: str, step: str, n: int, wanted: Wanted
) -> Variants:
    domain = served_by(settings).domain
    # No service is opened: a proposal could not be carried out.
    async with (
        open_database_of(domain, settings) as postgres,
        _ways(settings, wanted, domain) as ways,
    ):
        if n < len(ways):
            raise InputRefused(
                f"There are {len(ways)} ways to ask and --n is {n}. Nothing was asked. Name fewer, "
                "or raise --n."
            )
        return await vary(postgres, domain, thread_id, step, ways, n)


@asynccontextmanager
async def _ways(settings: Settings, wanted: Wanted, domain: Domain) -> AsyncIterator[list[Way]]:
    """Open every combination of models, temperatures and prompts.

    Raises:
        ConfigurationError: the stand-in has no other model or temperature.
        InputRefused: a file cannot be read.
    """
    models, temperatures, prompts = wanted
    if (models or temperatures != [None]) and not settings.has_provider:
        raise ConfigurationError(
            "There is no provider, and the stand-in follows rules: it has no other --model "
            "or --temperature. Nothing was asked; set OPENAI_API_KEY or OPENAI_BASE_URL."
        )
    texts = [(path.name, _read(path)) if path else ("", None) for path in prompts]
    async with AsyncExitStack() as stack:
        ways = []
        for name in models or [settings.model if settings.has_provider else "stand-in"]:
            chosen = chosen_model(replace(settings, model=name), domain)
            opened = await stack.enter_async_context(chosen)
            for temperature in temperatures:
                model, heat = opened, ""
                if temperature is not None:
                    model = opened.model_copy(update={"temperature": temperature})
                    heat = f"temperature {temperature:g}"
                ways += [
                    Way(", ".join(part for part in (name, heat, file) if part), model, text)
                    for file, text in texts
                ]
        yield ways


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise InputRefused(
            f"The file {path} cannot be read ({type(error).__name__}). Nothing was asked."
        ) from error


def _variants_as_json(found: Variants) -> dict[str, object]:
    return {
        "entry": found.shown.decided.seq,
        "proved": found.shown.is_exact,
        "doubt": found.shown.doubt,
        "decided": asdict(found.decided),
        "proposed": [asdict(one) for one in found.proposed],
    }


# -- at a terminal ---------------------------------------------------------------------------------


def _print_grade(found: Grade, terminal: Terminal) -> None:
    terminal.note(f"Thread {found.thread_id}")
    terminal.say(str(found))
    for note in found.notes:
        terminal.warn(note)
    if found.first_wrong is not None:
        step, verdict = found.first_wrong
        terminal.warn(f"First wrong step: {step.key} {_call_text(step.tool, step.args)}")
        for finding in verdict.findings:
            terminal.say(f"  {finding.check}: {finding.why}")
        place = f"{step.turn}/{step.ordinal}"
        terminal.note(f"  Try it otherwise: daybook variants {found.thread_id} {place}")
    terminal.note(f"Wasted tokens: {found.wasted_tokens:,} of {found.tokens:,} in prompts.")
    if found.judged:
        table = _table("step", "entry", "verdict", "call", "why")
        for step, verdict in found.judged:
            call = Text(_call_text(step.tool, step.args))
            table.add_row(
                step.key, str(step.seq), _styled(verdict.name), call, Text(_reasons(verdict))
            )
        terminal.table(table)


def _print_variants(found: Variants, note: str, terminal: Terminal) -> None:
    """Print a decision and the proposals in its place, equal ones in one row."""
    decided = found.shown.decided
    detail = decided.detail
    terminal.note(
        f"Entry {decided.seq}, decision {detail['ordinal']} of its turn, where the flow was "
        f"{detail['flow']}. Its prompt takes about {sum(detail['zones']):,} tokens."
    )
    if found.shown.doubt:
        terminal.warn(found.shown.doubt)
    table = _table("times", "way", "proposal", "verdict", "why", "tokens")
    table.add_row("", *_row(found.decided), "")
    equal: dict[str, list[Variant]] = {}
    for one in found.proposed:
        calls = [[call["name"], call["args"]] for call in one.calls]
        key = json.dumps([one.way, calls, one.text, one.fault], sort_keys=True)
        equal.setdefault(key, []).append(one)
    for same in equal.values():
        counted = [one.tokens for one in same if one.tokens is not None]
        table.add_row(str(len(same)), *_row(same[0]), f"{sum(counted):,}" if counted else "")
    terminal.table(table)
    if note:
        terminal.note(note)
    terminal.note("Nothing was executed, and nothing was written.")


def _row(one: Variant) -> tuple[str, Text, Text, Text]:
    """Return a proposal and the verdict on it, which is that of its worst call."""
    calls = "; ".join(_call_text(call["name"], call["args"]) for call in one.calls)
    worst = min(one.verdicts, key=lambda verdict: verdict.score, default=None)
    name = worst.name if worst else "no answer" if one.fault else "answers"
    found = "; ".join(dict.fromkeys(filter(None, map(_reasons, one.verdicts))))
    return one.way, Text(_brief(calls or one.text)), _styled(name), Text(one.fault or found)


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        is_number = name in ("entry", "times", "tokens")
        table.add_column(name, justify="right" if is_number else "left")
    return table


def _styled(verdict: str) -> Text:
    return Text(verdict, style=_STYLES.get(verdict, ""))


def _reasons(verdict: Verdict) -> str:
    return "\n".join(f"{one.check}: {one.why}" for one in verdict.findings) or verdict.why


def _call_text(tool: str, args: Mapping[str, Any]) -> str:
    given = ", ".join(
        f"{name}={thing if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False)}"
        for name, thing in args.items()
    )
    return _brief(f"{tool}({given})")


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
