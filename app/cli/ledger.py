"""Commands that print, check, sign and mend the ledger."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from daybook.app.cli.options import Commands, Json, Key, OneThread, PublicKey, Thread
from daybook.app.ledger import listing
from daybook.app.ledger.heads import sign_heads
from daybook.app.ledger.signature import public_key_of
from daybook.app.output import tell
from daybook.graph.database import open_database
from daybook.graph.settings.environment import settings_from

commands = Commands()


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


ledger = Commands(cls=_PrintsAThread, no_args_is_help=True)
commands.add_typer(
    ledger,
    name="ledger",
    help="Print the ledger of a thread, list what is open or failed, or check all.",
)


@ledger.command("print")
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
async def list_open(thread: OneThread = None, limit: Limit = 100, as_json: Json = False) -> None:
    """List steps that somebody still has to look after, the oldest first. Also: ledger --open."""
    found = await listing.listed(settings_from(), thread, limit)
    listing.print_steps(found, as_json=as_json, nothing="Nothing is open.")


@ledger.command("failed")
async def list_failed(thread: OneThread = None, limit: Limit = 100, as_json: Json = False) -> None:
    """List what was declined, undone, in doubt or expired, newest first. Also: ledger --failed."""
    found = await listing.listed(settings_from(), thread, limit, failed=True)
    listing.print_steps(found, as_json=as_json, nothing="Nothing failed.")


def _no_folder(file: typer.FileTextWrite | None) -> typer.FileTextWrite | None:
    if file is not None and Path(file.name).is_dir():
        raise typer.BadParameter("it is a folder; nothing was checked. Name a file.")
    return file


@ledger.command("verify")
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
async def rebuild_work_list(thread: OneThread = None) -> None:
    """Write the work list anew from the entries, where `verify` says that it does not agree."""
    await listing.rebuild(settings_from(), thread)


@ledger.command("sign")
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
        tell(f"{listing.number_of(count, 'head')} signed; the public key is in {key}.pub.")
