"""Commands for auditors: exports, reconciliation, and grading of steps."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from daybook.app.cli.options import Commands, Json, Key, OneThread, PublicKey, Thread, Yes, agree
from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.grading import grade as grading
from daybook.app.grading.history import read_trajectory
from daybook.app.ledger import reconcile as reconciling
from daybook.app.ledger.audit import audit
from daybook.app.ledger.export import Wanted, manifest_of
from daybook.app.ledger.export import export as export_ledger
from daybook.app.ledger.forms import Form
from daybook.app.ledger.heads import kept_heads
from daybook.app.ledger.listing import number_of
from daybook.app.ledger.signature import public_key_of
from daybook.app.output import tell, tell_aside, tell_json
from daybook.graph.database import open_database_of
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import ForeignThread

commands = Commands()

_LONGEST = 90
"""Characters of a call, in the table of `grade`."""


def _instant(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
        return at.astimezone(UTC) if at.tzinfo is not None else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise typer.BadParameter("Write 2026-11-29 or 2026-11-29T12:00:00Z.") from error


@commands.command()
async def export(
    since: Annotated[
        str | None,
        typer.Option("--from", metavar="TIME", help="Entries from this time on (ISO 8601)."),
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Entries before this time.")
    ] = None,
    tenant: Annotated[
        str | None, typer.Option("--tenant", help="The tenant; default DAYBOOK_TENANT.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="The file format.")] = Form.JSONL,
    payloads: Annotated[
        bool,
        typer.Option(
            "--with-payloads/--redacted",
            help="Include arguments, results and text, which are personal data.",
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", dir_okay=False, help="The file; default daybook-export.FORMAT."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue an export that was interrupted.")
    ] = False,
    key: Key = None,
) -> None:
    """Export the ledger of a tenant to a file that `verify-export` checks offline.

    FILE.manifest.jsonl lists its contents and is signed with --key: hand over both.
    """
    settings = settings_from()
    settings = replace(settings, tenant=tenant or settings.tenant)
    wanted = Wanted(settings.tenant, _instant(since), _instant(until), form, payloads)
    to = out or Path(f"daybook-export.{form}")
    key = key or settings.heads_key
    seal = await export_ledger(settings, wanted, to, key=key, resumes=resume)
    tell(f"{to}: {_of(seal['threads'], seal['entries'])} of {wanted.tenant}.")
    tell(f"{manifest_of(to)}: {_signed_by(seal.get('public_key'))}.")
    if payloads:
        tell_aside("It contains personal data: give it only to people who may see that data.")


@commands.command()
def verify_export(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="The export.")],
    public_key: PublicKey = None,
    heads: Annotated[
        typer.FileText | None,
        typer.Option("--heads", errors="replace", help="Signed heads to compare with."),
    ] = None,
) -> None:
    """Verify an export without a database or settings. Exits with 1 if it fails."""
    key = public_key_of(public_key)
    kept = [*kept_heads(heads, public_key=key)] if heads is not None else []
    found = audit(file, key, kept)
    for fault in found.faults:
        tell(fault)
    if found.faults:
        tell(f"{file} failed the check.")
        raise typer.Exit(1)
    header = found.header
    tell(
        f"{_of(found.threads, found.entries)} of {header['tenant']}, from "
        f"{header['from'] or 'the beginning'} to {header['to'] or header['made_at']}: every chain "
        "verifies."
    )
    if header["payloads"]:
        tell(f"{number_of(found.payloads, 'payload')}, {found.erased:,} erased.")
    if kept:
        tell(f"It agrees with {number_of(len(kept), 'head')} from --heads.")
    tell(f"The manifest is {_signed_by(found.public_key)}.")
    if found.public_key is None or key is None:
        tell_aside(
            "This does not prove who made the export: give --public-key with the key you were "
            "given, or --heads with stored heads."
        )


def _of(threads: int, entries: int) -> str:
    return f"{number_of(threads, 'thread')}, {number_of(entries, 'entry')}"


def _signed_by(public_key: str | None) -> str:
    return f"signed by {public_key}" if public_key else "not signed (--key, DAYBOOK_HEADS_KEY)"


@commands.command()
async def reconcile(
    thread: OneThread = None,
    apply: Annotated[bool, typer.Option("--apply", help="Record the results.")] = False,
    accept: Annotated[bool, typer.Option("--accept", help="Accept without comparing.")] = False,
    yes: Yes = False,
) -> None:
    """Compare the ledger with the services after a restore, before anything runs."""
    if accept and (apply or thread is not None):
        raise typer.BadParameter(
            "--accept applies to the whole ledger; give it without a thread or --apply."
        )
    if accept:
        terminal, nothing = Terminal(), "Nothing was changed."
        agree(terminal, "Accept this database without comparing?", nothing, is_sure=yes)
        await reconciling.accept(settings_from(), terminal)
        return
    if not await reconciling.reconcile(settings_from(), Terminal(), thread, applies=apply):
        raise typer.Exit(1)


@commands.command()
async def grade(
    thread: Thread,
    as_json: Json = False,
    user: Annotated[str | None, typer.Option("--user", help="Only a thread of this user.")] = None,
) -> None:
    """Grade every step of a thread: the first wrong step, the reason, and the cost.

    A call is checked against the offered tools, its schema, the identifiers and
    amounts known so far, stale reads, approvals and repetition; an answer by the
    findings of the receipts check. A step is right, neutral (without effect, or
    not yet decidable) or wrong. Wasted tokens are those of decisions whose steps
    are all wrong.
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
