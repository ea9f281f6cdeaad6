"""What came of one attempt: a closed set, classified by "could the request have been sent?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Confirmed:
    """The other side acknowledged the effect.

    Attributes:
        result: what it answered, without secrets or personal data; kept as JSON. An `expires_at`
            in it (ISO 8601) says until when something is held.

    Example:
        >>> Confirmed({"hold_id": "H-1", "expires_at": "2031-05-06T12:00:00Z"}).result["hold_id"]
        'H-1'
    """

    result: Mapping[str, Any]


@dataclass(frozen=True)
class Declined:
    """The request arrived and was refused for good (a declined card).

    Attributes:
        code: the other side's word for it, such as `card_declined`.
        message: a sentence for the user.
        at_the_door: it was turned away before anything was looked at (who asks, how it is written).
            This request did nothing; an earlier one under the same key may have, whatever the
            service stores.

    Example:
        >>> Declined("card_declined", "The card was declined.").code
        'card_declined'
    """

    code: str
    message: str
    detail: Mapping[str, Any] = field(default_factory=dict)
    at_the_door: bool = False


@dataclass(frozen=True)
class NotSent:
    """Provably nothing was done: no connection, or a refusal before the effect.

    It is tried again.
    """

    reason: str


@dataclass(frozen=True)
class Unknown:
    """The request may have been done: a timeout, a dropped connection. Never final.

    What the tool declares decides: it is sent again under its key, looked for, or asked about.

    Attributes:
        in_hand: the other side said that it has accepted it and will decide by itself. It is looked
            for, and not sent again.
    """

    reason: str
    in_hand: bool = False


Outcome: TypeAlias = Confirmed | Declined | NotSent | Unknown
