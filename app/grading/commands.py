"""The commands `daybook grade` and `daybook variants`, registered as entry points."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from daybook.app.conversations.terminal import Terminal
from daybook.app.grading.report import terminal
from daybook.app.grading.report.summary import as_json as report_as_json
from daybook.app.grading.report.summary import report_of
from daybook.app.grading.variants import Variants, Way, vary
from daybook.app.running import run
from daybook.app.served import served_by
from daybook.app.telling import tell_aside, tell_json
from daybook.graph.database import open_database_of
from daybook.graph.model.chosen import chosen_model
from daybook.graph.settings.environment import Settings, settings_from
from daybook.state.errors import ConfigurationError, ForeignThread, InputRefused
from daybook.tools.domain import Domain

Thread = Annotated[str, typer.Argument(help="The thread's id.")]
Json = Annotated[bool, typer.Option("--json", help="As a JSON object.")]

_MOST = 100

_STAND_IN = (
    "The stand-in follows rules: asked again with the same prompt, it decides the same. "
    "With a provider set (OPENAI_API_KEY or OPENAI_BASE_URL) the proposals differ."
)


Wanted = tuple[Sequence[str], Sequence[float | None], Sequence[Path | None]]
"""Models, temperatures and prompts to ask with; None takes the setting."""


def grade(
    thread: Thread,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the report to this file.")
    ] = None,
    as_json: Json = False,
    user: Annotated[str | None, typer.Option("--user", help="Only a thread of this user.")] = None,
    feedback: Annotated[
        bool, typer.Option("--feedback", help="Attach the verdicts to the runs in LangSmith.")
    ] = False,
) -> None:
    """Grade every step of a thread: the first wrong one, the reason, and the cost.

    A call is checked against the tools offered, its schema, the identifiers and
    amounts known by then, stale reads, approvals, repetition and the expected
    result; an answer by the receipts check's findings in the ledger. A step is
    right, for nothing (neither harm nor good, or it cannot be judged), tainted
    (built on a wrong one) or wrong. Wasted are the tokens of decisions whose
    steps are all wrong or tainted.
    """
    settings = settings_from()
    if feedback and not settings.exports_langsmith:
        raise ConfigurationError(
            "LangSmith is not configured. Nothing was graded. Set LANGSMITH_TRACING=true and "
            "LANGSMITH_API_KEY, or leave --feedback out."
        )
    run(_grade(settings, thread, html_file, as_json, user))
    if feedback:
        run(_feedback(settings, thread))


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
    wanted: Wanted = (model or [], temperature or [None], prompt or [None])
    if not run(_variants(settings_from(), thread, step, n, wanted, as_json)):
        sys.exit(1)


async def _grade(
    settings: Settings, thread_id: str, file: Path | None, as_json: bool, user: str | None
) -> None:
    domain = served_by(settings).domain
    async with open_database_of(domain, settings) as postgres:
        if user is not None and await postgres.threads.owner_of(thread_id) not in (user, None):
            raise ForeignThread(thread_id)
        report = await report_of(postgres, domain, thread_id)
    if file is not None:
        # Its templates need a package of the server's extra; a terminal needs none of them.
        from daybook.app.grading.report import html

        _write(file, html.file(report))
    if as_json:
        tell_json(json.dumps(report_as_json(report), ensure_ascii=False, default=str))
    else:
        terminal.report(report, Terminal())
        if file is not None:
            Terminal().note(f"The report is in {file}.")


async def _feedback(settings: Settings, thread_id: str) -> None:
    """Attach the verdicts on a thread to its runs.

    Raises:
        ServiceUnavailable: LangSmith did not accept them.
    """
    # Imported here: it takes a second.
    from langsmith import Client

    from daybook.app.grading.langsmith_feedback import attach, feedback_of

    domain = served_by(settings).domain
    async with open_database_of(domain, settings) as postgres:
        feedback = await feedback_of(postgres, domain, thread_id)
    with closing(Client(auto_batch_tracing=False)) as client:
        count = await attach(feedback, client)
    verdicts = "1 verdict was" if count == 1 else f"{count} verdicts were"
    tell_aside(f"{verdicts} attached to runs in LangSmith.")


async def _variants(
    settings: Settings, thread_id: str, step: str, n: int, wanted: Wanted, as_json: bool
) -> bool:
    """Ask and print; return whether there was any answer."""
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
        found = await vary(postgres, domain, thread_id, step, ways, n)
    if as_json:
        tell_json(json.dumps(_as_json(found), ensure_ascii=False, default=str))
    else:
        note = "" if settings.has_provider or n < 2 else _STAND_IN
        terminal.variants(found, [way.name for way in ways], note, Terminal())
    return not all(one.fault for one in found.proposed)


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


def _as_json(found: Variants) -> dict[str, object]:
    return {
        "entry": found.shown.decided.seq,
        "proved": found.shown.is_exact,
        "doubt": found.shown.doubt,
        "decided": asdict(found.decided),
        "proposed": [asdict(one) for one in found.proposed],
    }


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise InputRefused(
            f"The file {path} cannot be read ({type(error).__name__}). Nothing was asked."
        ) from error


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text)
    except OSError as error:
        raise InputRefused(
            f"The file {path} cannot be written ({error.strerror}). The thread was graded, and "
            "nothing else was done; name another file."
        ) from error
