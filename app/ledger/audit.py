"""Verify an export by its own contents, without a database."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from daybook.app.ledger.export import FORMAT, VERSION, columns, manifest_of, spans_of
from daybook.app.ledger.forms import Form, rows_in
from daybook.app.ledger.heads import Signed
from daybook.app.ledger.signature import signature_fault
from daybook.checkpoints.ledger import chain
from daybook.checkpoints.ledger.ledger import Span
from daybook.state.effects.keys import canonical
from daybook.state.errors import ChainBroken, DaybookError

_MOST = 100
"""The most threads that are named if they do not verify."""

_Header = TypedDict(
    "_Header",
    {
        "format": str,
        "version": int,
        "tenant": str,
        "from": str | None,
        "to": str | None,
        "form": str,
        "payloads": bool,
        "columns": list[str],
        "made_at": str,
        "missing_threads": int,
    },
)
_HEADER = TypeAdapter(_Header)


@dataclass
class Audit:
    """What came of checking an export.

    Attributes:
        public_key: whose signature the manifest has; None if it has none.
        payloads: how many entries have a payload in the file.
        erased: how many had one that was erased before; of an export with payloads.
    """

    header: Mapping[str, Any] = field(default_factory=dict)
    public_key: str | None = None
    threads: int = 0
    entries: int = 0
    payloads: int = 0
    erased: int = 0
    faults: list[str] = field(default_factory=list)


def audit(file: Path, public_key: str | None = None, heads: Iterable[Signed] = ()) -> Audit:
    """Compute each chain of an export again, and compare it with the manifest and with heads.

    Args:
        public_key: whose signature the manifest must have.
        heads: kept elsewhere; the chains must go through them.

    Raises:
        DaybookError: the file or its manifest cannot be read.
    """
    found, manifest = Audit(), manifest_of(file)
    try:
        faults = _manifest_faults(found, manifest, public_key)
        if not faults:
            faults = [*islice(_faults(found, file, manifest, _by_thread(heads)), _MOST)]
    except OSError as error:
        raise DaybookError(
            f"{error.filename or file} cannot be read: {error.strerror or 'it is truncated'}. "
            "Nothing was checked; the manifest must be next to the file."
        ) from error
    found.faults = faults
    return found


def _manifest_faults(found: Audit, manifest: Path, public_key: str | None) -> list[str]:
    try:
        hash_, last, threads, entries = hashlib.sha256(), b"", 0, 0
        with manifest.open("rb") as file:
            for line in file:
                hash_.update(last)
                last = line
        seal = json.loads(last)
        if seal["format"] != f"{FORMAT} seal" or seal["sha256"] != hash_.hexdigest():
            return ["the manifest was changed or truncated"]
        is_signed = "signature" in seal or "public_key" in seal
        if (is_signed or public_key) and (fault := signature_fault(seal, public_key)):
            return [f"the manifest: {fault}"]
        # It says the same otherwise, or twice.
        if f"{canonical(seal)}\n".encode() != last:
            return ["the manifest was changed or truncated"]
        with manifest.open("rb") as file:
            found.header = header = dict(_HEADER.validate_json(file.readline(), strict=True))
        if (header["format"], header["version"]) != (FORMAT, VERSION):
            return [f"the manifest has a version that this release cannot read ({VERSION})"]
        if header["form"] not in [*Form] or header["columns"] != columns(
            payloads=bool(header["payloads"])
        ):
            return ["the manifest lists columns that an export does not have"]
        for span in spans_of(manifest):
            threads, entries = threads + 1, entries + span.last - span.first + 1
        if (threads, entries) != (seal["threads"], seal["entries"]):
            return ["the manifest and its seal disagree on the number of threads or entries"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return ["the manifest cannot be read: it was changed or truncated"]
    found.public_key = seal.get("public_key")
    return []


def _by_thread(heads: Iterable[Signed]) -> dict[str, list[Signed]]:
    found: dict[str, list[Signed]] = {}
    for one in heads:
        found.setdefault(one.head.thread_id, []).append(one)
    return found


def _faults(
    found: Audit, file: Path, manifest: Path, heads: dict[str, list[Signed]]
) -> Iterator[str]:
    header = found.header
    if missing := header["missing_threads"]:
        yield f"threads whose ledger was missing from the database at the export: {missing}"
    spans, at = spans_of(manifest), 0
    span = next(spans, None)
    rows = rows_in(file, header["form"], header["columns"])
    for thread_id, group in groupby(rows, lambda row: row["thread_id"] if row else None):
        if thread_id is None:
            yield f"after {found.entries} entries of the file: the next line is incomplete"
            continue
        is_next = span is not None and span.thread_id == thread_id
        # Read again where something does not hold, so that not all of it is kept in memory.
        later = islice(spans_of(manifest), at + 1, None)
        if not is_next and not any(one.thread_id == thread_id for one in later):
            yield f"thread {thread_id}: it is not in the manifest, or is at another position there"
            continue
        while span is not None and span.thread_id != thread_id:
            yield from _of_thread(found, span, [], heads.pop(span.thread_id, []))
            span, at = next(spans, None), at + 1
        assert span is not None
        yield from _of_thread(found, span, group, heads.pop(thread_id, []))
        span, at = next(spans, None), at + 1
    while span is not None:
        yield from _of_thread(found, span, [], heads.pop(span.thread_id, []))
        span = next(spans, None)
    for thread_id, kept in heads.items():
        if any(_is_within(header, one) for one in kept):
            yield f"thread {thread_id}: its head was signed earlier, but it is not in the export"


def _of_thread(
    found: Audit, span: Span, rows: Iterable[Any], heads: Sequence[Signed]
) -> Iterator[str]:
    """Check the entries of one thread; say of the first one that does not hold."""
    header, found.threads = found.header, found.threads + 1
    kept: dict[int, set[str]] = {}
    for one in heads:
        kept.setdefault(one.head.seq, set()).add(one.head.hash)

    def seen() -> Iterator[Mapping[str, Any]]:
        for row in rows:
            if kept.get(row["seq"], {row["hash"]}) != {row["hash"]}:
                raise ChainBroken(f"entry {row['seq']}: a different entry was signed here")
            if row["tenant_id"] != header["tenant"]:
                raise ChainBroken(f"entry {row['seq']}: it belongs to another tenant")
            found.entries += 1
            if header["payloads"] and row["payload_hash"]:
                found.payloads += row["payload"] is not None
                found.erased += row["payload"] is None
            yield {"salt": None, "payload": None, **row} | {
                name: _bytes(row[name])
                for name in ("hash", "payload_hash", "salt")
                if row.get(name) is not None
            }

    try:
        end = {"seq": span.last, "hash": bytes.fromhex(span.hash)}
        if header["from"] is None and (span.first != 1 or span.previous):
            raise ChainBroken(f"entry {span.first}: earlier entries were missing at the export")
        if kept.get(span.first - 1, {span.previous}) != {span.previous}:
            raise ChainBroken(f"entry {span.first}: a different entry was signed before it")
        chain.verify(seen(), end, span.first, bytes.fromhex(span.previous))
        if span.last > span.head_seq or (
            header["to"] is None and (span.last, span.hash) != (span.head_seq, span.head_hash)
        ):
            raise ChainBroken(
                f"entry {span.last}: the chain ended here when it was exported, but its head was "
                f"at entry {span.head_seq}"
            )
        for one in heads:
            if one.head.seq > span.last and _is_within(header, one):
                raise ChainBroken(f"entry {one.head.seq}: it was signed but is missing")
    except ChainBroken as error:
        yield f"thread {span.thread_id}: {error}"
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        yield f"thread {span.thread_id}: an entry cannot be read ({type(error).__name__})"


def _bytes(text: str) -> bytes:
    """Read hex as it was written: no capitals, no blanks.

    Raises:
        ValueError: it is invalid.
    """
    if (read := bytes.fromhex(text)).hex() != text:
        raise ValueError
    return read


def _is_within(header: Mapping[str, Any], one: Signed) -> bool:
    """Tell whether an export that is of all times must hold a head."""
    is_whole = header["from"] is None and header["to"] is None
    return is_whole and one.at is not None and one.at <= header["made_at"]
