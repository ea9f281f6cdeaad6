"""The formats of an exported entry: a line of JSON or CSV, or a row of Parquet.

Of each entry there is one way to write it: what was written otherwise was not written here.
"""

from __future__ import annotations

import csv
import fcntl
import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from daybook.state.effects.keys import canonical
from daybook.state.errors import DaybookError
from daybook.state.extras import from_extra


class Form(StrEnum):
    """How the entries of an export are written."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


_JSON = ("detail", "payload")
_NUMBERS = ("seq", "ledger_version", "gen", "attempt")
_QUOTED = ('"', "=", "+", "-", "@", "\t")
"""A spreadsheet would evaluate a cell that begins like this; as JSON text it is only shown."""

csv.field_size_limit(1 << 30)  # A payload is longer than the 128 KiB that are read by default.

_ROWS = 10_000
_CHUNK = 1 << 16

Row = Mapping[str, Any]


def line_of(row: Row, form: str, columns: Sequence[str]) -> bytes:
    """Write an entry as one line: canonical JSON, or CSV."""
    if form == "csv":
        return csv_line([_cell(name, row[name]) for name in columns])
    return f"{canonical({name: row[name] for name in columns})}\n".encode()


def csv_line(cells: Sequence[str]) -> bytes:
    """Write one line of CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode()


def read_line(line: bytes, form: str, columns: Sequence[str]) -> Row:
    """Read an entry back.

    Raises:
        ValueError: the line is none that `line_of` has written.
    """
    try:
        if form == "csv":
            [cells] = csv.reader([line.decode()])
            row = {n: _value(n, cell) for n, cell in zip(columns, cells, strict=True)}
        else:
            row = json.loads(line)
        if line_of(row, form, columns) == line:
            return row
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, csv.Error):
        pass
    raise ValueError


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name in _JSON:
        return canonical(value)
    text = str(value)
    is_quoted = not text or text.startswith(_QUOTED) or "\n" in text or "\r" in text
    return json.dumps(text) if is_quoted else text


def _value(name: str, cell: str) -> Any:
    if not cell:
        return None
    if name in _NUMBERS:
        return int(cell)
    return json.loads(cell) if name in _JSON or cell.startswith('"') else cell


def whole_lines(file: BinaryIO) -> bytes:
    """Cut off what was begun of a line at the end of a file; return the last whole line, or b""."""
    start, tail = file.seek(0, os.SEEK_END), b""
    while start and tail.count(b"\n") < 2:
        size = min(_CHUNK, start)
        start = file.seek(start - size)
        tail = file.read(size) + tail
    whole = tail[: tail.rfind(b"\n") + 1]
    file.truncate(start + len(whole))
    file.seek(0, os.SEEK_END)
    return whole[whole[:-1].rfind(b"\n") + 1 :]


@contextmanager
def alone(path: Path, mode: int) -> Iterator[BinaryIO | None]:
    """Open a file to read it and to add to it; None while another process does.

    Raises:
        DaybookError: it cannot be written.
    """
    try:
        opened = os.open(path, os.O_RDWR | os.O_CREAT, mode)
    except OSError as error:
        raise DaybookError(f"{path} cannot be written: {error.strerror}.") from error
    with open(opened, "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
        else:
            yield file


def parquet() -> Any:
    """Import what writes and reads Parquet.

    Raises:
        NotInstalled: the extra `export` is not installed.
    """
    with from_extra():
        return import_module("pyarrow"), import_module("pyarrow.parquet")


def to_parquet(lines: Path, to: Path, columns: Sequence[str]) -> None:
    """Write the rows of a file of JSON lines as Parquet: numbers, and text; `detail` is JSON."""
    arrow, files = parquet()
    types = [(n, arrow.int64() if n in _NUMBERS else arrow.string()) for n in columns]
    schema = arrow.schema(types)
    with lines.open("rb") as file, files.ParquetWriter(to, schema) as writer:
        rows = (json.loads(line) for line in file)
        while batch := [*islice(rows, _ROWS)]:
            for row in batch:
                row |= {n: canonical(row[n]) for n in _JSON if row.get(n) is not None}
            writer.write_table(arrow.Table.from_pylist(batch, schema))


def rows_in(file: Path, form: str, columns: Sequence[str]) -> Iterator[Row | None]:
    """Read the entries of an export one after the other; None for what is no entry.

    Raises:
        NotInstalled: it is Parquet, and the extra `export` is not installed.
    """
    if form == "parquet":
        try:
            for batch in parquet()[1].ParquetFile(file).iter_batches(_ROWS):
                for row in batch.to_pylist():
                    json_ = {n: json.loads(row[n]) for n in _JSON if row.get(n) is not None}
                    yield {n: row[n] for n in columns} | json_
        # What pyarrow cannot read it says in these, and as not implemented: it is no entry of ours.
        except (ValueError, KeyError, TypeError, RecursionError, NotImplementedError):
            yield None
        return
    with file.open("rb") as lines:
        if form == "csv" and lines.readline() != csv_line(columns):
            yield None
        for line in lines:
            try:
                yield read_line(line, form, columns)
            except ValueError:
                yield None
