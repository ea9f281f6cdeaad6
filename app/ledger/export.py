"""Write the ledger of a tenant into a file that can be checked without the database.

Beside the file stands its manifest, which is written first: a header, a line for each thread (which
of its entries are meant, between which hashes), and a seal with the counts, the hash of all that,
and a signature. Entries never change, so an export that was killed goes on by its manifest, and its
file is the one that it would have been.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import TypeAdapter

from daybook.app.ledger.forms import (
    Form,
    alone,
    csv_line,
    line_of,
    parquet,
    read_line,
    to_parquet,
    whole_lines,
)
from daybook.app.ledger.signature import Signer
from daybook.checkpoints.ledger.chain import COVERED, covered
from daybook.checkpoints.ledger.ledger import Ledger, Span
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.effects.keys import canonical
from daybook.state.errors import DaybookError
from daybook.state.fault_points import FaultPoint, reached

FORMAT, VERSION = "daybook export", 1

_BATCH = 500
"""Entries that are read at once."""

_SPAN = TypeAdapter(Span)

_ANEW = " Remove it and its manifest, and start again."


@dataclass(frozen=True)
class Wanted:
    """What is to be exported.

    Attributes:
        since, until: when an entry was written, UTC; without the end. None is without bound.
        form: jsonl, csv or parquet.
        payloads: with arguments, results and words, and the salts of their hashes.
    """

    tenant: str
    since: datetime | None
    until: datetime | None
    form: str
    payloads: bool

    def header(self) -> dict[str, Any]:
        """Return how a manifest begins, without when it was made."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "tenant": self.tenant,
            "from": utc(self.since),
            "to": utc(self.until),
            "form": self.form,
            "payloads": self.payloads,
            "columns": columns(payloads=self.payloads),
        }


def columns(*, payloads: bool) -> list[str]:
    """Name the columns of an export: all that the hash of an entry covers, and the hash."""
    return [*COVERED, "hash", *(("salt", "payload") if payloads else ())]


def utc(at: datetime | None) -> str | None:
    """Write an instant as ISO 8601, in UTC."""
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at is not None else None


def manifest_of(file: Path) -> Path:
    """Return where the manifest of an export stands: beside it."""
    return file.with_name(f"{file.name}.manifest.jsonl")


async def export(
    settings: Settings, wanted: Wanted, to: Path, *, key: Path | None, resumes: bool
) -> dict[str, Any]:
    """Write an export and its manifest; what is there of it is continued, where it `resumes`.

    Args:
        key: a file with the private key that signs the manifest.

    Returns:
        The seal of the manifest.

    Raises:
        DaybookError: there is such a file already, or it cannot be written.
        NotInstalled: the extra `export` (for Parquet) or `encryption` (for a key) is not installed.
    """
    if wanted.since is not None and wanted.until is not None and wanted.since >= wanted.until:
        raise DaybookError("--from must be before --to. Nothing was written.")
    if wanted.form == "parquet":
        parquet()
    manifest, part = manifest_of(to), to.with_name(f"{to.name}.part")
    is_done, is_begun, *_ = there = [*map(os.path.exists, (to, manifest, part))]
    if not resumes and any(there):
        raise DaybookError(
            f"{to} exists already, or an export to it was started. Nothing was changed; use "
            "--resume to continue it, or --out for another file."
        )
    signer = Signer(key) if key is not None else None
    with alone(part, 0o600) as lines:
        if lines is None:
            raise DaybookError(f"Another process is writing {part}. Nothing was changed.")
        if not is_begun and (is_done or whole_lines(lines)):
            raise DaybookError(f"The manifest of {to} is missing; nothing was changed.{_ANEW}")
        if is_begun and is_done:
            part.unlink()
            return _seal(manifest, wanted)
        async with open_database(settings) as postgres:
            if not is_begun:
                await _write_manifest(postgres.ledger, wanted, manifest, signer)
            seal = _seal(manifest, wanted)
            try:
                await _go_on(postgres.ledger, wanted, lines, spans_of(manifest))
            except ValueError as error:
                what = "The part that exists was changed, or belongs to another manifest."
                raise DaybookError(f"{what}{_ANEW}") from error
        finished = part
        if wanted.form == "parquet":
            finished = to.with_name(f"{to.name}.made")
            to_parquet(part, finished, columns(payloads=wanted.payloads))
        _put(finished, to)
        part.unlink(missing_ok=True)
    return seal


async def _write_manifest(ledger: Ledger, wanted: Wanted, to: Path, signer: Signer | None) -> None:
    """Write which entries are exported, as far as the chains go now; whole, or not at all."""
    hash_, made = hashlib.sha256(), to.with_name(f"{to.name}.part")
    threads = entries = 0
    header = {
        **wanted.header(),
        "made_at": utc(await ledger.now()),
        "missing_threads": await ledger.missing_threads(),
    }
    with made.open("wb") as file:

        def write(line: dict[str, Any]) -> None:
            text = f"{canonical(line)}\n".encode()
            hash_.update(text)
            file.write(text)

        write(header)
        async for span in ledger.spans(wanted.since, wanted.until):
            threads, entries = threads + 1, entries + span.last - span.first + 1
            write(asdict(span))
        counts = {"threads": threads, "entries": entries}
        seal = {"format": f"{FORMAT} seal", **counts, "sha256": hash_.hexdigest()}
        write(signer.sign(seal) if signer is not None else seal)
    _put(made, to)


def _seal(manifest: Path, wanted: Wanted) -> dict[str, Any]:
    """Read the end of a manifest.

    Raises:
        DaybookError: it is of another export than is wanted.
    """
    with manifest.open("r+b") as file:
        begun = json.loads(file.readline())
        if {name: begun.get(name) for name in wanted.header()} != wanted.header():
            raise DaybookError(
                f"{manifest} was started with another tenant, range, format or payload setting. "
                "Nothing was changed; use --out for another file."
            )
        seal: dict[str, Any] = json.loads(whole_lines(file))
    return seal


def spans_of(manifest: Path) -> Iterator[Span]:
    """Read the lines of a manifest that are about threads.

    Raises:
        ValueError, TypeError, RecursionError: one of them is none.
    """
    with manifest.open("rb") as file:
        file.readline()
        for line in file:
            if "thread_id" in json.loads(line):
                yield _SPAN.validate_json(line, strict=True)


async def _go_on(ledger: Ledger, wanted: Wanted, file: BinaryIO, spans: Iterable[Span]) -> None:
    """Write the entries that are not in the file yet."""
    form = Form.CSV if wanted.form == Form.CSV else Form.JSONL
    names = columns(payloads=wanted.payloads)
    head, last, after = csv_line(names) if form == Form.CSV else b"", whole_lines(file), None
    if not last:
        file.write(head)
    elif last != head:
        row = read_line(last, form, names)
        after = row["thread_id"], row["seq"]
    for batch in _batches(spans, after):
        for row in await ledger.entries_of_spans(batch, payloads=wanted.payloads):
            salt = bytes(row["salt"]).hex() if row["salt"] is not None else None
            beside = {"hash": bytes(row["hash"]).hex(), "salt": salt, "payload": row["payload"]}
            file.write(line_of(covered(row) | beside, form, names))
        file.flush()
        reached(FaultPoint.AFTER_COMMIT, "exported")
    file.flush()


def _batches(
    spans: Iterable[Span], after: tuple[str, int] | None
) -> Iterator[list[tuple[str, int, int]]]:
    """Cut spans into batches of so many entries; those up to `after` are left out.

    Raises:
        ValueError: the spans do not have it.
    """
    batch, room = list[tuple[str, int, int]](), _BATCH
    for span in spans:
        first = span.first
        if after is not None:
            if span.thread_id != after[0]:
                continue
            first, after = after[1] + 1, None
        while first <= span.last:
            last = min(span.last, first + room - 1)
            batch.append((span.thread_id, first, last))
            room, first = room - (last - first + 1), last + 1
            if not room:
                yield batch
                batch, room = [], _BATCH
    if after is not None:
        raise ValueError(after)
    if batch:
        yield batch


def _put(made: Path, to: Path) -> None:
    """Put a whole file in its place, for its owner alone."""
    os.chmod(made, 0o600)
    with made.open("rb") as written:
        os.fsync(written.fileno())
    os.replace(made, to)
