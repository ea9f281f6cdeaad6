"""Commands that print, check and mend the ledger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperGroup

from daybook.app.cli.options import Json, OneThread, PublicKey, Thread, runs
from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.grading import grade as grading
from daybook.app.grading.history import read_trajectory
from daybook.app.ledger import listing
from daybook.app.ledger import reconcile as reconciling
from daybook.app.ledger.signature import public_key_of
from daybook.app.output import tell_json
from daybook.graph.database import open_database_of
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import ForeignThread

commands = typer.Typer()

_LONGEST = 90
"""Characters of a call, in the table of `grade`."""


class _PrintsAThread(TyperGroup):
    """Take `ledger THREAD` for `ledger print THREAD`, and `ledger --open` for `ledger open`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        asked = [flag for flag in ("--open", "--failed") if flag in args]
        if len(asked) > 1:
            raise typer.BadParameter("--open and --failed exclude each other.")
        if asked:
            args = [asked[0].removeprefix("--"), *(arg for arg in args if arg != asked[0])]
        elif args and args[0] not in (*self.commands, "--help"):
            args = ["print", *args]
        return super().parse_args(ctx, args)


ledger = typer.Typer(cls=_PrintsAThread, no_args_is_help=True)
commands.add_typer(
    ledger,
    name="ledger",
    help="Print the ledger of a thread, list what is open or failed, or check all.",
)


@ledger.command("print")
@runs
async def print_ledger(
    thread: Thread,
    as_json: Json = False,
    step: Annotated[
        str | None,
        typer.Option("--step", metavar="ID", help="This step alone: its name, or as spans say it."),
    ] = None,
) -> None:
    """Print the ledger of a thread: its entries, and its reads with hit or miss."""
    lines = await listing.ledger(settings_from(), thread, step)
    (listing.print_json if as_json else listing.print_lines)(lines)


Limit = Annotated[int, typer.Option("--limit", min=1, max=100_000, help="How many at most.")]


@ledger.command("open")
@runs
async def list_open(thread: OneThread = None, limit: Limit = 100, as_json: Json = False) -> None:
    """List steps that somebody still has to look after, the oldest first. Also: ledger --open."""
    found = await listing.listed(settings_from(), thread, limit)
    listing.print_steps(found, as_json=as_json, nothing="Nothing is open.")


@ledger.command("failed")
@runs
async def list_failed(thread: OneThread = None, limit: Limit = 100, as_json: Json = False) -> None:
    """List what was declined, undone, in doubt or expired, newest first. Also: ledger --failed."""
    found = await listing.listed(settings_from(), thread, limit, failed=True)
    listing.print_steps(found, as_json=as_json, nothing="Nothing failed.")


def _no_folder(file: typer.FileTextWrite | None) -> typer.FileTextWrite | None:
    if file is not None and Path(file.name).is_dir():
        raise typer.BadParameter("it is a folder; nothing was checked. Name a file.")
    return file


@ledger.command("verify")
@runs
async def verify_ledger(
    thread: OneThread = None,
    heads: Annotated[
        typer.FileTextWrite | None,
        typer.Option(
            "--heads",
            atomic=True,
            callback=_no_folder,
            help="Write the last hash of each chain, to keep.",
        ),
    ] = None,
    against: Annotated[
        typer.FileText | None,
        typer.Option(
            "--against",
            errors="replace",
            help="Compare with heads that were kept by --heads, or signed by `ledger sign`.",
        ),
    ] = None,
    public_key: PublicKey = None,
) -> None:
    """Check the hash chains of all threads, that none is gone, and what is kept beside them."""
    if thread is not None and (heads or against):
        raise typer.BadParameter("--heads and --against are of all threads: name none.")
    if public_key is not None and against is None:
        raise typer.BadParameter("--public-key is about what --against compares with.")
    key = public_key_of(public_key)
    if not await listing.verify(
        settings_from(), thread, heads=heads, against=against, public_key=key
    ):
        raise typer.Exit(1)


@ledger.command("rebuild")
@runs
async def rebuild_work_list(thread: OneThread = None) -> None:
    """Write the work list anew from the entries, where `verify` says that it does not agree."""
    await listing.rebuild(settings_from(), thread)


@commands.command()
@runs
async def reconcile(
    thread: OneThread = None,
    apply: Annotated[bool, typer.Option("--apply", help="Record what was found.")] = False,
    accept: Annotated[
        bool, typer.Option("--accept", help="Send again without comparing: nothing is missing.")
    ] = False,
) -> None:
    """Compare the ledger with the world, after a backup was restored and before anything runs."""
    if accept and (apply or thread is not None):
        raise typer.BadParameter(
            "--accept compares nothing: give it by itself, for the whole ledger."
        )
    if accept:
        await reconciling.accept(settings_from(), Terminal())
        return
    if not await reconciling.reconcile(settings_from(), Terminal(), thread, applies=apply):
        raise typer.Exit(1)


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
        found = grading.grade(await read_trajectory(postgres, domain, thread))
    wrong, terminal = found.first_wrong, Terminal()
    if as_json:
        told = [
            {
                **{"step": step.key, "score": score, "findings": [one._asdict() for one in faults]},
                **{"why": why, "entry": step.seq, "tool": step.tool},
            }
            for step, score, faults, why in found.verdicts
        ]
        about = {"thread": thread, "verdicts": told, "first_wrong": wrong and wrong.step.key}
        tokens = {"wasted_tokens": found.wasted_tokens, "tokens": found.tokens}
        told_all = {**about, **tokens, "notes": found.notes}
        tell_json(json.dumps(told_all, ensure_ascii=False, default=str))
        return
    terminal.note(f"Thread {thread}")
    terminal.say(str(found))
    for note in found.notes:
        terminal.warn(note)
    if wrong is not None:
        terminal.warn(f"First wrong step: {wrong.step.key} {_call(wrong.step)}")
        terminal.say(f"  {_reasons(wrong)}")
    terminal.note(f"Wasted tokens: {found.wasted_tokens:,} of {found.tokens:,} in prompts.")
    rows = [
        (one.step.key, str(one.step.seq), _name(one), _call(one.step), _reasons(one))
        for one in found.verdicts
    ]
    if rows:
        terminal.rows(("step", "entry", "verdict", "call", "why"), rows)


def _name(verdict: grading.Verdict) -> Text:
    styles = {1: "green", 0: "dim", -1: "bold red"}
    return Text(grading.SCORES[verdict.score], style=styles[verdict.score])


def _reasons(verdict: grading.Verdict) -> str:
    return "\n".join(f"{one.check}: {one.why}" for one in verdict.findings) or verdict.why


def _call(step: grading.Step) -> str:
    given = ", ".join(f"{name}={grading.text_of(thing)}" for name, thing in step.args.items())
    line = " ".join(f"{step.tool}({given})".split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
