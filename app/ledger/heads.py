"""Signed chain heads, stored where the owner of the database cannot write.

A journal is a file of lines, each a batch of heads: when they were read, whose chains ended where,
the hash of the batch before it, the public key and the signature. It is only added to. Each round
holds the chains that were written in since the one before, the first one all of them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from psycopg import Error
from pydantic import TypeAdapter

from daybook.app.ledger.export import utc
from daybook.app.ledger.forms import alone, whole_lines
from daybook.app.ledger.object_store import ObjectStore, client
from daybook.app.ledger.signature import Signer, signature_fault
from daybook.checkpoints.ledger.ledger import KeptHead
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.reach import unavailable
from daybook.state.effects.keys import canonical
from daybook.state.errors import DaybookError
from daybook.state.fault_points import FaultPoint, reached

FORMAT, VERSION = "daybook heads", 1

_MOST = 10_000
"""Heads of one batch."""

_LATE = timedelta(minutes=10)
"""The longest time between an entry's timestamp and its commit."""

_SECONDS = 30.0


@dataclass(frozen=True)
class Signed:
    """A head that was kept, and when: UTC, ISO 8601; None if it is not signed."""

    head: KeptHead
    at: str | None = None


@dataclass(frozen=True)
class Target:
    """Where heads go: into a file, and from it by a request to a URL where there is one.

    Attributes:
        method: POST takes each batch by itself, and so does S3, as an object; PUT takes the whole
            journal, by a presigned URL.
    """

    journal: Path
    method: str = ""
    url: str = ""


def target_of(to: str, key: Path) -> Target:
    """Read where heads are to go: a file, a URL (POST; with PUT and a blank before it), or S3.

    Raises:
        DaybookError: the URL is no HTTPS one, and none of a bucket.
        NotInstalled: the extra `s3` is not installed, for a bucket.
    """
    method, _, url = to.rpartition(" ")
    if method not in ("", "PUT", "POST") or "://" not in url:
        return Target(Path(to))
    try:
        parts = urlsplit(url)
        is_here = parts.hostname in ("127.0.0.1", "::1", "localhost")
    except ValueError:
        parts, is_here = urlsplit(""), False
    journal = key.with_name(f"{key.name}.heads.jsonl")
    if parts.scheme == "s3" and re.fullmatch(r"[a-z0-9.-]+", parts.netloc) and not method:
        client()
        return Target(journal, "S3", url)
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and is_here)):
        raise DaybookError(
            "The target of signed heads must be a file, an https:// URL or s3://BUCKET/PREFIX. "
            "Nothing was signed; the URL is not shown, since it may contain a secret."
        )
    return Target(journal, method or "POST", url)


async def sign_heads(
    postgres: Postgres, key: Path, to: str, every: timedelta = timedelta(0)
) -> int | None:
    """Add a round to the journal, and send what of it was not sent.

    Args:
        every: nothing is added where the last round is younger than that.

    Returns:
        How many heads were added; None if another process is at it, or was lately.

    Raises:
        DaybookError: the journal is of another key or tenant, or it cannot be written or sent.
    """
    target, count = target_of(to, key), None
    signer = Signer(key)
    with alone(target.journal, 0o644) as file:
        if file is None:
            return None
        last = _last(file, target.journal, signer, postgres.tenant_id)
        began = await postgres.ledger.now()
        if last is None or last["more"] or began - _time(last["began"]) >= every * 0.9:
            count = 0
            async for line, heads in _round(postgres, signer, last, began):
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
                reached(FaultPoint.AFTER_COMMIT, "heads/signed")
                count += heads
        if target.method == "S3":
            await _keep(target, file, signer.public_key)
        elif target.url:
            await _send(target, file)
    return count


def _last(file: BinaryIO, path: Path, signer: Signer, tenant: str) -> dict[str, Any] | None:
    """Read the last batch of a journal, behind which the file stands then."""
    line = whole_lines(file)
    if not line:
        return None
    last: Any = None
    with suppress(ValueError):
        last = json.loads(line)
    if (
        not isinstance(last, dict)
        or signature_fault(last, signer.public_key)
        or (last["format"], last["tenant"]) != (FORMAT, tenant)
    ):
        raise DaybookError(
            f"{path} does not end with heads of this tenant that this key signed. Nothing was "
            "added; keep it, and use another file."
        )
    return {**last, "hash": hashlib.sha256(line.rstrip(b"\n")).hexdigest()}


async def _round(
    postgres: Postgres, signer: Signer, last: dict[str, Any] | None, began: datetime
) -> AsyncIterator[tuple[bytes, int]]:
    """Sign the heads of the chains that were written in since the last whole round."""
    since, previous = None, None
    if last is not None:
        previous = last["hash"]
        since = last["since"] if last["more"] else utc(_time(last["began"]) - _LATE)
    heads: list[KeptHead] = []

    async def batch(*, more: bool) -> bytes:
        nonlocal previous
        signed = signer.sign(
            {
                "format": FORMAT,
                "version": VERSION,
                "tenant": postgres.tenant_id,
                "since": since,
                "began": utc(began),
                "at": utc(await postgres.ledger.now()),
                "more": more,
                "previous": previous,
                "heads": [[one.thread_id, one.seq, one.hash] for one in heads],
            }
        )
        line = canonical(signed).encode()
        previous = hashlib.sha256(line).hexdigest()
        return line + b"\n"

    async for head in postgres.ledger.heads(_time(since) if since else None):
        if len(heads) == _MOST:
            yield await batch(more=True), _MOST
            heads.clear()
        heads.append(head)
    yield await batch(more=False), len(heads)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


async def _keep(target: Target, file: BinaryIO, public_key: str) -> None:
    """Make an object of each batch that none was made of yet; by name they are in their order.

    Raises:
        DaybookError: another one is there by that name, or it was not taken.
    """
    store, where = ObjectStore(target.url), hashlib.sha256(target.url.encode()).hexdigest()
    mark = target.journal.with_name(f"{target.journal.name}.{where[:8]}.sent")
    for number, line in _unsent(file, mark):
        name = f"{public_key[:16]}/{number:012}.json"
        await store.make(name, line, is_first=number == 1)


async def _send(target: Target, file: BinaryIO) -> None:
    """Send what of the journal was not sent yet: each batch, or all of it.

    Raises:
        DaybookError: it was not taken; it is sent with the next ones.
    """
    import httpx  # for these alone: whoever prints or verifies a ledger sends nothing

    mark = target.journal.with_name(f"{target.journal.name}.sent")
    try:
        async with httpx.AsyncClient(timeout=_SECONDS) as http:

            async def send(part: bytes) -> None:
                answer = await http.request(target.method, target.url, content=part)
                answer.raise_for_status()

            if target.method == "PUT":
                file.seek(0)
                return await send(file.read())
            for _, line in _unsent(file, mark):
                await send(line)
            return
    except httpx.HTTPStatusError as error:
        why = f"status {error.response.status_code}"
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        why = type(error).__name__
    # Without the cause: its words have the URL, which may hold a secret.
    raise DaybookError(
        f"{urlsplit(target.url).hostname} did not accept the signed heads ({why}). They are in "
        f"{target.journal} and will be sent with the next ones."
    )


def _unsent(file: BinaryIO, mark: Path) -> Iterator[tuple[int, bytes]]:
    """Yield each batch that was not sent, with its number from 1; the next one says that it was.

    Args:
        mark: a file that says how many bytes were sent. A batch may be sent again where this
            process is killed before it is written.
    """
    sent, end = int(mark.read_text() or 0) if mark.exists() else 0, 0
    file.seek(0)
    for number, line in enumerate(file, 1):
        end += len(line)
        if end > sent:
            yield number, line
            reached(FaultPoint.AFTER_REPLY, "heads/sent")
            mark.write_text(str(end))


async def keep_signing(
    postgres: Postgres, key: Path, to: str, every: timedelta, say: Callable[[str], None]
) -> None:
    """Sign again and again, until cancelled; what fails is said, and tried again."""
    while True:
        try:
            count = await sign_heads(postgres, key, to, every)
            if count is not None:
                say(f"signed {count} chain heads")
        except DaybookError as error:
            say(str(error))
        except Error as error:
            say(str(unavailable(error)))
        except Exception as error:
            say(f"No heads were signed ({type(error).__name__}). Trying again.")
        await postgres.clock.sleep(every.total_seconds())


def kept_heads(
    lines: Iterable[str], *, public_key: str | None = None, tenant: str | None = None
) -> Iterator[Signed]:
    """Read heads: a journal, whose signatures and order are checked, or lines of `verify --heads`.

    Args:
        public_key: who must have signed each; else whoever has signed the first.
        tenant: whose they must be.

    Raises:
        DaybookError: a line is neither, is not signed, or is not behind the one before it.
    """
    previous, seen = None, set[str]()
    for number, line in enumerate(lines, 1):
        batch: Any = None
        with suppress(ValueError, RecursionError):
            batch = json.loads(line)
        if not isinstance(batch, dict) or batch.get("format") != FORMAT:
            if public_key is not None:
                raise _refused(number, "it is not signed")
            yield Signed(_plain_head(line))
            continue
        hash_ = hashlib.sha256(line.rstrip("\n").encode()).hexdigest()
        if hash_ in seen:
            continue
        if fault := signature_fault(batch, public_key):
            raise _refused(number, fault)
        try:
            if tenant not in (None, batch["tenant"]):
                raise _refused(number, f"it belongs to another tenant, {batch['tenant']}")
            if batch["previous"] != previous:
                raise _refused(number, "an earlier line was removed, changed or moved")
            heads = [KeptHead(thread_id, seq, end) for thread_id, seq, end in batch["heads"]]
            at, public_key = str(batch["at"]), batch["public_key"]
        except (KeyError, TypeError, ValueError) as error:
            raise _refused(number, "it cannot be read") from error
        previous = hash_
        seen.add(hash_)
        yield from (Signed(head, at) for head in heads)


def _refused(number: int, why: str) -> DaybookError:
    return DaybookError(f"Line {number} of the heads: {why}. Nothing was checked.")


def _plain_head(line: str) -> KeptHead:
    """Read a line that `daybook ledger verify --heads` has written.

    Raises:
        DaybookError: it is another one.
    """
    try:
        head = TypeAdapter(KeptHead).validate_json(line)
        if "\0" in head.thread_id or not 0 < head.seq < 2**63:
            raise ValueError
        return head
    except ValueError as error:
        raise DaybookError(
            f"This is not a head of a chain: {line.strip()[:80]!r}. Nothing was checked; use a "
            "file written by `daybook ledger verify --heads FILE` or `daybook ledger sign`."
        ) from error
