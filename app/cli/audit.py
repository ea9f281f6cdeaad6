"""Commands for auditors: what leaves the house, and how it is checked there."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from daybook.app.cli.ledger import ledger
from daybook.app.cli.options import PublicKey, runs
from daybook.app.ledger.audit import audit
from daybook.app.ledger.export import Wanted, manifest_of
from daybook.app.ledger.export import export as export_ledger
from daybook.app.ledger.forms import Form
from daybook.app.ledger.heads import kept_heads, sign_heads
from daybook.app.ledger.listing import number_of
from daybook.app.ledger.signature import public_key_of
from daybook.app.output import tell, tell_aside
from daybook.graph.database import open_database
from daybook.graph.settings.environment import settings_from

commands = typer.Typer()

Key = Annotated[
    Path | None,
    typer.Option("--key", dir_okay=False, help="The private key; else DAYBOOK_HEADS_KEY's."),
]


def _instant(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
        return at.astimezone(UTC) if at.tzinfo is not None else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise typer.BadParameter("Write 2026-11-29 or 2026-11-29T12:00:00Z.") from error


@commands.command()
@runs
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


@ledger.command("sign")
@runs
async def sign(
    key: Key = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FILE|URL",
            help="A file that is added to; https://... (POST), 'PUT https://...' or "
            "s3://BUCKET/PREFIX; else DAYBOOK_HEADS_TO's.",
        ),
    ] = None,
) -> None:
    """Sign where the chains end now, to be kept elsewhere: `verify --against` compares with it.

    The private key is made where there is none; beside it stands the public one, KEY.pub.
    Workers sign by themselves where DAYBOOK_HEADS_TO is set.
    """
    settings = settings_from()
    key, to = key or settings.heads_key, to or settings.heads_to
    if key is None or to is None:
        raise typer.BadParameter("Give --key and --to, or DAYBOOK_HEADS_KEY and DAYBOOK_HEADS_TO.")
    async with open_database(settings) as postgres:
        count = await sign_heads(postgres, key, to)
    if count is None:
        tell("Another process signs them right now.")
    else:
        tell(f"{number_of(count, 'head')} signed; the public key is in {key}.pub.")
