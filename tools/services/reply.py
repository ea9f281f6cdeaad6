"""The answer of a service: how much of it is read, and how it is decompressed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from daybook.state.effects.exact import Inexact, read_exactly
from daybook.state.effects.keys import rewritten

_WINDOW = {"gzip": 31, "x-gzip": 31, "deflate": 15}

HIDDEN = "[hidden]"
"""Replaces a secret that was sent and that the provider repeats."""

_PLAIN_CHARSETS = frozenset({"", "utf-8", "utf8", "us-ascii"})


@dataclass(frozen=True)
class Reply:
    """An answer.

    Attributes:
        headers: names in lower case.
        body: unpacked; empty where `fault` says why it is not there.
        fault: why the body cannot be taken; nothing is concluded from such an answer.
        hidden: secrets that are hidden in what the body says, however it escapes them.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    fault: str = ""
    hidden: tuple[str, ...] = ()

    def json(self) -> Any:
        """Read the body as JSON of which nothing is lost.

        Raises:
            Inexact: it is invalid; the message says why.
        """
        if self.fault:
            raise Inexact(self.fault)
        charset = self.headers.get("content-type", "").lower().partition("charset=")[2]
        named = charset.partition(";")[0].strip(" \"'")
        if named not in _PLAIN_CHARSETS and not self.body.isascii():
            raise Inexact(f"it is in {named[:20]} and not in UTF-8")
        said = read_exactly(self.body)
        # As it stands in the body it was hidden there; PHP escapes a slash, and .NET a plus.
        if not self.hidden or b"\\" not in self.body:
            return said
        return rewritten(said, lambda part: _without(part, self.hidden))

    def messages(self) -> Iterator[Any]:
        """Yield what the body says as JSON: of a stream each event that came whole, else all of it.

        Raises:
            Inexact: it is neither a stream nor JSON.
        """
        if self.fault or not is_stream(self.headers.get("content-type", "")):
            yield self.json()
            return
        for data in _events(self.body):
            # What is beside the answer is not asked about.
            with suppress(Inexact):
                yield replace(self, headers={}, body=data).json()


def is_stream(content_type: str) -> bool:
    """Tell whether an answer is a stream of events, whose end need not come."""
    return content_type.partition(";")[0].strip().lower() == "text/event-stream"


def _events(body: bytes) -> Iterator[bytes]:
    """Yield the data of a stream's events; of one that was cut off, nothing."""
    data: list[bytes] = []
    for line in body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line:
            if data:
                yield b"\n".join(data)
            data = []


def _without(part: Any, hidden: tuple[str, ...]) -> Any:
    for secret in hidden if isinstance(part, str) else ():
        part = part.replace(secret, HIDDEN)
    return part


def reply(
    status: int,
    headers: Iterable[tuple[str, str]],
    content: bytes,
    most: int,
    hidden: Iterable[str],
) -> Reply:
    """Make a reply of what came over the wire.

    Args:
        content: the body as it came, of which at most one byte more than `most` was read.
        most: how many bytes a body may have, packed and unpacked.
        hidden: secrets that were sent along; a service that repeats one must not spread it.
    """
    named = {name.lower(): value for name, value in headers}
    body, fault = _unpacked(named.get("content-encoding", "").strip().lower(), content, most)
    secrets = tuple(hidden)
    for secret in secrets:
        body = body.replace(secret.encode(), HIDDEN.encode())
    return Reply(status, named, body, fault, secrets)


def _unpacked(packing: str, content: bytes, most: int) -> tuple[bytes, str]:
    too_long = f"it is longer than {most} bytes"
    if len(content) > most:
        return b"", too_long
    if packing in ("", "identity"):
        return content, ""
    if packing not in _WINDOW:
        return b"", "it has an unknown encoding"
    # Stopped at the limit: a small packed answer may unpack to more than memory holds.
    unpacking = zlib.decompressobj(_WINDOW[packing])
    try:
        body = unpacking.decompress(content, most + 1)
    except zlib.error:
        return b"", "it cannot be decompressed"
    if len(body) > most:
        return b"", too_long
    return (body, "") if unpacking.eof else (b"", "it cannot be decompressed")
