"""What came of one attempt: a closed set, classified by "could the request have been sent?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Confirmed:
    """Say that the other side acknowledged the effect.

    Attributes:
        result: what it answered, without secrets or personal data.

    """

    result: Mapping[str, Any]


@dataclass(frozen=True)
class Declined:
    """Say that the request arrived and was refused for good (a declined card).

    Attributes:
        code: the other side's word for it, such as `card_declined`.
        message: a sentence for the user.

    """

    code: str
    message: str
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class NotSent:
    """Say that provably nothing was done: no connection, or a refusal before the effect."""

    reason: str


@dataclass(frozen=True)
class Unknown:
    """Say that the request may have been done: a timeout, a dropped connection. Never final."""

    reason: str


Outcome: TypeAlias = Confirmed | Declined | NotSent | Unknown
