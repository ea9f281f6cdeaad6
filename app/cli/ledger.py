"""Commands that print, verify, sign and rebuild the ledger."""

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
    help="Print the ledger of a thread, list open or failed steps, or verify the ledger.",
)


@ledger.command("print")
async def print_ledger(
    thread: Thread,
    as_json: Json = False,
    step: Annotated[
        str | None,
        typer.Option("--step", metavar="ID", help="Only this step: its name or its digest."),
    ] = None,
) -> None:
    """Print the ledger of a thread: entries, and reads with cache hit or miss."""
    lines = await listing.ledger(settings_from(), thread, step)
    (listing.print_json if as_json else listing.print_lines)(lines)


Limit = Annotated[int, typer.Option("--limit", min=1, max=100_000, help="Maximum number of rows.")]


@ledger.command("open")
async def list_open(thread: OneThread = None, limit: Limit = 100, as_json: Json = False) -> None:
    """List open steps, oldest first. Also: ledger --open."""
    found = await listing.listed(settings_from(), thread, limit)
    listing.print_steps(found, as_json=as_json, nothing="Nothing is open.")


@ledger.command("failed")
async def list_failed(thread: OneThread = None, limit: Limit = 100, as_json: Json = False) -> None:
    """List steps that were declined, undone, in doubt or expired. Also: ledger --failed."""
    found = await listing.listed(settings_from(), thread, limit, failed=True)
    listing.print_steps(found, as_json=as_json, nothing="Nothing failed.")


def _no_folder(file: typer.FileTextWrite | None) -> typer.FileTextWrite | None:
    if file is not None and Path(file.name).is_dir():
        raise typer.BadParameter("it is a folder. Nothing was checked; give a file.")
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
            help="Write the last hash of each chain to this file.",
        ),
    ] = None,
    against: Annotated[
        typer.FileText | None,
        typer.Option(
            "--against",
            errors="replace",
            help="Compare with a file written by --heads or `ledger sign`.",
        ),
    ] = None,
    public_key: PublicKey = None,
) -> None:
    """Verify the hash chains of all threads, that none is missing, and the work list."""
    if thread is not None and (heads or against):
        raise typer.BadParameter("--heads and --against cover all threads; do not name one.")
    if public_key is not None and against is None:
        raise typer.BadParameter("--public-key needs --against.")
    key = public_key_of(public_key)
    if not await listing.verify(
        settings_from(), thread, heads=heads, against=against, public_key=key
    ):
        raise typer.Exit(1)


@ledger.command("rebuild")
async def rebuild_work_list(thread: OneThread = None) -> None:
    """Rebuild the work list from the ledger entries, after `verify` reported a difference."""
    await listing.rebuild(settings_from(), thread)


@ledger.command("sign")
async def sign(
    key: Key = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FILE|URL",
            help="A file, https://..., 'PUT https://...' or s3://BUCKET/PREFIX; default "
            "DAYBOOK_HEADS_TO.",
        ),
    ] = None,
) -> None:
    """Sign the current heads of the chains. `verify --against` compares with them later.

    A missing private key is created, with the public key next to it as KEY.pub.
    Workers sign by themselves if DAYBOOK_HEADS_TO is set.
    """
    settings = settings_from()
    key, to = key or settings.heads_key, to or settings.heads_to
    if key is None or to is None:
        raise typer.BadParameter("Give --key and --to, or their DAYBOOK_HEADS_ variables.")
    async with open_database(settings) as postgres:
        count = await sign_heads(postgres, key, to)
    if count is None:
        tell("Another process is signing the heads.")
    else:
        tell(f"{listing.number_of(count, 'head')} signed; the public key is in {key}.pub.")
