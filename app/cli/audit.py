"""Commands for auditors: what leaves the house and is checked there, and how steps are judged."""

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
        typer.Option("--from", metavar="TIME", help="Entries from then on (ISO 8601; else UTC)."),
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Entries before then.")
    ] = None,
    tenant: Annotated[
        str | None, typer.Option("--tenant", help="Whose; else DAYBOOK_TENANT's.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How it is written.")] = Form.JSONL,
    payloads: Annotated[
        bool,
        typer.Option(
            "--with-payloads/--redacted",
            help="With arguments, results and words: personal data. Left out by default.",
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", dir_okay=False, help="The file; else daybook-export.FORMAT here."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an export that was killed.")
    ] = False,
    key: Key = None,
) -> None:
    """Write the ledger of a tenant, all programs, into a file that `verify-export` checks offline.

    Beside it stands FILE.manifest.jsonl, which names what must be in it, and is
    signed with --key: hand over both.
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
        tell_aside("It holds personal data: give it only to whom they may be shown.")


@commands.command()
def verify_export(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="The export.")],
    public_key: PublicKey = None,
    heads: Annotated[
        typer.FileText | None,
        typer.Option(
            "--heads", errors="replace", help="Signed heads that were kept: chains go through them."
        ),
    ] = None,
) -> None:
    """Check an export by itself: no database, no settings. 1 where something does not hold."""
    key = public_key_of(public_key)
    kept = [*kept_heads(heads, public_key=key)] if heads is not None else []
    found = audit(file, key, kept)
    for fault in found.faults:
        tell(fault)
    if found.faults:
        tell(f"{file} does not hold.")
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
        tell(f"It agrees with {number_of(len(kept), 'head')} that were kept.")
    tell(f"The manifest is {_signed_by(found.public_key)}.")
    if found.public_key is None or key is None:
        tell_aside(
            "That it was not made up as a whole is not shown by this: give the --public-key that "
            "you were given, or kept --heads."
        )


def _of(threads: int, entries: int) -> str:
    return f"{number_of(threads, 'thread')}, {number_of(entries, 'entry')}"


def _signed_by(public_key: str | None) -> str:
    return f"signed by {public_key}" if public_key else "not signed (--key, DAYBOOK_HEADS_KEY)"


@commands.command()
async def reconcile(
    thread: OneThread = None,
    apply: Annotated[bool, typer.Option("--apply", help="Record what was found.")] = False,
    accept: Annotated[
        bool, typer.Option("--accept", help="Send again without comparing: nothing is missing.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Compare the ledger with the world, after a backup was restored and before anything runs."""
    if accept and (apply or thread is not None):
        raise typer.BadParameter(
            "--accept compares nothing: give it by itself, for the whole ledger."
        )
    if accept:
        terminal, nothing = Terminal(), "Nothing was changed."
        agree(terminal, "Send again without comparing?", nothing, is_sure=yes)
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
