"""Routes that a domain adds to the server: what others send it, before anybody signs in."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from daybook.nodes.running.work import Resources

MOST_BYTES = 256 * 1024
"""Of a body that is taken in from somebody who is not signed in."""


@dataclass(frozen=True)
class Arrived:
    """A request, with its body as it came: what is signed is signed byte for byte.

    Attributes:
        url: whole, as it was asked for.
        headers: names in lower case.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Answered:
    """What is answered; `later` is done after the answer went out, and may fail for itself."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    later: Callable[[], Awaitable[None]] | None = None


Route: TypeAlias = Callable[[Resources, Arrived], Awaitable[Answered]]


def as_json(status: int, told: Mapping[str, Any], **headers: str) -> Answered:
    """Answer with JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answered(
        status, json.dumps(told).encode(), {"content-type": "application/json", **named}
    )
